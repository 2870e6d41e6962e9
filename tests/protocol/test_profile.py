"""A profile says how content is written, nothing private; its hash is what a model can see of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.errors import ArgusError, UsageError
from grader.problem.content import content_root
from grader.protocol import profile as profile_module
from grader.protocol.profile import PLACES, Blocks, Profile, load_profile
from grader.protocol.reader_tool import TOLD
from tests.protocol.running import request_for, small_set

SHIPPED = ("plain", "parity")
PLAIN = (content_root() / "profiles" / "plain.toml").read_text()


def _written(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def _loaded(folder: Path, old: str = "", new: str = "") -> Profile:
    """The plain profile with a piece of its text replaced."""
    assert old in PLAIN
    return load_profile(_written(folder, PLAIN.replace(old, new, 1) if old else PLAIN + new))


# What ships


def test_plain_says_nothing_but_content() -> None:
    plain = load_profile("plain")
    assert set(plain.before.model_dump().values()) == {""}
    filled = {name: getattr(plain.blocks, name) for name in PLACES}
    assert filled == {
        "number": "({number})",
        "described": "{figure}: {description}",
        "undescribed": "{figure}",
        "pictured": "{figure}",
        "named": "{figure}",
        "file": "{file}:\n{content}",
        "granted": "{result}",
    }


def test_only_parity_names_subquestions() -> None:
    named = {name for name in SHIPPED if "{sub_id}" in str(load_profile(name).blocks.model_dump())}
    assert named == {"parity"}


def test_every_profile_that_ships_is_sound_and_told_apart() -> None:
    files = sorted((content_root() / "profiles").glob("*.toml"))
    assert sorted(SHIPPED) == [file.stem for file in files]
    assert len({load_profile(file.stem).hash for file in files}) == len(files)


def test_a_run_names_a_profile_with_its_hash(tmp_path: Path) -> None:
    own = _loaded(tmp_path)
    assert own.label == f"own@{load_profile('plain').hash[:12]}"


def test_a_profile_of_ones_own_is_named_by_its_file(tmp_path: Path) -> None:
    own = _loaded(tmp_path, "", '\n[before]\nsystem = "Be brief."\n')
    problems = small_set(tmp_path / "set")
    file = str(tmp_path / "own.toml")
    request = request_for(problems, tmp_path / "run.jsonl", {"model": "openai/m"}, profile=file)
    assert request.header().prompt_profile == own.label
    assert own.label != load_profile("plain").label


# What can't be said


@pytest.mark.parametrize("block", PLACES)
@pytest.mark.parametrize(
    "private",
    ["rubric", "standard_result", "full_mark", "problem_id", "tags", "figure.file", "figure[0]", "", "0"],
)
def test_a_profile_cant_name_what_is_private(tmp_path: Path, block: str, private: str) -> None:
    line = next(line for line in PLAIN.splitlines() if line.startswith(f"{block} = "))
    with pytest.raises(ArgusError, match="can't be filled in") as refused:
        _loaded(tmp_path, line, f'{line[:-1]} {{{private}}}"')
    (fault,) = refused.value.faults
    assert (fault.pointer, fault.line) == (f"/blocks/{block}", PLAIN.splitlines().index(line) + 1)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('number = "({number})"', 'number = "({number!r})"', r"\{number\} can't be filled in so"),
        ('number = "({number})"', 'number = "({number:>9})"', r"\{number\} can't be filled in so"),
        ('number = "({number})"', 'number = "({number}"\nx = 1', "unknown field 'x'"),
        ('number = "({number})"', 'number = "(1)"', r"\{number\} or \{sub_id\} is missing"),
        ('number = "({number})"', 'number = "{number} {number}"', r"\{number\} stands there twice"),
        ('number = "({number})"', 'number = "{"', "a brace stands alone"),
        ('number = "({number})"', 'number = "}"', "a brace stands alone"),
        ('number = "({number})"', "number = 1", "has the wrong type"),
        ('number = "({number})"', "", "the field is missing"),
        ('number = "({number})"', 'numbers = "({number})"', "Did you mean 'number'"),
        ("{description}", "", r"\{description\} is missing"),
        ('named = "{figure}"', 'named = ""', r"\{figure\} is missing"),
        ("{content}", "", r"\{content\} is missing"),
        ('"{result}"', '""', r"\{result\} is missing"),
        ("", '\n[before]\nuser = "x"\n', "unknown field 'user'"),
        ("", '\n[before]\nsystem = ["x"]\n', "has the wrong type"),
        ("[blocks]", "[blocks", "is not TOML"),
        ("", '\n[before]\nsystem = "sk-abcdefghijklmnop1234"\n', "looks like a key"),
    ],
)
def test_what_is_wrong_with_a_profile_is_said_with_its_place(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    with pytest.raises(ArgusError, match=told) as refused:
        _loaded(tmp_path, old, new)
    assert all(fault.file == str(tmp_path / "own.toml") for fault in refused.value.faults)


@pytest.mark.parametrize("name", ["plane", "", "../profiles/plain", "profiles/plain", "README.md"])
def test_a_profile_there_isnt_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match=r"one of parity, plain, or a \.toml file"):
        load_profile(name)


def test_a_file_there_isnt_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArgusError, match="can't be read"):
        load_profile(str(tmp_path / "none.toml"))


# How content is filled in


def test_braces_in_content_stay_as_they_are() -> None:
    content = "{figure} {0} {{x}} }{ \\ce{H2O} %s {rubric.text!r:>10}"
    for name in SHIPPED:
        written = load_profile(name).written("granted", result=content, sub_id="{result}")
        assert content in written
    assert load_profile("plain").written("granted", result=content, sub_id="") == content


def test_braces_of_a_profile_are_written_twice_in_a_block_and_once_before(tmp_path: Path) -> None:
    own = _loaded(tmp_path, '"{result}"', '"{{{result}}}"')
    assert own.written("granted", result="{x}", sub_id="") == "{{x}}"
    before = load_profile(_written(tmp_path, PLAIN + '\n[before]\nfull_problem = "{figure} {{"\n'))
    assert before.opening("full_problem") == "{figure} {{"


# The hash


@pytest.mark.parametrize("block", Blocks.model_fields)
def test_the_hash_changes_with_every_block(tmp_path: Path, block: str) -> None:
    assert _loaded(tmp_path, f'{block} = "', f'{block} = "So: ').hash != load_profile("plain").hash


@pytest.mark.parametrize("field", ["system", "full_problem", "sequential_carry", "oracle_scaffolded"])
def test_the_hash_changes_with_all_that_is_said_before(tmp_path: Path, field: str) -> None:
    said = {_loaded(tmp_path, "", f'\n[before]\n{field} = "{text}"\n').hash for text in ("", "a", "b")}
    assert len(said) == 3
    assert load_profile("plain").hash in said


def test_the_hash_changes_with_the_rules_in_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_profile("plain").hash
    monkeypatch.setattr(profile_module, "MESSAGE_VERSION", profile_module.MESSAGE_VERSION + 1)
    assert load_profile("plain").hash != before


@pytest.mark.parametrize("word", TOLD)
def test_the_hash_changes_with_what_a_model_is_told_of_its_reader(
    monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    before = load_profile("plain").hash
    monkeypatch.setattr("grader.protocol.reader_tool.TOLD", {**TOLD, word: "something else"})
    assert load_profile("plain").hash != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Content and separators", "Anything"),
        ('description = "', '# a note\ndescription = "'),
        ('number = "({number})"', "number = '({number})'  # as papers have it"),
        ("\\n", "\\u000a"),
        ("", '\n[before]\nsystem = ""\n'),
    ],
)
def test_the_hash_holds_where_nothing_changes_that_a_model_sees(tmp_path: Path, old: str, new: str) -> None:
    changed: Any = _loaded(tmp_path, old, new)
    assert changed.hash == load_profile("plain").hash
