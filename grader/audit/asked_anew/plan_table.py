"""A plan as people read it: what each audit asks, what that costs, and what it could find."""

from __future__ import annotations

from typing import Any

from grader.audit.asked_anew.plan import Plan, PlannedAudit
from grader.audit.asked_anew.pricing import Priced
from grader.audit.result import AUDITS
from grader.audit.words import percent
from grader.render.tables import Cell, Column, DataTable
from grader.render.words import counted
from grader.stats.flips import detectable_rise, detectable_share

SCHEMA_VERSION = 1
BASE_FLIPS = 0.03
"""Verdicts that are taken to flip by themselves, before anybody knows: what power is counted over."""
TOLERATED = 0.05
"""A share of changes or misses that is not yet called a fault: as in A6, A8 and A18."""

_HEADINGS = ("audit", "what it varies", "problems", "requests", "paid already", "at most", "would find")
_NUMERIC = ("problems", "requests", "paid already", "at most")


def plan_json(planned: Plan, priced: Priced, level: float = 0.95) -> dict[str, Any]:
    """Documented in docs/audits.md."""
    audits = [_audit_json(one, priced, level) for one in planned.audits]
    most = priced.most_cost
    return {
        "schema_version": SCHEMA_VERSION,
        "suite": planned.suite.label,
        "judge": planned.card.label,
        "runs": [run.name for run in planned.answers.runs],
        "requests": priced.calls,
        "cost_at_most": None if most is None else round(most, 9),
        "audits": audits,
    }


def _audit_json(one: PlannedAudit, priced: Priced, level: float) -> dict[str, Any]:
    name = one.design.audit
    estimate = priced.estimates[name].as_json()
    size, unit = one.size, _UNITS[name]
    least = _detectable(one, level)
    return {
        "id": name,
        "name": AUDITS[name],
        "design": one.design.hash,
        "unit": unit,
        "size": size,
        "short": one.short,
        "answers": one.answers,
        "problems": one.problems,
        "variants": len(one.wanted),
        "heard": len(one.wanted) - sum(1 for _ in one.open),
        "requests": estimate["calls"],
        "paid": priced.paid[name],
        "cost_at_most": estimate["cost_at_most"],
        "worst_requests": estimate["worst_calls"],
        "worst_cost": estimate["worst_cost"],
        "not_applicable": dict(sorted(one.unfit.items())),
        "detectable": least,
        "would_find": _would_find(name, least),
    }


_UNITS = {
    "A6": "answer",
    "A7": "pair",
    "A8": "pair",
    "A9": "answer",
    "A10": "answer",
    "A11": "answer",
    "A16": "point",
    "A18": "point",
}
_FOUND = {
    "A6": "{} of points changing",
    "A7": "{} more flips than on asking again",
    "A8": "{} of wrong answers keeping credit",
    "A9": "{} of answers gaining, in a family",
    "A10": "{} of answers raised",
    "A11": "{} more flips than on asking again",
    "A16": "{} of points moving one way",
    "A18": "{} of verdicts against code",
}


def _detectable(one: PlannedAudit, level: float) -> float | None:
    """The smallest share found with a power of 0.8, before any number is known; None: none would be."""
    points = sum(len(task.criteria) for task in {id(w.base): w.base.task for w in one.wanted}.values())
    n = {"A6": points, "A11": points}.get(one.design.audit, one.size)
    if not n:
        return None
    match one.design.audit:
        case "A6" | "A8" | "A18":
            return detectable_share(n, TOLERATED, level=level)
        case "A7" | "A11":
            return detectable_rise(n, BASE_FLIPS, level=level)
        case "A9":
            families = {w.variant.about["family"] for w in one.wanted}
            return detectable_rise(n, 0.0, level=1 - (1 - level) / len(families))
        case _:
            return detectable_rise(n, 0.0, level=level)


def _would_find(name: str, least: float | None) -> str:
    return "nothing at this size" if least is None else _FOUND[name].format(percent(least))


def plan_table(said: dict[str, Any]) -> DataTable:
    """The table of ``plan_json``."""
    rows = []
    for one in said["audits"]:
        size = counted(one["size"], one["unit"]) + (f" ({one['short']:,} short)" if one["short"] else "")
        texts = (
            f"{one['id']} {one['name']}",
            size,
            f"{one['problems']:,}",
            f"{one['requests']:,}",
            f"{one['paid']:,}",
            _dollars(one["cost_at_most"]),
            one["would_find"],
        )
        rows.append(tuple(Cell(text) for text in texts))
    columns = tuple(Column(heading, heading in _NUMERIC) for heading in _HEADINGS)
    title = f"Suite {said['suite']} for {said['judge']}"
    return DataTable("plan", title, columns, tuple(rows), tuple(_notes(said)))


def _notes(said: dict[str, Any]) -> list[str]:
    notes = [
        f"{counted(said['requests'], 'request')} to be sent, at most {_dollars(said['cost_at_most'])}; split "
        "votes and replies that have to be mended lead to more.",
        "A request that two audits share is counted for the first; what is paid already is not asked again.",
        f"Would find: with a power of 0.8, taking {percent(BASE_FLIPS)} of verdicts to flip by themselves.",
    ]
    for one in said["audits"]:
        if one["not_applicable"]:
            listed = "; ".join(f"{count:,} {why}" for why, count in one["not_applicable"].items())
            notes.append(f"{one['id']} not applicable: {listed}.")
    return notes


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.4f}"
