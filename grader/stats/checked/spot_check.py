"""The spot check of a grading: what was drawn, with what probability, and what of it is still current."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.archive.entry import Grading, RouteEntry, SpotCheckEntry
from grader.archive.standing import Standing
from grader.archive.store import Archive
from grader.judge.spot_check import Stratum
from grader.stats.checked.people import Place

NAN = float("nan")


@dataclass(slots=True)
class SpotChecks:
    """What was drawn and doubted under the gradings of some runs."""

    drawn: dict[int, dict[Place, SpotCheckEntry]] = field(default_factory=dict)
    """By grading."""
    doubted: dict[int, set[Place]] = field(default_factory=dict)
    """By grading, whatever people have settled since: marks must not move a point to another stratum."""
    rates: dict[tuple[object, str], float] = field(default_factory=dict)
    """By grading, and by judge card, and stratum: what one of them drew at."""
    stale: int = 0
    """Drawn points that are about an earlier point, answer or decision."""

    @classmethod
    def of(cls, archive: Archive, gradings: Iterable[Grading]) -> SpotChecks:
        """Read them."""
        found = cls()
        for grading in gradings:
            found.doubted[grading.id] = archive.doubted(grading)
            drawn = found.drawn[grading.id] = {place_of(one): one for one in archive.spot_checks(grading)}
            for one in drawn.values():
                if one.stratum is not None and one.probability is not None:
                    found.rates[grading.id, one.stratum] = one.probability
                    found.rates[grading.card, one.stratum] = one.probability
        return found

    def of_point(
        self, grading: Grading, place: Place, current: tuple[str, str], machine: Standing, doubted: bool
    ) -> tuple[str | None, float, bool]:
        """Stratum, rate and whether it is drawn; ``current``: today's hashes of point and answer."""
        entry = self.drawn[grading.id].get(place)
        decided = machine.award is not None and machine.counts
        if entry is not None:
            if decided and (entry.point_hash, entry.answer_hash, entry.by) == (*current, machine.by):
                return entry.stratum, NAN if entry.probability is None else entry.probability, True
            self.stale += 1
        if not decided:
            return None, NAN, False
        stratum = stratum_of(machine, doubted).value
        return stratum, self.rate(grading, stratum), False

    def rate(self, grading: Grading, stratum: str) -> float:
        """With which a stratum is drawn; where none of it was, as elsewhere under the same card."""
        own = self.rates.get((grading.id, stratum))
        return own if own is not None else self.rates.get((grading.card, stratum), NAN)


def stratum_of(machine: Standing, doubted: bool) -> Stratum:
    """The stratum of what code or judge decided."""
    if machine.track == "formal":
        return Stratum.FORMAL
    return Stratum.DOUBTFUL if doubted else Stratum.CONFIDENT


def place_of(entry: RouteEntry | SpotCheckEntry) -> Place:
    """What it is about."""
    return entry.response_digest, entry.sub_id, entry.point_id
