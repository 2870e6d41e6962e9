"""How far people's marks can be relied on: agreement of blind marks, and with awards that are known.

Cohen's kappa: Cohen, Educ. Psychol. Meas. 20 (1960) 37, over the awards as
unordered categories. Interval of a share: Clopper and Pearson, Biometrika 26 (1934) 404.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from statistics import median
from typing import Any

from grader.archive.review_entry import FINAL, StoredMark
from grader.archive.review_marks import standing
from grader.archive.store import Archive
from grader.errors import SetupError

SCHEMA_VERSION = 1
"""Of what ``argus review agreement --json`` prints."""
CONFIDENCE = 0.95
"""Of the intervals."""

Award = float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people over the items that both marked, before either saw what stood."""

    first: str
    second: str
    n: int
    equal: float
    """Share of items with the same award."""
    kappa: float | None
    """Cohen's; None where both gave one and the same award throughout, for then it is undefined."""
    difference: float | None
    """Mean award of the first minus that of the second, where both gave one."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person's marks."""

    name: str
    marks: int
    """Items whose mark of theirs holds."""
    gold: int
    """Seeded ones among them."""
    right: int
    """Seeded ones whose first mark was the known award."""
    low: float | None
    high: float | None
    """Between which their share of right marks lies, with 95 % confidence."""
    seconds: float | None
    """Median of the active time that an item took."""
    changed: float | None
    """Share of items whose award they changed once they saw what stood."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All pairs and all people."""

    pairs: tuple[Pair, ...]
    people: tuple[Person, ...]

    def public(self) -> Agreement:
        """The same with numbers for names, in the order of first marks."""
        numbers = {one.name: f"reviewer {n}" for n, one in enumerate(self.people, 1)}
        return Agreement(
            tuple(replace(one, first=numbers[one.first], second=numbers[one.second]) for one in self.pairs),
            tuple(replace(one, name=numbers[one.name]) for one in self.people),
        )

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "confidence": CONFIDENCE,
            "pairs": [asdict(one) for one in self.pairs],
            "people": [asdict(one) for one in self.people],
        }


@dataclass(slots=True)
class _Work:
    """What one person did, item by item."""

    gold: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)


def agreement(archive: Archive) -> Agreement:
    """The agreement of everybody who marked; SetupError without the extra ``report``."""
    marks: dict[int, list[StoredMark]] = defaultdict(list)
    people: dict[str, _Work] = {}
    for one in archive.marks():
        marks[one.entry.item_id].append(one)
        people.setdefault(one.entry.reviewer, _Work())
    blind: dict[int, dict[str, Award]] = defaultdict(dict)
    for item in archive.items():
        for name, first, last, seconds in _held(marks.get(item.id, ())):
            work = people[name]
            work.seconds += [seconds] if seconds else []  # nobody knows it of a mark from a file
            work.changed.append(first != last)
            if item.entry.gold is not None:
                work.gold.append(first is not None and math.isclose(first, item.entry.gold))
            elif item.entry.kind not in FINAL:
                blind[item.entry.parent or item.id][name] = first
    return Agreement(
        tuple(_pairs(blind, list(people))),
        tuple(_person(name, work) for name, work in people.items()),
    )


def _held(marks: Sequence[StoredMark]) -> Iterator[tuple[str, Award, Award, float]]:
    """Of each person whose mark on an item holds: the blind award, the last one, the seconds of all."""
    for name, last in standing(marks).items():
        own = [one.entry for one in marks if one.entry.reviewer == name and one.entry.undoes is None]
        blind = [one for one in own if not one.after_seen] or own
        yield name, blind[-1].award, last.entry.award, math.fsum(one.seconds for one in own)


def _pairs(blind: Mapping[int, Mapping[str, Award]], names: Sequence[str]) -> Iterator[Pair]:
    for first, second in combinations(names, 2):
        both = [(given[first], given[second]) for given in blind.values() if {first, second} <= given.keys()]
        if both:
            yield Pair(first, second, len(both), _equal(both), kappa(both), _difference(both))


def _equal(both: Sequence[tuple[Award, Award]]) -> float:
    return sum(one == other for one, other in both) / len(both)


def _difference(both: Sequence[tuple[Award, Award]]) -> float | None:
    apart = [one - other for one, other in both if one is not None and other is not None]
    return math.fsum(apart) / len(apart) if apart else None


def kappa(both: Sequence[tuple[Award, Award]]) -> float | None:
    """Cohen's kappa of two people's awards; None where all are one and the same award."""
    categories = {award: n for n, award in enumerate(dict.fromkeys(award for pair in both for award in pair))}
    if len(categories) < 2:
        return None
    table = [[0] * len(categories) for _ in categories]
    for one, other in both:
        table[categories[one]][categories[other]] += 1
    try:
        from statsmodels.stats.inter_rater import cohens_kappa
    except ImportError:
        raise _missing() from None
    return float(cohens_kappa(table, return_results=False))


def interval(right: int, n: int) -> tuple[float, float] | tuple[None, None]:
    """The Clopper-Pearson interval of a share; nothing of nothing."""
    if n == 0:
        return None, None
    try:
        from statsmodels.stats.proportion import proportion_confint
    except ImportError:
        raise _missing() from None
    low, high = proportion_confint(right, n, alpha=1 - CONFIDENCE, method="beta")
    return float(low), float(high)


def _person(name: str, work: _Work) -> Person:
    right = sum(work.gold)
    low, high = interval(right, len(work.gold))
    return Person(
        *(name, len(work.changed), len(work.gold), right, low, high),
        seconds=median(work.seconds) if work.seconds else None,
        changed=sum(work.changed) / len(work.changed) if work.changed else None,
    )


def _missing() -> SetupError:
    return SetupError(
        "agreement needs packages that are not installed",
        got="no statsmodels",
        do="Install them: pip install 'argus-rubric[report]'.",
    )
