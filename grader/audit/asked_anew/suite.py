"""The audit suite: a TOML file that says which audits ask a judge anew, how often, about how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from grader.archive.audit_entry import DesignEntry
from grader.audit.asked_anew.texts import Texts, load_texts
from grader.errors import Fault, UsageError, shown
from grader.model.options import Closed
from grader.model.settings import read_settings
from grader.problem.content import content_root
from grader.problem.place import Place
from grader.record import digest

DESIGN_VERSION = 1
"""Of the rules by which answers are picked and varied; part of every design's hash."""

TEXTS = "texts.toml"
"""The file in ``audits/`` that holds what is added to answers; it is no suite."""

Size = Annotated[int, Field(ge=1, le=100_000)]


class Retest(Closed):
    """A6: the same request several times."""

    audit: ClassVar[str] = "A6"
    answers: Size = 100
    repeats: int = Field(default=3, ge=2, le=50)
    """How often each answer is judged in all, the grading's own call among them."""


class Invariance(Closed):
    """A7: the same answer written otherwise."""

    audit: ClassVar[str] = "A7"
    pairs: Size = 200
    kinds: tuple[str, ...] = Field(default=(), strict=False)
    """Which transforms; empty: all there are."""


class Sensitivity(Closed):
    """A8: an answer made wrong in one place."""

    audit: ClassVar[str] = "A8"
    pairs: Size = 60
    kinds: tuple[str, ...] = Field(default=(), strict=False)
    """Which transforms; empty: all there are."""


class Injection(Closed):
    """A9: passages that speak to the grader, against idle words of the same length."""

    audit: ClassVar[str] = "A9"
    answers: Size = 100
    """For each family."""
    families: tuple[str, ...] = Field(default=(), strict=False)
    """Which families of ``texts.toml``; empty: all."""


class Verbosity(Closed):
    """A10: idle words that make an answer longer."""

    audit: ClassVar[str] = "A10"
    answers: Size = 100
    doses: tuple[Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)], ...] = Field(
        default=(0.5, 1.0), min_length=1, strict=False
    )
    """Lengths added, as shares of the answer's own."""


class Ordering(Closed):
    """A11: the points in another order, and one point a request against all in one."""

    audit: ClassVar[str] = "A11"
    answers: Size = 100
    orders: int = Field(default=3, ge=1, le=20)
    """In how many orders, the rubric's own among them."""
    batching: bool = True
    """Also ask the other way: one point a request, or all at once where the card asks about one."""


class Drift(Closed):
    """A16: a frozen set of answers before every version of the judge."""

    audit: ClassVar[str] = "A16"
    points: Size = 150


class Formal(Closed):
    """A18: points that code decides, before the judge as if no code had."""

    audit: ClassVar[str] = "A18"
    points: Size = 150
    kinds: tuple[str, ...] = Field(default=(), strict=False)
    """Of checks; empty: all there are."""


Section = Retest | Invariance | Sensitivity | Injection | Verbosity | Ordering | Drift | Formal


class SuiteFile(Closed):
    """What a suite says. An audit whose table is absent isn't made."""

    description: str = ""
    """For people."""
    seed: int = Field(default=0, ge=0, lt=2**63)
    """Decides which answers are picked, and which wording of a passage each gets."""
    retest: Retest | None = None
    invariance: Invariance | None = None
    sensitivity: Sensitivity | None = None
    injection: Injection | None = None
    verbosity: Verbosity | None = None
    ordering: Ordering | None = None
    drift: Drift | None = None
    formal: Formal | None = None

    @property
    def sections(self) -> Iterator[Section]:
        """The audits it holds, in their order."""
        every = (
            *(self.retest, self.invariance, self.sensitivity, self.injection),
            *(self.verbosity, self.ordering, self.drift, self.formal),
        )
        return (one for one in every if one is not None)


