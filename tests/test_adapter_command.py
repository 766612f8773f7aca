"""The command adapter: a program asked line by line, whatever it writes, and however it ends."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ragproof.adapters import registry
from ragproof.adapters.adapter import Adapter, Question
from ragproof.adapters.process.tail import Tail
from ragproof.asking import ask
from ragproof.cases import Turn
from ragproof.errors import ConfigurationError
from ragproof.outputs import CaseFailure, FailureKind, Outcome, PipelineOutput
from tests.fakes import line_pipeline

PROGRAM = (sys.executable, "-S", line_pipeline.__file__)
LONG = 60.0
EXCEPTION, BAD_OUTPUT = FailureKind.EXCEPTION, FailureKind.BAD_OUTPUT
MODES = ("open", "per_call")


def opened(mode: str = "open", environ: dict[str, str] | None = None, **settings) -> Adapter:
    section = {"type": "command", "command": PROGRAM, "mode": mode, **settings}
    return registry.parse(section).open(environ=environ)


def question(text: str, **fields) -> Question:
    return Question(**{"case_id": "q1", "text": text, "k": 2, "retrieve_k": 3, **fields})


def asked(adapter: Adapter, *texts: str, seconds: float = LONG) -> list[Outcome]:
    """Ask one question after the other and close."""

    async def one_by_one() -> list[Outcome]:
        try:
            return [await ask(adapter, question(text), seconds) for text in texts]
        finally:
            await adapter.close()

    return asyncio.run(one_by_one())


def answers(outcomes: Sequence[Outcome]) -> list[str | None]:
    assert all(isinstance(outcome, PipelineOutput) for outcome in outcomes), outcomes
    return [outcome.answer for outcome in outcomes]


@pytest.mark.parametrize("mode", MODES)
def test_a_program_is_given_the_question_as_one_line_of_json(mode):
    """With k, the case's id and the earlier turns; line breaks and half characters arrive as they are."""
    turns = (Turn(role="user", content="hi"),)
    text = "echo"
    adapter = opened(mode)

    async def once() -> Outcome:
        outcome = await ask(adapter, question(text, case_id="a\nb\u2028\ud800", history=turns), LONG)
        await adapter.close()
        return outcome

    (echoed,) = answers([asyncio.run(once())])
    assert json.loads(echoed) == {
        "question": text,
        "k": 2,
        "case_id": "a\nb\u2028\ud800",
        "history": [{"role": "user", "content": "hi"}],
    }
    assert adapter.passes_history


READ = [
    ("text", 'say "plain"', "plain", None),
    ("an object", 'say {"result": "x", "documents": [{"id": 7}]}', "x", ["7"]),
    ("a ranking alone", 'say [{"id": "a"}, {"id": "b"}]', None, ["a", "b"]),
    ("null", "say null", None, None),
    ("NaN in a score", 'say {"answer": "x", "documents": [{"id": "a", "score": NaN}]}', "x", ["a"]),
    ("blank lines before", "bytes 0a0d0a7b22616e73776572223a2278227d", "x", None),
    ("a byte order mark", "bytes efbbbf7b22616e73776572223a2278227d", "x", None),
    ("a line separator inside", 'say {"answer": "a\u2028b"}', "a\u2028b", None),
    ("the case's own id", 'say {"answer": "x", "case_id": "q1"}', "x", None),
    ("an empty error", 'say {"answer": "x", "error": null}', "x", None),
    ("no line break at the end", 'raw {"answer": "x"}', "x", None),
    ("5 MB", "large 5000000", "x" * 5_000_000, None),
    ("much on standard error meanwhile", "chatter 100000", "after all that", None),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("why", "text", "answer", "ids"), READ, ids=[row[0] for row in READ])
def test_an_answer_is_read_as_those_of_other_pipelines(mode, why, text, answer, ids):
    """The same names, and the same tolerance."""
    (outcome,) = asked(opened(mode), text)
    assert isinstance(outcome, PipelineOutput), outcome
    assert outcome.answer == answer
    assert (outcome.retrieved and [chunk.id for chunk in outcome.retrieved]) == ids


def test_more_than_one_line_is_one_answer_only_of_a_process_of_its_own():
    """There all that it writes until its end is the answer."""
    pretty = "bytes " + b'{\n  "answer": "x"\n}'.hex()
    assert answers(asked(opened("per_call"), pretty)) == ["x"]
    (outcome,) = asked(opened("open"), pretty)
    assert outcome.reason.startswith("bad_output: the command's answer is not JSON; print one line of JSON")


