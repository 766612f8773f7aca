"""Doors: commands of the flows are found beside `ragproof`, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragproof.cli.doors import BESIDE, GROUP, PROJECT_FILE, checkout, doors, load
from ragproof.errors import ConfigurationError

RUN = EntryPoint(name="run", value="deployments.commands:run", group=GROUP)
LOAD = """
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from ragproof.cli.doors import load
from ragproof.errors import ConfigurationError
if sys.argv[2:]:
    __import__(sys.argv[2])
try:
    print(load(EntryPoint("run", "deployments.commands:run", "ragproof.commands"), Path(sys.argv[1]))())
except ConfigurationError as error:
    sys.exit(str(error))
"""


def lay(folder: Path, owner: str) -> Path:
    """Lay out the packages beside `ragproof`, with a door that says whose they are."""
    for name in BESIDE:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"OWNER = '{owner}'\n")
    commands = f"import flows, tasks\ndef run():\n    return '{owner}', flows.OWNER, tasks.OWNER\n"
    (folder / "deployments" / "commands.py").write_text(commands)
    return folder


def loaded(root: Path, rival: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Load the door of `root` in a process that finds `rival` first on its path."""
    start = f"import sys; sys.path.insert(0, {str(rival)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", start + LOAD, str(root), *words], capture_output=True, text=True, check=False
    )


@pytest.fixture
def rival(tmp_path: Path) -> Path:
    """Another project's packages of the same names."""
    return lay(tmp_path / "rival", "rival")


def test_a_checkout_is_known_by_what_lies_beside_the_package(tmp_path: Path) -> None:
    """All packages and the project file; then the folder they lie in."""
    root = lay(tmp_path / "mine", "mine")
    (root / PROJECT_FILE).write_text("")
    assert checkout(root / "ragproof") == root


@pytest.mark.parametrize("missing", [PROJECT_FILE, *BESIDE])
def test_an_incomplete_checkout_is_none(missing: str, tmp_path: Path) -> None:
    """A site-packages folder may hold a stranger's `tasks`, and never a project file."""
    root = lay(tmp_path / "mine", "mine")
    (root / PROJECT_FILE).write_text("")
    (root / missing).rename(root / "elsewhere")
    assert checkout(root / "ragproof") is None


def test_this_test_runs_in_a_checkout() -> None:
    """The folder two above."""
    root = Path(__file__).resolve().parent.parent
    assert checkout(root / "ragproof") == root


def test_a_rival_package_earlier_on_the_path_is_not_taken(tmp_path: Path, rival: Path) -> None:
    """Neither for the door nor for what it imports."""
    mine = lay(tmp_path / "mine", "mine")
    done = loaded(mine, rival)
    assert done.stdout == "('mine', 'mine', 'mine')\n", done.stderr


@pytest.mark.parametrize("name", BESIDE)
def test_a_rival_package_that_is_imported_already_is_refused(name: str, tmp_path: Path, rival: Path) -> None:
    """Better no command than one that runs somebody else's tasks."""
    mine = lay(tmp_path / "mine", "mine")
    done = loaded(mine, rival, name)
    assert done.returncode == 1
    assert f"would take '{name}' from '{rival / name}', expected '{mine / name}'" in done.stderr


def test_without_a_checkout_the_command_says_how_to_get_one() -> None:
    """A wheel holds no flows."""
    with pytest.raises(ConfigurationError, match=r"`ragproof run` needs the flows.*`pip install -e \.`"):
        load(RUN, None)


def test_another_package_s_entry_points_are_left_out() -> None:
    """Even when they come first, or take our name."""
    theirs = [
        EntryPoint(name="run", value="rival.commands:run", group=GROUP),
        EntryPoint(name="mine", value="deployments_of_a_rival:run", group=GROUP),
    ]
    assert doors([*theirs, RUN]) == {"run": RUN}


def test_the_installed_doors_are_those_of_the_project_file() -> None:
    """An editable install knows them."""
    assert doors()["run"] == RUN
