"""What a command doesn't need it doesn't load."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.grade.small import both_models, write_lines, write_set

HEAVY = ["rdkit", "pint", "sqlalchemy", "alembic", "lark", "PIL", "jsonschema", "numpy", "litellm", "pandas"]
NEVER = ["litellm", "pandas"]


def loaded_after(*words):
    script = (
        "import sys\n"
        "from grader.cli import main\n"
        "sys.argv = ['argus', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, words)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines())


def test_help_loads_nothing_heavy():
    assert loaded_after("--help").isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "command", ["run", "grade", "check", "problems", "judges", "trace", "verdicts", "audit"]
)
def test_the_help_of_a_command_loads_nothing_heavy(command):
    assert loaded_after(command, "--help").isdisjoint(HEAVY)


def test_looking_at_cards_loads_nothing_heavy():
    assert loaded_after("judges", "list").isdisjoint(HEAVY)


def test_a_grading_without_judge_loads_no_llm_client_and_no_frames(tmp_path):
    folder = write_set(tmp_path / "set")
    run = write_lines(folder / "run.jsonl", both_models())
    loaded = loaded_after("grade", run, "--archive", f"sqlite:///{tmp_path / 'argus.db'}")
    assert "sqlalchemy" in loaded
    assert loaded.isdisjoint(NEVER)
    # the parent hands checks to its workers and needs no chemistry of its own
    assert loaded.isdisjoint(["rdkit", "pint"])
