"""What ships: the wheel is complete, and the pins name no host."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*words, **options):
    return subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    done = run("-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def tracked(*patterns):
    done = subprocess.run(
        ["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_wheel_holds_every_file_of_the_package_and_its_content(wheel):
    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())
    package = {name for name in tracked("grader") if not name.endswith(".pyc")}
    folders = ("schemas", "problems", "judges", "profiles", "audits")
    content = {f"grader/_content/{name}" for name in tracked(*folders)}
    assert package | content <= shipped
    assert not [name for name in shipped if "__pycache__" in name]


@pytest.mark.slow
def test_the_installed_wheel_grades_its_own_demo(installed, tmp_path):
    # -P keeps the checkout out of the path: what runs is what was shipped
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    demo = installed / "grader" / "_content" / "problems" / "demo"
    words = ["-P", "-m", "grader", "grade", demo / "run.jsonl", "--marks", demo / "marks.jsonl"]
    done = run(*words, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert "demo-strong" in done.stdout
    where = run(
        "-P", "-c", "from grader.problem.content import content_root as c; print(c())", env=environment
    )
    assert Path(where.stdout.strip()) == installed / "grader" / "_content"


def test_the_pins_name_no_host_and_no_lock_file_is_tracked():
    assert "://" not in (ROOT / "constraints.txt").read_text()
    assert tracked("uv.lock") == set()


def test_every_dependency_is_pinned_and_has_its_reason():
    pins = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    block = (ROOT / "pyproject.toml").read_text().partition("dependencies = [")[2].partition("]\n")[0]
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    for line in lines:
        name = line.partition(">=")[0].strip('"')
        assert name in pins, line
        assert "#" in line, f"{name} gives no reason"