FAILURES = [
    ("it crashes", "exit 3", EXCEPTION, "the command exited with code 3: the index is gone"),
    ("it ends in silence", "exit 0", EXCEPTION,
     "the command ended without an answer; does it read the question from its standard input?: "
     "the index is gone"),
    ("it crashes within a line", "half 1", EXCEPTION, "the command exited with code 1"),
    ("it ends within a line", "half 0", BAD_OUTPUT,
     "the command's answer is not JSON; print one line of JSON for each question, and anything else to "
     'standard error; it begins: {"answer": "hal'),
    ("it is killed", "killed", EXCEPTION, "the command was ended by SIGKILL"),
    ("it writes a log", "say Loading the model ...", BAD_OUTPUT,
     "the command's answer is not JSON; print one line of JSON for each question, and anything else to "
     "standard error; it begins: Loading the model ..."),
    ("bytes that are no text", "bytes 7b22ff227d", BAD_OUTPUT,
     "the command's answer is not UTF-8 (byte 0xff at 2); it begins: {\"\ufffd\"}"),
    ("JSON too deep to read", "bytes " + b"[".hex() * 60_000, BAD_OUTPUT, "the command's answer is not JSON"),
    ("more than 20 MiB", "large 21000000", BAD_OUTPUT, "the command's answer is larger than 20 MiB"),
    ("it says why not", 'say {"error": "no such index"}', EXCEPTION, "the command says: no such index"),
    ("it says so in an object", 'say {"answer": null, "error": {"code": 7}}', EXCEPTION,
     'the command says: {"code": 7}'),
    ("another question's answer", 'say {"answer": "x", "case_id": "q0"}', BAD_OUTPUT,
     "the command answers case 'q0', expected 'q1'; print one line of JSON for each question"),
    ("something that is no answer", "say 42", BAD_OUTPUT, "the command's answer is the int 42, expected"),
    ("it leaves a child that holds its output", "leaves 5", EXCEPTION, "the command exited with code 5"),
    ("it closes its output and goes on", "closes", EXCEPTION, "the command ended without an answer"),
]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("why", "text", "kind", "message"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_program_that_fails_fails_its_case_alone(mode, why, text, kind, message):
    """The message says how it ended and what it said; the next question is answered."""
    failed, next_one = asked(opened(mode), text, "who")
    assert isinstance(failed, CaseFailure), failed
    assert failed.kind is kind
    assert failed.message.startswith(message)
    assert isinstance(next_one, PipelineOutput), next_one


def test_a_process_of_its_own_that_answers_and_fails_has_failed():
    """Its code is its last word; a process that is kept has answered, and failed on its own time."""
    (failed,) = asked(opened("per_call"), "then 1")
    assert failed.reason == "exception: the command exited with code 1"
    assert answers(asked(opened("open"), "then 1")) == ["first"]


def test_the_end_of_standard_error_is_in_the_message():
    """Its last words say more than its first, and a word that was cut in two may be half a secret."""
    long, word = asked(opened(), "logs 5000", "word 5000")
    assert long.message.startswith("the command exited with code 3: ... log log")
    assert long.message.endswith("log last words")
    assert word.message == "the command exited with code 3"


TAILS = [
    ("nothing", [], ""),
    ("lines become one", [b"one\n", b"two\n"], "one two"),
    ("half a character between pieces", [b"\xc3", b"\xa9"], "\xe9"),
    ("400 characters are shown", [b"x" * 400], "x" * 400),
    ("of one more, whole words are", [b"ab " + b"cd " * 133], "... " + " ".join(["cd"] * 133)),
    ("2,000 are kept, white space among them", [b"ab", b" " * 1998, b"cd ef"], "... ef"),
    ("a word that stands alone at a cut is left out", [b"x" * 401], ""),
    ("however many pieces there are", [b"secret-" * 100] * 100 + [b" end"], "... end"),
]


@pytest.mark.parametrize(("why", "pieces", "line"), TAILS, ids=[row[0] for row in TAILS])
def test_a_tail_is_the_last_whole_words(why, pieces, line):
    tail = Tail()
    for piece in pieces:
        tail.add(piece)
    assert tail.line() == line


def test_a_kept_process_is_asked_again_and_again():
    """One process, and its questions counted."""
    pids = [answer.split() for answer in answers(asked(opened(), "who", "who", "who"))]
    assert [number for _, number in pids] == ["1", "2", "3"]
    assert len({pid for pid, _ in pids}) == 1


def test_a_process_of_its_own_is_asked_once():
    """Every question begins with nothing."""
    pids = [answer.split() for answer in answers(asked(opened("per_call"), "who", "who"))]
    assert [number for _, number in pids] == ["1", "1"]
    assert len({pid for pid, _ in pids}) == 2


def test_an_answer_that_says_why_not_keeps_its_process():
    """It is in step, and loading a model again takes long."""
    first, _, third = asked(opened(), "who", 'say {"error": "no"}', "who")
    assert first.answer.split()[0] == third.answer.split()[0]


def test_a_program_that_answers_once_and_ends_is_started_again():
    """Whoever wrote a script without a loop need not know of modes."""
    assert answers(asked(opened(), *["then 0"] * 3)) == ["first"] * 3


def test_what_nobody_asked_for_is_never_taken_for_the_next_answer():
    """The process is out of step and is not asked again."""
    adapter = opened()

    async def two() -> list[Outcome]:
        first = await ask(adapter, question("twice"), LONG)
        await asyncio.sleep(0.05)
        second = await ask(adapter, question("who"), LONG)
        await adapter.close()
        return [first, second]

    first, second = answers(asyncio.run(two()))
    assert (first, second.split()[1]) == ("first", "1")


def test_an_answer_that_comes_after_a_log_is_not_the_next_questions():
    """Whoever writes logs between answers is out of step from the first on."""
    banner, who = asked(opened(), "banner", "who")
    assert banner.reason.startswith("bad_output: the command's answer is not JSON")
    assert answers([who]) != ["late"]


def test_calls_at_one_time_have_a_process_each_and_later_calls_share_them():
    """As many processes as calls under way, and no more."""
    adapter = opened()

    async def crowd() -> list[str]:
        found = []
        for _ in range(3):
            outcomes = await asyncio.gather(*(ask(adapter, question("who"), LONG) for _ in range(4)))
            found += answers(outcomes)
        await adapter.close()
        return found

    assert len({answer.split()[0] for answer in asyncio.run(crowd())}) == 4


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_ended(*pids: int) -> bool:
    deadline = time.monotonic() + LONG
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(is_running, pids))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads the states of processes")
@pytest.mark.parametrize("mode", MODES)
def test_a_late_process_is_killed_with_all_it_has_started(mode, tmp_path):
    """The time limit of the case is the limit of its whole process group."""
    file = tmp_path / "pids"
    adapter = opened(mode)

    async def late() -> list[Outcome]:
        asking = asyncio.create_task(ask(adapter, question(f"child {file}"), LONG))
        while not file.exists() or not file.read_text().endswith("\n"):
            await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        hung = await ask(adapter, question("hang"), 0.3)
        after = await ask(adapter, question('say "after"'), LONG)
        await adapter.close()
        return [hung, after]

    hung, after = asyncio.run(late())
    assert hung.reason == "timeout: no answer within 0.3 s"
    assert answers([after]) == ["after"]
    assert wait_until_ended(*map(int, file.read_text().split()))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads the states of processes")
