"""The wheel holds `ragproof` alone, and says where the flows are instead of breaking somebody's `tasks`."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site-packages folder with the wheel beside a rival's top-level package `tasks`."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "tasks").mkdir()
    (folder / "tasks" / "__init__.py").write_text("OWNER = 'rival'\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), str(wheel)],
        check=True,
        capture_output=True,
    )
    return folder


def run_installed(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the installed wheel first on its path, away from the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, *words], cwd=site, env=environment, capture_output=True, text=True, check=False
    )


def test_a_wheel_puts_one_package_into_site_packages(wheel: Path) -> None:
    """No flows, tasks, deployments or config in anybody's site-packages."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ragproof"}


def test_a_wheel_carries_what_the_library_reads(wheel: Path) -> None:
    """Migrations, the demo's corpus and the typing marker travel with the code."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert any(name.startswith("ragproof/store/migrations/versions/") for name in names)
    assert any(name.startswith("ragproof/demo/corpus/") and name.endswith(".md") for name in names)
    assert "ragproof/py.typed" in names


def test_a_rival_package_named_tasks_stays_what_it_was(site: Path) -> None:
    """Installing ragproof changes nothing for a neighbour of the same name."""
    done = run_installed(site, "-c", "import tasks, ragproof; print(tasks.OWNER, ragproof.__file__)")
    owner, place = done.stdout.split()
    assert owner == "rival"
    assert Path(place).is_relative_to(site)


def test_run_in_a_wheel_only_install_says_how_to_get_the_flows(site: Path) -> None:
    """It exits 3 with the install line, never with an import error or a rival's module."""
    done = run_installed(site, "-m", "ragproof", "run", "x.yaml")
    assert done.returncode == 3
    assert "pip install -e ." in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_that_need_no_flow_work_in_a_wheel_only_install(site: Path) -> None:
    """The catalogue, the readers and the store need nothing beside the wheel."""
    done = run_installed(site, "-m", "ragproof", "metrics")
    assert done.returncode == 0, done.stderr
    assert "retrieval.ndcg_at_k" in done.stdout
