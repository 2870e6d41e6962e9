"""argus bench as its user types it: what it prints, how it ends, and what its documentation shows."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from examples import scripted_solver
from tests.sweeping import sweep_file

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, sys
for line in sys.stdin:
    open(sys.argv[1], "a").write("asked ")
    print(json.dumps({"request": json.loads(line)["request"], "text": "42", "cost": 0.25}), flush=True)
"""
MARKS = [
    {"point_id": f"{name}-r{n}", "by": "Ada", "points": 1, "protocol": protocol}
    for name in ("copper", "iron")
    for n in (1, 2)
    for protocol in ("full_problem", "oracle_scaffolded")
]


@pytest.fixture
def sweep(tmp_path):
    """Writes a sweep of a program that writes down that it is asked."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "marks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in MARKS))
    cmd = shlex.join([sys.executable, "-ISE", str(tmp_path / "program.py"), str(tmp_path / "log")])

    def write(**fields):
        return sweep_file(tmp_path, [{"cmd": cmd, "name": "program"}], description="for the test", **fields)

    return write


def asked(tmp_path):
    log = tmp_path / "log"
    return log.read_text().count("asked") if log.exists() else 0


def test_a_sweep_is_run_and_graded_and_its_tables_say_what_it_is_for(argus, sweep, tmp_path):
    shown = {"protocols": ["full_problem", "oracle_scaffolded"], "modes": ["text_only"]}
    path = sweep(**shown)
    before = argus("bench", path, "--state")
    assert (before.code, asked(tmp_path)) == (3, 0)
    assert "Sweep sweep: for the test" in before.out
    assert before.out.count("missing") == 2
    ended = argus("bench", path)
    assert (ended.code, asked(tmp_path)) == (3, 6)
    assert ended.out.count("for the test") == 2
    assert "0.0 % decided" in ended.out
    assert "Paid to solvers and reader: $1.5000" in ended.out
    assert "8 points are undetermined" in ended.err
    marked = argus("bench", sweep(**shown, marks=["marks.jsonl"]))
    assert (marked.code, marked.err, asked(tmp_path)) == (0, "", 6)
    assert re.search(r"oracle_scaffolded +text_only +complete +4 of 4 +100.0 % +\$1.0000", marked.out)
    state = argus("bench", path, "--state", "--json")
    assert (state.code, asked(tmp_path)) == (0, 6)
    assert json.loads(state.out)["scores"] == json.loads(argus("bench", path, "--json").out)["scores"]


def test_its_json_has_the_keys_that_are_documented(argus, sweep):
    found = json.loads(argus("bench", sweep(), "--json").out)
    page = (ROOT / "docs" / "output.md").read_text()
    section = page.partition("## argus bench --json")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(\w+)`", section))
    assert found.keys() | found["runs"][0]["cells"][0].keys() <= documented | {"schema_version"}


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["no.toml"], "no.toml: the file can't be read"),
        (["."], "the file can't be read; got Is a directory"),
        (["sweep.toml"], "sweep.toml:1 problems: there is no such problem set"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(argus, sweep, words, what):
    sweep(problems="nowhere")
    ended = argus("bench", *words)
    assert (ended.code, ended.out) == (2, "")
    assert what in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_program_that_ends_at_once_ends_the_sweep_in_words(argus, tmp_path):
    ended = argus("bench", sweep_file(tmp_path, [{"cmd": "false", "name": "a"}]))
    assert ended.code == 2
    assert "before its first reply, the program ended with exit code 1" in ended.err


# The demo's sweep


@pytest.fixture
def checkout(tmp_path):
    """The examples and the demo set as they lie in the repository."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "problems" / "demo", tmp_path / "problems" / "demo")
    return tmp_path


@pytest.mark.slow
def test_the_documented_tables_are_what_the_command_prints(argus, checkout):
    page = (ROOT / "docs" / "demo-sweep.md").read_text()
    (shown,) = re.findall(r"```\n\$ \.venv/bin/(argus .*?)```", page, re.S)
    command, _, printed = shown.partition("\n")
    ended = argus(*command.split()[1:])
    assert (ended.code, ended.err) == (0, "")
    assert [line.rstrip() for line in ended.out.strip().splitlines()] == printed.strip().splitlines()
    runs = sorted((checkout / "build" / "demo-sweep").glob("fault-*.jsonl"))
    given = io.StringIO()
    with contextlib.redirect_stdout(given), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["scripted_solver.py", "problems/demo", "--marks", *map(str, runs)])
        scripted_solver.main()
    assert given.getvalue() == (ROOT / "examples" / "demo-marks.csv").read_text()


def test_the_documented_sweep_is_the_one_in_the_examples():
    page = (ROOT / "docs" / "demo-sweep.md").read_text()
    assert f"```toml\n{(ROOT / 'examples' / 'demo-sweep.toml').read_text()}```" in page


def test_what_is_said_of_the_documented_tables_stands_in_them():
    page = (ROOT / "docs" / "demo-sweep.md").read_text()
    (shown,) = re.findall(r"```\n\$ (.*?)```", page, re.S)
    said = re.findall(r"\d+\.\d", re.sub(r"```.*?```", "", page, flags=re.S))
    assert len(said) == 5
    assert set(said) <= set(re.findall(r"\d+\.\d", shown))
    assert (
        f"+{100 * 3 / 77:.1f}" == "+3.9"
    )  # of 77 marks, the misread figure's question has 3 more if it is right
    assert shown.count("+5.2    +3.9") == 3


def test_every_table_of_the_demo_says_that_no_model_was_asked():
    page = (ROOT / "docs" / "demo-sweep.md").read_text()
    (shown,) = re.findall(r"```\n\$ (.*?)```", page, re.S)
    tables = re.split(r"\n(?= *Sweep demo-sweep)", shown)[1:]
    assert len(tables) == 3
    assert all("no model was asked: scripted" in " ".join(table.split()) for table in tables)