@dataclass(frozen=True)
class Suite:
    """A suite, ready to be planned or run."""

    name: str
    path: Path
    file: SuiteFile
    texts: Texts

    @property
    def seed(self) -> int:
        """Of every choice."""
        return self.file.seed

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of everything that decides what is asked."""
        return digest([design.hash for design in self.designs.values()])

    @property
    def label(self) -> str:
        """``<name>@<hash>``."""
        return f"{self.name}@{self.hash[:12]}"

    @cached_property
    def designs(self) -> Mapping[str, DesignEntry]:
        """Each audit by its id with all that decides what it asks: a change of one leaves the others."""
        return {section.audit: self._design(section) for section in self.file.sections}

    def section(self, audit: str) -> Section | None:
        """The settings of an audit; None where the suite doesn't make it."""
        return next((one for one in self.file.sections if one.audit == audit), None)

    def families(self) -> tuple[str, ...]:
        """The families of passages that A9 tries."""
        chosen = self.file.injection.families if self.file.injection else ()
        return chosen or tuple(self.texts.injections)

    def _design(self, section: Section) -> DesignEntry:
        content: dict[str, Any] = {
            "version": DESIGN_VERSION,
            "audit": section.audit,
            "seed": self.seed,
            **section.model_dump(mode="json"),
        }
        if isinstance(section, Injection):
            content["families"] = {name: self.texts.injections[name].as_json() for name in self.families()}
        if isinstance(section, Injection | Verbosity):
            content["idle"] = list(self.texts.idle)
        return DesignEntry(digest(content), section.audit, content)


def load_suite(named: str) -> Suite:
    """The suite of that name in ``audits/``, or the one at a path that ends in ``.toml``.

    Raises UsageError for an unknown name, DataError with every fault of a file, each with its line.
    """
    path = _found(named)
    texts = load_texts(_folder() / TEXTS)
    file = read_settings(path, SuiteFile, lambda read, place: _rules(read, texts, place))
    return Suite(path.stem, path, file, texts)


def suite_names() -> list[str]:
    """The names of the suites in ``audits/``."""
    return sorted(path.stem for path in _folder().glob("*.toml") if path.name != TEXTS)


def list_suites() -> list[Suite]:
    """Every suite in ``audits/``, by name."""
    return [load_suite(name) for name in suite_names()]


def _folder() -> Path:
    return content_root() / "audits"


def _found(named: str) -> Path:
    if named.endswith(".toml") or "/" in named:
        return Path(named)
    names = suite_names()
    if named not in names:
        expected = f"{', '.join(names)}, or a path that ends in .toml"
        raise UsageError("there is no audit suite of that name", got=shown(named), expected=expected)
    return _folder() / f"{named}.toml"


def _rules(file: SuiteFile, texts: Texts, place: Place) -> Iterator[Fault]:
    if not any(True for _ in file.sections):
        expected = "a table such as [retest] or [injection]"
        yield place.fault("the suite makes no audit", expected=expected)
    if file.injection is not None:
        here = place.at("injection", "families")
        yield from _unknown(file.injection.families, list(texts.injections), "family of passages", here)
    for name in ("invariance", "sensitivity"):
        section = getattr(file, name)
        if section is not None and section.kinds:
            from grader.audit.asked_anew.rewriting import kinds_of

            here = place.at(name, "kinds")
            yield from _unknown(section.kinds, kinds_of(section.audit), "kind of transform", here)
    if file.formal is not None:
        from grader.formal.registry import IMPLEMENTED

        here = place.at("formal", "kinds")
        yield from _unknown(file.formal.kinds, sorted(IMPLEMENTED), "kind of check", here)
    if file.verbosity is not None and len(set(file.verbosity.doses)) < len(file.verbosity.doses):
        yield place.at("verbosity", "doses").fault("a dose is named twice", do="Name it once.")


def _unknown(named: tuple[str, ...], known: list[str], what: str, place: Place) -> Iterator[Fault]:
    for index, name in enumerate(named):
        if name not in known:
            expected = f"one of {', '.join(known)}"
            yield place.at(index).fault(f"there is no such {what}", got=shown(name), expected=expected)
        elif name in named[:index]:
            yield place.at(index).fault(f"the {what} is named twice", got=shown(name), do="Name it once.")