def test_closing_ends_the_processes_that_are_kept_even_those_that_hang():
    """Without questions a process has nothing to do, and is given a second to notice."""
    adapter = opened(command=[sys.executable, "-S", "-c", STUBBORN])
    (outcome,) = asked(adapter, "who")
    assert wait_until_ended(int(outcome.answer))


STUBBORN = """
import json, os, sys, time
print(json.dumps({"answer": str(os.getpid())}), flush=True)
sys.stdin.read()
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads the states of processes")
def test_a_kept_process_ends_when_ours_dies():
    """Killed outright, we can close nothing: the operating system does, and its input ends."""
    script = """
import asyncio, os, signal
from tests.test_adapter_command import answers, ask, opened, question
async def once():
    print(answers([await ask(opened(), question("who"), 60)])[0].split()[0], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(once())
"""
    died = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert died.returncode == -9, died.stderr
    assert wait_until_ended(int(died.stdout))


def test_an_adapter_that_was_closed_can_be_asked_again():
    """And in another event loop."""
    adapter = opened()
    assert answers(asked(adapter, 'say "one"')) + answers(asked(adapter, 'say "two"')) == ["one", "two"]


ENVIRON = {"PATH": os.environ["PATH"], "RAG_KEY": "s3cret\ntoken", "OTHER": "x", "PREFECT_API_KEY": "p"}


@pytest.mark.parametrize(
    ("why", "env", "name", "value"),
    [
        ("a variable that is named", ["RAG_KEY"], "RAG_KEY", "s3cret\ntoken"),
        ("one that is not", ["RAG_KEY"], "OTHER", None),
        ("what programs need", [], "PATH", os.environ["PATH"]),
        ("our orchestrator's key", [], "PREFECT_API_KEY", None),
    ],
)
def test_a_program_is_given_what_is_named_and_little_else(why, env, name, value):
    """Keys of ours, and of others, are none of its business."""
    adapter = opened(environ=ENVIRON, env=env)
    assert answers(asked(adapter, f"environment {name}")) == [value]


def test_values_that_it_is_given_are_known_as_secrets_and_are_no_part_of_its_identity():
    """They are redacted, and a new key is not a new pipeline."""
    section = {"type": "command", "command": ["rag"], "env": ["RAG_KEY"]}
    config = registry.parse(section)
    assert config.secrets(ENVIRON) == {"RAG_KEY": "s3cret\ntoken"}
    assert "s3cret" not in config.model_dump_json()
    assert registry.parse(config.model_dump(mode="json")).identity() == config.identity()
    others = [{**section, "command": ["rag", "-v"]}, {**section, "mode": "per_call"}, {**section, "cwd": "x"}]
    assert config.identity() not in {registry.parse(other).identity() for other in others}


def test_a_program_is_started_in_the_folder_of_the_configuration(tmp_path):
    """Or in one beside it; a program with a path is looked for from there."""
    (tmp_path / "rag").mkdir()
    program = tmp_path / "rag" / "run.sh"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{line_pipeline.__file__}"\n')
    program.chmod(0o755)
    for settings, folder in (({"command": PROGRAM}, ""), ({"command": ["./run.sh"], "cwd": "rag"}, "rag")):
        config = registry.parse({"type": "command", **settings})
        assert answers(asked(config.open([tmp_path, Path("/")]), "where")) == [str(tmp_path / folder)]


REFUSED = [
    ("a line for a shell", {"command": "python rag.py 'a b'"},
     "command: 'python rag.py 'a b'' is for a shell, and none is used; write ['python', 'rag.py', 'a b']"),
    ("nothing", {"command": []}, "command: no program is named; expected a list such as ['python', "),
    ("the question as an argument", {"command": ["rag", "--q={question}"]},
     "command: '--q={question}' is not filled in: the question comes as a line of JSON on standard input"),
    ("a secret as an argument", {"command": ["rag", "--key=env:RAG_KEY"]},
     "command: '--key=env:RAG_KEY' is a secret that every user of the machine could see; name it under env"),
    ("our own key", {"env": ["RAGPROOF_JUDGE_API_KEY"]}, "env: 'RAGPROOF_JUDGE_API_KEY' is ragproof's own"),
    ("a value instead of a name", {"env": ["A=b"]}, "env: 'A=b' is not the name of a variable"),
    ("another mode", {"mode": "opn"}, "mode: 'opn' is not allowed; expected 'open' or 'per_call'; did you "),
]  # fmt: skip


@pytest.mark.parametrize(("why", "settings", "told"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_configuration_that_cannot_work_is_refused(why, settings, told):
    """Each with its cure."""
    with pytest.raises(ConfigurationError) as refused:
        registry.parse({"type": "command", "command": ["rag"], **settings})
    assert str(refused.value).startswith(f"pipeline.adapter.{told}")


CANNOT_OPEN = [
    ("no such program", {"command": ["no-such-program"]},
     "command: there is no program 'no-such-program'; give its path, or install it where PATH leads"),
    ("nor at its path", {"command": ["./rag.sh"]}, "command: there is no program './rag.sh'"),
    ("no such folder", {"cwd": "nowhere"}, "command: '{folder}/nowhere' is not a folder; set cwd to one"),
    ("a variable that is not set", {"env": ["RAG_KEYS"]},
     "env: environment variable 'RAG_KEYS' is not set; did you mean 'RAG_KEY'?"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "settings", "told"), CANNOT_OPEN, ids=[row[0] for row in CANNOT_OPEN])
def test_what_cannot_be_started_is_said_before_the_first_question(why, settings, told, tmp_path):
    """Not once a case."""
    config = registry.parse({"type": "command", "command": PROGRAM, **settings})
    with pytest.raises(ConfigurationError) as refused:
        config.open([tmp_path], ENVIRON)
    assert str(refused.value).startswith("pipeline.adapter." + told.format(folder=tmp_path))


def test_a_program_that_vanishes_fails_its_cases(tmp_path):
    """Between two questions, say, when it is installed again."""
    program = tmp_path / "rag.sh"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{line_pipeline.__file__}"\n')
    program.chmod(0o755)
    adapter = registry.parse({"type": "command", "command": ["./rag.sh"], "mode": "per_call"}).open(
        [tmp_path]
    )
    program.unlink()
    (outcome,) = asked(adapter, "who")
    assert outcome.reason == "exception: './rag.sh' cannot be started: no such file or directory"
