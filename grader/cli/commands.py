"""Every command of ``argus`` and the first sentence of its help; its module is imported when it is typed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class Command(NamedTuple):
    """Where a command is written."""

    module: str
    """Below ``grader.cli``."""
    name: str
    """Its function there, or its typer app."""
    help: str
    """As its docstring begins; a test holds them together."""


COMMANDS = {
    "run": Command("run", "run", "Let a model, a program or a person answer a problem set."),
    "bench": Command(
        "bench",
        "bench",
        "Run and grade every solver of a sweep under every condition, as far as it isn't done yet.",
    ),
    "inputs": Command(
        "inputs",
        "inputs",
        "Say which images, reader calls and standard results each response of a run was given.",
    ),
    "grade": Command(
        "grade",
        "grade",
        "Grade a run: decide its formal points, ask a judge about the others, take human marks, add up.",
    ),
    "report": Command(
        "report",
        "report",
        "Report what graded runs say: scores, ranks, gaps, where chains broke, and how sure all of it is.",
    ),
    "check": Command(
        "check", "check", "Decide one check on one answer, or measure the formal track on a file of cases."
    ),
    "trace": Command(
        "trace",
        "trace",
        "Show how one answer came by its marks: problem, answer, findings and marks, verdicts, score.",
    ),
    "verdicts": Command(
        "verdicts",
        "verdicts",
        "Stream every finding and verdict of the archive, one line each; 'standing' marks those that count.",
    ),
    "triage": Command(
        "triage",
        "triage",
        "Stream what is doubted, with the reasons: points of answers that people are to look at.",
    ),
    "dispute": Command(
        "review_files",
        "dispute",
        "Have a finding or a verdict marked again, blindly, by somebody who may settle differences.",
    ),
    "review": Command(
        "review_files",
        "app",
        "Serve a page on which people mark what is doubted, and what was drawn at random.",
    ),
    "audit": Command("audit", "app", "Measure a judge, or the formal track: may its numbers be believed?"),
    "problems": Command("authors", "app", "Check, write and look at problem sets."),
    "judges": Command("judges", "app", "List, check and try judge cards."),
}
"""In the order of ``argus --help``."""


class Later(TyperCommand):
    """A command that is not imported yet: its name, and what help says of it."""

    def __init__(self, name: str, written: Command) -> None:
        super().__init__(name, help=written.help)
        self.written = written

    def imported(self) -> Any:
        """The command itself."""
        found = getattr(import_module(f"grader.cli.{self.written.module}"), self.written.name)
        holder = typer.Typer(add_completion=False)
        if not isinstance(found, typer.Typer):
            holder.command(self.name)(found)
            return get_command(holder)
        holder.add_typer(found, name=self.name)
        group: Any = get_command(holder)
        return group.commands[self.name]


class Commands(TyperGroup):
    """The group ``argus``: knows all its commands by name, and imports the one that is typed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {name: Later(name, written) for name, written in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """As typer resolves it, imported."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.imported() if isinstance(command, Later) else command, rest
