"""From archived variants to the pairs that A7 and A8 count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.archive.audit_entry import StoredAsked
from grader.archive.store import Archive
from grader.audit.asked_anew.variants import BASE
from grader.audit.metamorphic.pair import Outcome, Pair
from grader.audit.metamorphic.registry import KINDS

_AGAIN = "repeat 1"


def outcomes(archive: Archive, rows: Sequence[StoredAsked]) -> list[Outcome]:
    """What a judge said of each rewriting, of its answer and of that answer again; incomplete pairs too."""
    by_answer: dict[tuple[str, str], dict[str, StoredAsked]] = {}
    for row in rows:
        by_answer.setdefault((row.place.response_digest, row.place.sub_id), {})[row.variant] = row
    return [one for variants in by_answer.values() for one in _of_answer(archive, variants)]


def _of_answer(archive: Archive, variants: Mapping[str, StoredAsked]) -> Iterator[Outcome]:
    base, again = variants.get(BASE), variants.get(_AGAIN)
    if base is None:
        return  # it was not asked whole yet
    before = archive.audit_task(base.task)
    marks = {one["id"]: float(one["marks"]) for one in before["criteria"]}
    for row in variants.values():
        if "kind" not in row.about:
            continue
        kind, point, span = row.about["kind"], row.about["point"], row.about["span"]
        after = archive.audit_task(row.task)
        place = row.place
        yield Outcome(
            Pair(
                kind,
                KINDS[kind].law,
                before["answer"],
                after["answer"],
                (span[0], span[1]),
                row.about["what"],
            ),
            place.problem_id,
            f"{place.problem_id}/{place.sub_id}/{point}, {place.response_digest[:12]}",
            _award(base, point),
            None if again is None else _award(again, point),
            _award(row, point),
            marks[point],
            (*base.keys, *(again.keys if again else ()), *row.keys),
        )


def _award(row: StoredAsked, point: str) -> float | None:
    said = row.outcome.get(point)
    return None if said is None else said.award
