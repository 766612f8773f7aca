"""The README is true: its files are used, its commands run, its table is what the demo prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import readme
from tests.fakes.http_server import Received, Reply, serving
from tests.fakes.judge_server import judging
from tests.fakes.obliging_judge import ObligingJudge
from tests.fakes.prefect_server import PrefectServer
from tests.flows.conftest import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the README writes out."""
    folder = tmp_path_factory.mktemp("readme")
    for name, text in readme.files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ragproof(
    folder: Path, server: PrefectServer, *words: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a user's folder."""
    return subprocess.run(
        [sys.executable, "-m", "ragproof", *words],
        cwd=folder,
        env=server.environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_readme_writes_out_the_files_it_speaks_of() -> None:
    """Nothing below passes because nothing was found."""
    pipelines = {"cases.jsonl", "http.yaml", "my_rag.py", "python.yaml"}
    assert set(readme.files()) == pipelines | {
        *("gated.yaml", "sweep.yaml", "qrels.txt", "bm25.run", "dense.run", "labels.jsonl", "score.py")
    }
    assert len(readme.commands("ragproof")) >= 11


def test_the_commands_of_the_readme_run_in_their_order(folder: Path, prefect_server: PrefectServer) -> None:
    """Each ends with 0, in the folder of the README's own files; a judge by rules deserves no trust."""
    asks_judge = False
    with judging(ObligingJudge()) as server:
        judge = {
            "RAGPROOF_JUDGE_MODEL": "scripted",
            "RAGPROOF_JUDGE_BASE_URL": server.base_url,
            "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.15",
            "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "0.60",
        }
        for words in readme.commands("ragproof"):
            asks_judge = asks_judge or "judged" in words
            done = ragproof(folder, prefect_server, *words[1:], **(judge if asks_judge else {}))
            expected = 1 if words[1] == "calibrate" else 0
            assert done.returncode == expected, (words, done.stdout, done.stderr)
    assert server.calls > 100
    for report in ("report.md", "report.csv", "report.json", "attacks.jsonl"):
        assert (folder / report).stat().st_size > 0


def test_the_notebook_of_the_readme_prints_what_it_says(folder: Path) -> None:
    """In the folder of its dataset."""
    done = subprocess.run(
        [sys.executable, "score.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^token_f1 +0\.4000  scored 1 of 2$", done.stdout, re.MULTILINE), done.stdout


def test_the_http_configuration_of_the_readme_reaches_a_pipeline(
    folder: Path, prefect_server: PrefectServer
) -> None:
    """The body, the header and the mapping are what a server meets and what ragproof reads."""

    def answer(received: Received) -> Reply:
        assert received.headers["authorization"] == "Bearer tok-readme-1234"
        assert received.json["top_k"] == 5
        contexts = [{"id": "hr-policy", "text": f"about {received.json['question']}"}]
        return Reply({"answer": "28", "contexts": contexts})

    with serving(answer) as server:
        config = readme.files()["http.yaml"].replace("http://127.0.0.1:8000/ask", server.url)
        (folder / "served.yaml").write_text(config)
        done = ragproof(folder, prefect_server, "run", "served.yaml", RAG_TOKEN="tok-readme-1234")
    assert done.returncode == 0, done.stderr
    assert server.calls == 2
    assert re.search(r"retrieval\.mrr +↑ higher +1\.000", done.stdout)


def test_what_the_readme_shows_of_the_demo_is_what_it_prints(
    tmp_path: Path, prefect_server: PrefectServer
) -> None:
    """But for measured times and run ids; `python -m tests.readme` writes it anew."""
    printed = readme.run_demo(prefect_server.environment(), tmp_path)
    shown = readme.shown()
    assert shown.keys() == printed.keys() == {"run", "compare", "gate", "leaderboard"}
    for name, text in printed.items():
        assert readme.comparable(shown[name]) == readme.comparable(text), name


def test_the_makefile_has_what_the_readme_names() -> None:
    """`make demo` runs both variants; `make test` is there."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in readme.commands("make"):
        assert f"\n{words[1]}: " in makefile
    for variant in ("baseline", "reranked"):
        assert f"ragproof run config/demo.yaml --variant {variant}" in makefile
    assert [words[0] for words in readme.demo_commands()] == ["run", "run", "compare", "gate", "leaderboard"]


def test_every_link_of_the_readme_leads_to_a_file() -> None:
    """No page is promised that is not there."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", readme.README.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_the_deployment_commands_are_those_that_are_tested() -> None:
    """tests/flows/test_deployments.py runs these very commands."""
    tested = (ROOT / "tests" / "flows" / "test_deployments.py").read_text(encoding="utf-8")
    for words in readme.commands("prefect")[1:]:
        quoted = ", ".join(f'"{word}"' for word in words[1:])
        assert quoted in tested, words
