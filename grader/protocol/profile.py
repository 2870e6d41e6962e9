"""Prompt profiles: how the blocks of a turn are written. Content files, named in each run by their hash."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationInfo, field_validator

from grader.errors import UsageError
from grader.model.options import Closed
from grader.model.settings import read_settings
from grader.problem.content import content_root
from grader.protocol.reader_tool import wording
from grader.record import digest

DEFAULT = "plain"

MESSAGE_VERSION = 2
"""Of the rules that make messages of turns. Part of every profile's hash, so raise it whenever the same
problem and profile could lead to another message."""

PLACES: dict[str, tuple[str, ...]] = {
    "number": ("number", "sub_id"),
    "described": ("description", "figure"),
    "undescribed": ("figure",),
    "pictured": ("figure",),
    "named": ("figure",),
    "file": ("content", "file"),
    "granted": ("result", "sub_id"),
}
"""What each block may be filled with; nothing private but the result that is granted."""

CARRIED: dict[str, frozenset[str]] = {
    "number": frozenset({"number", "sub_id"}),
    "described": frozenset({"description"}),
    "named": frozenset({"figure"}),
    "file": frozenset({"content"}),
    "granted": frozenset({"result"}),
}
"""Of what one has to stand in a block: without it a model would not be shown what the block is for."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_HASH_SHOWN = 12


class Blocks(Closed):
    """How each kind of block is written; ``{names}`` are filled in."""

    number: str
    """Before a subquestion, where one message holds them all: ``{number}``, ``{sub_id}``."""
    described: str
    """A figure in text_only: ``{figure}``, ``{description}``."""
    undescribed: str
    """A figure whose author gave no description: ``{figure}``."""
    pictured: str
    """Before an image: ``{figure}``; empty: nothing stands there."""
    named: str
    """A figure that a reader may be asked about: ``{figure}``."""
    file: str
    """An input file: ``{file}``, ``{content}``."""
    granted: str
    """The standard result of an earlier subquestion: ``{result}``, ``{sub_id}``."""

    @field_validator("*")
    @classmethod
    def _places(cls, value: str, info: ValidationInfo) -> str:
        block = str(info.field_name)
        used = list(_filled(value, PLACES[block]))
        twice = [name for name in used if used.count(name) > 1]
        if twice:
            raise ValueError(f"{{{twice[0]}}} stands there twice")
        if (needed := CARRIED.get(block)) and not needed & set(used):
            names = " or ".join(f"{{{name}}}" for name in sorted(needed))
            raise ValueError(f"{names} is missing, so a model would not see what the block is for")
        return value


def _filled(value: str, known: tuple[str, ...]) -> Iterator[str]:
    """The names that a block is filled with; raises ValueError for any other brace."""
    try:
        parts = list(string.Formatter().parse(value))
    except ValueError:
        raise ValueError("a brace stands alone; {{ and }} are braces as they are") from None
    for _, name, spec, conversion in parts:
        if name is None:
            continue
        if name not in known or spec or conversion:
            expected = ", ".join(f"{{{one}}}" for one in known)
            raise ValueError(f"{{{name}}} can't be filled in so; there are {expected}")
        yield name


class Before(Closed):
    """What stands before the content of a conversation, word by word; empty: nothing."""

    system: str = ""
    """A message of its own, with the role of that name."""
    full_problem: str = ""
    sequential_carry: str = ""
    oracle_scaffolded: str = ""


class _File(Closed):
    description: str = ""
    blocks: Blocks
    before: Before = Field(default_factory=Before)


@dataclass(frozen=True)
class Profile:
    """A profile as it was read."""

    name: str
    blocks: Blocks
    before: Before
    hash: str
    """SHA-256, in hex, of all that a model can see of it."""

    @property
    def label(self) -> str:
        """``<name>@<hash>``, as a run names it."""
        return f"{self.name}@{self.hash[:_HASH_SHOWN]}"

    def opening(self, protocol: str) -> str:
        """What stands first in a conversation under a protocol; empty: nothing."""
        return str(getattr(self.before, protocol))

    def written(self, block: str, **values: object) -> str:
        """A block with its values in it; a value's own braces stay as they are."""
        return str(getattr(self.blocks, block)).format(**values)


def load_profile(name: str) -> Profile:
    """A profile by its name in ``profiles/``, or a .toml file. Raises ArgusError naming the field."""
    path = Path(name) if name.endswith(".toml") else content_root() / "profiles" / f"{name}.toml"
    if not name.endswith(".toml") and not (_NAME.fullmatch(name) and path.is_file()):
        raise UsageError("no such prompt profile", got=name, expected=_names())
    file = read_settings(path, _File)
    shown = {
        "version": MESSAGE_VERSION,
        "tool": wording(),
        "blocks": file.blocks.model_dump(),
        "before": file.before.model_dump(),
    }
    return Profile(path.stem, file.blocks, file.before, digest(shown))


def _names() -> str:
    names = sorted(path.stem for path in (content_root() / "profiles").glob("*.toml"))
    return "one of " + ", ".join(names) + ", or a .toml file"
