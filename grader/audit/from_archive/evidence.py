"""A12: whether a judge's quotes are in the answers, and whether verdicts without a quote are worse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from grader.audit.from_archive.labels import labels
from grader.audit.from_archive.quotes import quotes
from grader.audit.result import Audit, Case, Measure, NotAudited
from grader.audit.shares import adjusted, against_the_rest, by_value, coefficient, difference, share
from grader.audit.words import percent, signed
from grader.stats.agreement.additive import pearson
from grader.stats.agreement.resampling import Additive, cluster_bootstrap

if TYPE_CHECKING:
    from grader.stats.checked import Checked

ID = "A12"
TOLERATED = 0.05
"""Share of credits without evidence above which, surely, a judge is said to be at fault."""
LEAST_VERDICTS, LEAST_PROBLEMS = 100, 30
LEAST_MARKED = 10
"""Marked verdicts with, and without, a violation before their errors are compared."""

_KINDS = {
    "exact": "quoted verbatim",
    "folded": "quoted verbatim but for typography",
    "absent": "quoted what isn't there",
    "none": "quoted nothing",
}
_PLACE = ["response", "sub_id", "point_id"]
_VIOLATION = "credit without evidence"


def evidence(checked: Checked, judge: str, *, level: float = 0.95, seed: int = 0) -> Audit | NotAudited:
    """What the standing verdicts of ``judge`` (``<card>@<hash>``) rest on: all of them, no sample.

    A violation is a credit (met or partial; of a deduction or veto its being
    taken) whose quote is missing or isn't in what the judge was shown. Shares
    with intervals over problems, by verdict and graded model; models against each
    other with Holm's p. Where people marked the spot check, the error rate of
    verdicts with a violation minus that of other credits, weighted by inverse rates, and the correlation of
    the two; ``seed`` draws its resamples of problems.
    """
    if judge == "formal":
        why = "code takes its findings from the answer by offsets, so it has no quotes to be checked"
        return NotAudited(ID, judge, why, "Name a judge card.")
    rows = pd.DataFrame([asdict(one) for one in quotes(checked.source, judge)])
    if rows.empty:
        why = "no verdict of the judge stands"
        return NotAudited(ID, judge, why, f"Grade a run with it: argus grade RUN --judge {_card(judge)}.")
    rows["credit"] = rows["award"] > 0
    rows["hit"] = rows["credit"] & rows["kind"].isin(["absent", "none"])
    credits = rows[rows["credit"]]
    overall = _overall(share(credits, _VIOLATION, level=level))
    tests = list(against_the_rest(credits, "model", _VIOLATION, level=level))
    marked = _marked(checked, judge, credits)
    errors = _errors(marked, level)
    (*compared,) = adjusted([*tests, *([errors] if errors else [])], level)
    measures = [
        overall,
        *_kinds(rows, level),
        *by_value(credits, "model", _VIOLATION, level=level),
        *compared,
        *_together(marked, level, seed),
        *_counts(rows),
    ]
    return Audit(
        ID,
        judge,
        tuple(measures),
        says=tuple(_says(measures)),
        notes=tuple(_notes(rows, errors)),
        cases=tuple(_cases(rows)),
        level=level,
        indicative=len(credits) < LEAST_VERDICTS or credits["problem_id"].nunique() < LEAST_PROBLEMS,
    )


def _card(judge: str) -> str:
    return judge.partition("@")[0]


def _overall(found: Measure) -> Measure:
    return replace(found, flagged=found.low is not None and found.low > TOLERATED)


def _kinds(rows: pd.DataFrame, level: float) -> Iterator[Measure]:
    """How often each kind of quote stands behind each verdict, and behind the credits of each model."""
    groups = [(f"verdict {one}", rows[rows["status"] == one]) for one in ("met", "partial", "not_met")]
    models = sorted(rows["model"].unique())
    for model in models if len(models) > 1 else ():
        groups.append((f"credits, model {model}", rows[rows["credit"] & (rows["model"] == model)]))
    for of, given in groups:
        for kind, said in _KINDS.items() if len(given) else ():
            yield share(given.assign(hit=given["kind"] == kind), said, of=of, level=level)


def _marked(checked: Checked, judge: str, credits: pd.DataFrame) -> pd.DataFrame:
    """The credits that people marked at random: ``bad`` (a violation), ``hit`` (the error), ``weight``.

    Empty where too few have a violation, or none, to compare them.
    """
    marked = labels(checked, judge).marked
    both = credits.merge(marked[[*_PLACE, "weight", "right"]], on=_PLACE, how="inner")
    bad = both["hit"].to_numpy(bool)
    both = both.assign(bad=bad, hit=1 - both["right"].astype(float))
    return both if min(bad.sum(), (~bad).sum()) >= LEAST_MARKED else both[:0]


def _errors(marked: pd.DataFrame, level: float) -> Measure | None:
    """The error rate of credits with a violation minus that of the others; None where too few are marked."""
    if marked.empty:
        return None
    bad = marked["bad"].to_numpy(bool)
    return difference(marked[bad], marked[~bad], "error rate", of="without evidence minus with", level=level)


def _together(marked: pd.DataFrame, level: float, seed: int) -> Iterator[Measure]:
    """How far missing evidence and errors go together, over credits: weighted, problem bootstrap."""
    if marked.empty:
        return
    found = pearson(marked["bad"].to_numpy(float), marked["hit"].to_numpy(float))
    weighed = Additive(found.parts * marked["weight"].to_numpy(float)[:, None], found.of)
    problem = pd.factorize(marked["problem_id"], sort=True)[0].astype(np.intp)
    (one,) = cluster_bootstrap([weighed], problem, level=level, seed=seed)
    yield coefficient("correlation of missing evidence and error", one, n=len(marked), level=level)


def _counts(rows: pd.DataFrame) -> Iterator[Measure]:
    off = int(rows["misplaced"].sum())
    yield Measure("kept offsets that don't hold the quote", off, "count", n=len(rows), flagged=off > 0)
    yield Measure(
        "quoted from another part of the response", int(rows["elsewhere"].sum()), "count", n=len(rows)
    )


def _says(measures: list[Measure]) -> Iterator[str]:
    for one in measures:
        if not one.flagged or one.value is None:
            continue
        if one.name == _VIOLATION and not one.of:
            yield f"{percent(one.value)} of the judge's credits rest on no quote of the answer."
        elif one.name == _VIOLATION:
            yield f"Credits without evidence, {one.of}: {signed(one.value)} percentage points."
        elif one.name == "error rate":
            yield f"Error rate of credits, {one.of} evidence: {signed(one.value)} percentage points."
        else:
            yield f"{one.value:g} quotes don't stand where the archive says."


def _notes(rows: pd.DataFrame, errors: Measure | None) -> Iterator[str]:
    yield (
        "folded: equal after Unicode's composed form, single white space, plain dashes and quotation marks; "
        "a piece of a number, a word or a formula is not a quote of it"
    )
    kept = int(rows["request"].isna().sum())
    if kept:
        yield (
            f"of {kept} verdicts the reply isn't archived: they are judged by the quote that was kept, "
            "which is always in the answer's own characters"
        )
    if errors is None:
        yield (
            "too few verdicts with, or without, a violation were marked in the spot check to compare their "
            f"errors (at least {LEAST_MARKED} of each)"
        )


def _cases(rows: pd.DataFrame) -> Iterator[Case]:
    for one in rows[rows["hit"] | rows["misplaced"]].itertuples():
        where = f"{one.problem_id}/{one.sub_id}/{one.point_id}, {str(one.response)[:12]}"
        quote = str(one.quote)
        said = f"{one.status}, but {_KINDS[str(one.kind)]}"
        if one.misplaced and not one.hit:
            said = "the kept offsets don't hold the quote"
        shown = f": {quote[:200]!r}" if quote else ""
        yield Case(where, f"{said}{shown}", (str(one.request),) if one.request else ())
