"""From headings in one style to the stretches of text that answer each subquestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.answer.segments.headings import Heading, Tier
from grader.answer.segments.labels import Labels, Naming, Path, ordinal_roman, plausible


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a response from one heading to the next that belongs elsewhere."""

    start: int
    end: int
    body: int
    """Where its first label ends."""
    subs: tuple[int, ...]
    """The subquestions it answers: one, several that are merged, or none."""


@dataclass(frozen=True)
class Layout:
    """A way to take a response apart: headings of one style under one naming."""

    stretches: tuple[Stretch, ...]
    naming: Naming
    tier: Tier
    depth: int
    style: str
    mixed: bool
    """Its headings aren't all written alike."""
    count: int
    """How many subquestions there are."""

    @cached_property
    def rank(self) -> tuple[int, int]:
        """Which layout goes before another where both are complete."""
        tier = Tier.HEADING + 1 if self.naming == "id" or self.style == "question" else self.tier
        return int(tier), -self.depth

    @cached_property
    def present(self) -> frozenset[int]:
        """The subquestions that have a heading."""
        return frozenset(sub for stretch in self.stretches for sub in stretch.subs)

    @property
    def complete(self) -> bool:
        """Whether every subquestion has one."""
        return len(self.present) == self.count

    @cached_property
    def ordered(self) -> bool:
        """Whether the subquestions stand in order, each once."""
        said = [sub for stretch in self.stretches for sub in stretch.subs]
        return said == sorted(set(said))

    @cached_property
    def places(self) -> dict[int, tuple[int, ...]]:
        """What each stretch answers, by where it starts."""
        return {stretch.start: stretch.subs for stretch in self.stretches}

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where its stretches start."""
        return tuple(stretch.start for stretch in self.stretches)


@dataclass(frozen=True, slots=True)
class Refused:
    """A layout that was seen and not taken."""

    style: str
    why: str


def layout(
    headings: Sequence[Heading], labels: Labels, naming: Naming, end: int, *, mixed: bool, style: str
) -> Layout | Refused:
    """The layout that headings make under a naming; refused where one names a part there isn't."""
    stretches: list[Stretch] = []
    before: tuple[Path, ...] = ()
    bounds = [*(item.start for item in headings[1:]), end]
    for item, bound in zip(headings, bounds, strict=True):
        subs = _subs(item.paths, labels, naming)
        if subs is None:
            return Refused(style, f"'{_spelled(item.paths)}' is no part of the problem")
        goes_on = item.tier >= Tier.WORD or item.paths != before
        before = item.paths
        if stretches and stretches[-1].subs == subs and subs and goes_on:
            last = stretches.pop()
            stretches.append(Stretch(last.start, bound, last.body, subs))
        else:
            stretches.append(Stretch(item.start, bound, item.end, subs))
    tier = min(item.tier for item in headings)
    depth = max(item.depth for item in headings if item.tier is tier)
    return Layout(tuple(stretches), naming, tier, depth, style, mixed, len(labels.sub_ids))


def _subs(paths: Iterable[Path], labels: Labels, naming: Naming) -> tuple[int, ...] | None:
    found = []
    for path in paths:
        sub = labels.meant(path, naming)
        if sub is not None:
            found.append(sub)
        elif not (naming in ("id", "tail") and labels.opens(path)):
            return None
    return tuple(dict.fromkeys(found))


def _spelled(paths: Iterable[Path]) -> str:
    return ", ".join(".".join(path) for path in paths)


def layouts(headings: Sequence[Heading], labels: Labels, end: int) -> Iterator[Layout | Refused]:
    """Every layout of some headings, those of one style before mixed ones."""
    for group, style, mixed in _groups(headings):
        bare = _without_stem(group)
        for naming in labels.namings():
            named = [item for item in (group if naming == "id" else bare) if _can_be(item, labels, naming)]
            if any(_subs(item.paths, labels, naming) for item in named):
                yield layout(named, labels, naming, end, mixed=mixed, style=style)


def _without_stem(group: Sequence[Heading]) -> Sequence[Heading]:
    """Headings without the name of a problem that all of them repeat: ``Problem 7.3(1)``."""
    paths = [path for item in group for path in item.paths]
    if min(item.tier for item in group) < Tier.WORD or len({path[:-1] for path in paths}) > 1:
        return group
    if len(paths) < 2 or len(set(paths)) < len(paths):
        return group
    return [replace(item, paths=tuple(path[-1:] for path in item.paths)) for item in group]


def nested(headings: Sequence[Heading], labels: Labels) -> list[Heading]:
    """Headings with the number above them in their label, where sub_ids have two parts: ``1``, ``(b)``."""
    if not labels.deep:
        return list(headings)
    above: Path = ()
    found = []
    for item in headings:
        if len(item.paths) == 1 and len(item.paths[0]) == 1:
            path = item.paths[0]
            if labels.opens(path):
                above = path
            elif above and labels.meant((*above, *path), "tail") is not None:
                style = replace(item.style, kind="number")
                item = replace(item, paths=((*above, *path),), style=style)
        found.append(item)
    return found


def _can_be(item: Heading, labels: Labels, naming: Naming) -> bool:
    """Whether a heading can be a label at all under a naming."""
    if naming == "id":
        return all(len(path) > 1 and labels.meant(path, naming) is not None for path in item.paths) or all(
            plausible(path) for path in item.paths
        )
    return all(plausible(path) for path in item.paths)


def _groups(headings: Sequence[Heading]) -> Iterator[tuple[list[Heading], str, bool]]:
    """Headings of one style; then of one level, of a kind with a word, of any heading, of any sort."""
    seen: set[tuple[int, ...]] = set()
    for mixed, key in enumerate((_exact, _level, _worded, _headed, _any)):
        grouped: dict[str, list[Heading]] = {}
        for item in headings:
            if name := key(item):
                for kind in _kinds(item):
                    grouped.setdefault(f"{name} {kind}", []).append(item)
        for name, group in grouped.items():
            starts = tuple(item.start for item in group)
            if starts not in seen:
                seen.add(starts)
                yield group, name, mixed > 1


def _kinds(item: Heading) -> Iterator[str]:
    """What labels it can be counted with: "i" with letters and with roman numerals."""
    first = item.paths[0][0]
    if item.style.kind != "letter":
        yield "number" if item.style.kind == "decimal" else item.style.kind
        return
    if len(first) == 1:
        yield "letter"
    if ordinal_roman(first):
        yield "roman"


def _exact(item: Heading) -> str:
    decimal = "." if item.style.kind == "decimal" else ""
    return f"{_level(item)} {item.style.word} {item.style.shape}{decimal}"


def _level(item: Heading) -> str:
    return f"{item.tier.name.lower()} {item.depth}{item.style.marks}"


def _worded(item: Heading) -> str:
    return item.style.word


def _headed(item: Heading) -> str:
    return "heading" if item.tier > Tier.PLAIN else ""


def _any(item: Heading) -> str:
    return "any" if item.tier > Tier.PLAIN or item.depth == 0 else ""
