"""Prompt templates: Jinja2 in a sandbox, in blocks that become messages.

A template is text of the card's author and may compute on what it is shown,
nothing else: no attribute that leads out of the values, no file, no chance.
Each block is rendered by itself, so everything stands in blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from traceback import walk_tb
from typing import Any, Literal

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from grader.problem.content import content_root

Role = Literal["judge", "locator"]

BLOCKS: Mapping[Role, tuple[str, ...]] = {
    "judge": ("system", "user", "repair"),
    "locator": ("system", "user"),
}
"""The blocks that a template has to have."""

_STANDS_ALONE = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)


class TemplateFault(Exception):
    """What is wrong with a template, and in which line of it."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


def place_of(name: str, card: Path) -> Path | None:
    """Where the template of a card at this path lies: beside it, or in ``judges/``; None if nowhere."""
    return next((place for place in places_of(name, card) if place.is_file()), None)


def places_of(name: str, card: Path) -> tuple[Path, ...]:
    """Where a card's template is looked for, in order."""
    return tuple(dict.fromkeys([card.parent / name, content_root() / "judges" / name]))


def check(text: str, role: Role) -> None:
    """Whether a template can be rendered at all; TemplateFault if not."""
    try:
        tree = _environment().parse(text)
        compiled(text)
    except TemplateSyntaxError as error:
        raise TemplateFault(f"is no Jinja2 template: {error.message}", error.lineno) from error
    for other in tree.find_all(_STANDS_ALONE):
        raise TemplateFault("a template stands alone: it can't include or extend another", other.lineno)
    for node in tree.body:
        if not isinstance(node, nodes.Block) and not _is_blank(node):
            raise TemplateFault("something stands outside of the blocks", node.lineno)
    missing = [name for name in BLOCKS[role] if name not in compiled(text).blocks]
    if missing:
        raise TemplateFault(f"the block {missing[0]!r} is missing")


def rendered(text: str, block: str, values: Mapping[str, Any]) -> str:
    """One block of a template with these values, without white space around it; TemplateFault if it fails."""
    template = compiled(text)
    try:
        return "".join(template.blocks[block](template.new_context(dict(values)))).strip()
    except Exception as error:  # a template may compute, and fail in every way computing can
        raise TemplateFault(str(error), _line(template, error)) from error


@lru_cache(maxsize=256)
def compiled(text: str) -> Template:
    """The template of a text."""
    return _environment().from_string(text)


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox, without its detour for attributes that are plain text: a prompt reads dozens."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if type(value) in (str, bool) and not attr.startswith("_"):
            return True
        return super().is_safe_attribute(obj, attr, value)


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = _Environment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    # The same task makes the same request: nothing random.
    environment.globals = {
        "range": environment.globals["range"],
        "namespace": environment.globals["namespace"],
    }
    del environment.filters["random"]
    return environment


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )


def _line(template: Template, error: Exception) -> int | None:
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == "<template>"]
    return template.get_corresponding_lineno(lines[-1]) if lines else None
