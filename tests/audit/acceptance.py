"""What audits must find and what they may claim of judges without a fault, over simulated archives."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.audit import scripted_judges as scripted
from tests.audit.leniency_at_once import Sums, lenient, preferred, sums
from tests.audit.marked_worlds import FAVOURED, MODELS, Marked, drawn
from tests.audit.scripted_judges import Found, accused

PLANTED, SMALL = 0.10, 0.05
"""Of the marks, awarded to one model beyond what people give it."""
MOST_FALSE, LEAST_FOUND = 0.06, 0.90
_AT_ONCE = 250


@dataclass(frozen=True)
class Share:
    """In how many of so many runs."""

    count: int
    runs: int

    @property
    def value(self) -> float:
        return self.count / self.runs

    def bounds(self, level: float = 0.95) -> tuple[float, float]:
        """Within which the share of endlessly many runs lies (Clopper and Pearson 1934)."""
        from scipy.stats import binomtest

        ends = binomtest(self.count, self.runs).proportion_ci(level, "exact")
        return float(ends.low), float(ends.high)


@dataclass(frozen=True)
class Leniency:
    """One audit in one world: errors over the family of models, and how often the planted model was named."""

    false: Share
    """Of judges that favour nobody: runs in which any model is flagged."""
    found: Share
    """Of judges that favour one by ``PLANTED``: runs in which that one is flagged."""
    others: Share
    """... in which any other is."""
    small: Share
    """Of judges that favour one by ``SMALL``: runs in which that one is flagged."""


@dataclass(frozen=True)
class Outcome:
    """What A2 and A13 came to in one world."""

    marks: float
    """Of one model, on average."""
    error: float
    """The share of marked points that a judge without a preference awards otherwise than people."""
    lenient: Leniency
    preferred: Leniency

    def faults(self, *, required: bool = False, lenient_to_all: bool = False) -> list[str]:
        """What isn't as it must be: errors nowhere above what is allowed, power where it is ``required``."""
        audits = (
            [("A13", self.preferred)] if lenient_to_all else [("A2", self.lenient), ("A13", self.preferred)]
        )
        found = []
        for name, one in audits:
            for what, share in (("sound judges", one.false), ("other models", one.others)):
                if above(share, MOST_FALSE):
                    found.append(f"{name} flags {what} in {share.value:.4f} of {share.runs} runs")
            if required and one.found.value < LEAST_FOUND:
                found.append(f"{name} finds {PLANTED:.2f} in {one.found.value:.4f} of {one.found.runs} runs")
        return found


def above(found: Share, most: float) -> bool:
    """Whether the share is above: so many runs would come but once in 100 times if it were ``most``."""
    from scipy.stats import binom

    return bool(binom.sf(found.count - 1, found.runs, most) <= 0.01)


def outcome(world: Marked, false_runs: int, found_runs: int, all_alike: float = 0.0) -> Outcome:
    """A2 and A13 over that many archives of judges without and with a model they favour.

    With ``all_alike`` the judge is lenient to all models: then only A13 speaks of preferences.
    """
    seed = zlib.crc32(f"{world} {all_alike}".encode())
    none = _flags(world, false_runs, seed, 0.0, all_alike)
    planted = _flags(world, found_runs, seed + 1_000_000, PLANTED, all_alike)
    small = _flags(world, found_runs, seed + 2_000_000, SMALL, all_alike)
    favoured = MODELS.index(FAVOURED)
    of_audits = [
        Leniency(
            _share(without.any(axis=1)),
            _share(with_it[:, favoured]),
            _share(np.delete(with_it, favoured, axis=1).any(axis=1)),
            _share(little[:, favoured]),
        )
        for without, with_it, little in zip(none.flags, planted.flags, small.flags, strict=True)
    ]
    return Outcome(none.marks, none.error, *of_audits)


@dataclass(frozen=True)
class _Flags:
    flags: tuple[Any, Any]
    """Of A2 and of A13: [runs, models]."""
    marks: float
    error: float


def _flags(world: Marked, runs: int, seed: int, more: float, all_alike: float) -> _Flags:
    found: list[Sums] = []
    for start in range(0, runs, _AT_ONCE):
        many = min(_AT_ONCE, runs - start)
        found.append(sums(drawn(world, many, seed + start, more=more, all_alike=all_alike)))
    together = Sums(*(np.concatenate(each) for each in zip(*found, strict=True)))
    points = together.points
    return _Flags(
        (lenient(together), preferred(together)),
        float(points.mean()),
        float(together.wrong.sum() / points.sum()),
    )


def _share(flags: Any) -> Share:
    return Share(int(flags.sum()), len(flags))


def flagged(audit: Callable[[int, float], Found], fault: float, runs: int, first: int = 0) -> Share:
    """In how many runs the audit accuses a scripted judge of that fault."""
    return Share(sum(accused(audit, first + seed, fault) for seed in range(runs)), runs)


@dataclass(frozen=True)
class Fault:
    """A scripted judge: the audit that is asked about it, and of what size its fault is."""

    audit: str
    what: str
    asked: Callable[[int, float], Found]
    sizes: tuple[float, ...]
    required: float
    """The size that must be found in 90 % of runs."""
    quick: bool = False

    def runs(self) -> tuple[int, int]:
        """Of judges without the fault, and of each size of it."""
        return (1_000, 500) if self.quick else (300, 60)

    def sound(self) -> Share:
        """How often a judge without the fault is accused."""
        return flagged(self.asked, 0.0, self.runs()[0])

    def found(self, size: float) -> Share:
        """How often a judge with it is."""
        return flagged(self.asked, size, self.runs()[1], first=1_000_000)

    def faults(self, sound: Share, found: dict[float, Share]) -> list[str]:
        """What isn't as it must be."""
        said = []
        if above(sound, MOST_FALSE):
            said.append(f"{self.audit} accuses sound judges in {sound.value:.4f} of {sound.runs} runs")
        if found[self.required].value < LEAST_FOUND:
            said.append(f"{self.audit} finds {self.required} in {found[self.required].value:.4f} of runs")
        return said


FAULTS = (
    Fault("A6", "flips verdicts at random", scripted.repeated, (0.03, 0.06), 0.06),
    Fault("A7", "flips verdicts after a rewriting", scripted.rewritten, (0.05, 0.1), 0.1, quick=True),
    Fault("A8", "ignores stereochemistry", scripted.blind, (0.1, 0.25, 1.0), 1.0, quick=True),
    Fault("A9", "obeys injections", scripted.injected, (0.1, 0.25), 0.25),
    Fault("A10", "prefers long answers", scripted.padded, (0.1, 0.25), 0.25),
    Fault("A11", "minds the order of the rubric", scripted.turned, (0.15, 0.35), 0.35),
    Fault("A16", "drifts at version 2", scripted.drifted, (0.15, 0.3), 0.3),
)
