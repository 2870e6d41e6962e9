"""Audits of imported marks that look at several values of one item: repeats, panels, people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.audit.imported.measures import (
    difference_measure,
    panel_measures,
    people_measures,
    repeat_measures,
    severity_measures,
    told,
)
from grader.audit.result import Audit, NotAudited
from grader.audit.shares import adjusted
from grader.render.words import counted
from grader.stats.agreement.agreement import people_agreement
from grader.stats.agreement.panel import panel
from grader.stats.agreement.ratings import Ratings
from grader.stats.agreement.repeats import repeats

PEOPLE = "people"
LEAST_REPEATED, LEAST_REPEATS = 100, 3
LEAST_JUDGES, LEAST_PANEL = 3, 200
GIVE_PEOPLE = "Add marks of people (kind human, or adjudicated) to the table."

Result = Audit | NotAudited


def retest_of(ratings: Ratings, judge: str, *, level: float, seed: int) -> Result:
    """A6, of the items that the judge's first run was asked about."""
    values = ratings.judge(judge)
    asked = ratings.asked_in(judge)
    held = asked.sum(axis=1) > 1
    found = repeats(values[held], ratings.cluster[held], level=level, seed=seed)
    if found is None:
        return NotAudited(
            "A6",
            judge,
            "it was asked once",
            "Ask for the same again, at least twice, and number the times in the column run.",
        )
    measures = tuple(repeat_measures(found, values[held], ratings.reference.verdict[held]))
    few = found.items < LEAST_REPEATED or found.runs < LEAST_REPEATS
    equal = measures[0]
    says = f"{counted(found.runs, 'repeat')}: the same outcome throughout on {told(equal, level)}."
    note = "Repeats that agree say nothing of whether they are right."
    return Audit("A6", judge, measures, (says,), (note,), level=level, indicative=few)


def panel_of(ratings: Ratings, judges: Sequence[str], *, level: float, seed: int) -> Result:
    """A14, of first runs on the items that all judges decided."""
    name = f"panel of {len(judges)}"
    if len(judges) < 2:
        why = f"a panel is of two judges or more, and the table has {len(judges) or 'none'}"
        return NotAudited("A14", name, why, "Add marks of other judges on the same items.")
    votes = ratings.panel(judges)
    found = panel(votes, ratings.reference.verdict, ratings.cluster, level=level, seed=seed)
    if found is None:
        return NotAudited(
            "A14", name, "no item has a value of every judge and a verdict of people", GIVE_PEOPLE
        )
    measures = tuple(panel_measures(found, judges, votes))
    left = int((~np.isnan(ratings.reference.verdict)).sum()) - found.items
    notes = [
        "The error of a judge is how far its value is from people's verdict; the best judge was "
        "chosen on the same items, so it looks a little too good.",
    ]
    if len(judges) > 2:
        notes.append(
            "Dawid and Skene's model takes errors as independent, which the correlation of errors speaks to: "
            "its accuracies are a diagnostic, and no measure of a judge."
        )
    if left:
        notes.append(f"{counted(left, 'item')} left out, for a judge gave no value.")
    few = len(judges) < LEAST_JUDGES or found.items < LEAST_PANEL
    correlation = measures[0]
    says = f"Errors of the judges go together: {told(correlation, level)}"
    if found.effective is not None:
        says += f"; {len(judges)} of them are worth {found.effective:.1f} that err apart"
    return Audit("A14", name, measures, (f"{says}.",), tuple(notes), level=level, indicative=few)


def people_of(ratings: Ratings, *, level: float, seed: int) -> Result:
    """A17: people among themselves, and how severe each is beside the others."""
    found = people_agreement(ratings.crowd, ratings.cluster, level=level, seed=seed)
    if found is None:
        return NotAudited(
            "A17", PEOPLE, "no item was rated by two people", "Let some items be marked twice, blindly."
        )
    measures = (
        *people_measures(found, ratings, level=level, seed=seed),
        *adjusted(
            [difference_measure(*one, level, of=of) for of, one in severity_measures(ratings)],
            level,
        ),
    )
    says = tuple(
        f"{one.of} is too {'lenient' if one.value > 0 else 'strict'} beside the others: {told(one, level)}."
        for one in measures
        if one.flagged and one.value is not None
    )
    return Audit("A17", PEOPLE, measures, says, level=level, indicative=found.indicative)
