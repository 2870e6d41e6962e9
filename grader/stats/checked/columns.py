"""The columns of the frames of checked points."""

from __future__ import annotations

PLACE = ["model", "protocol", "mode", "problem_id", "sub_id", "sample", "run", "response", "point_id"]
"""What names a point of an answer."""

POINTS = [
    *PLACE,
    "tags",  # of the subquestion, a tuple
    "shape",  # point, deduction, veto
    "kind",  # of its check; None: flexible
    "points",  # what it is worth, in marks; below 0 of a deduction, nan of a veto
    "track",  # whose decision is checked: formal, located, judge
    "by",  # "formal:<kind>@<version>" or "judge:<card>@<hash>"
    "status",  # the machine's, human marks left out
    "award",  # the machine's, in [0, 1]; nan: undetermined; a provisional judge's is here and in no marks
    "confidence",  # nan where none was given
    "flags",  # joined by commas
    "doubted",  # routed to triage at some time under the run's last grading
    "stratum",  # of the spot check; None where nothing decided or it isn't sampled
    "rate",  # with which its stratum is drawn; nan where that isn't known
    "drawn",  # in the spot check, and still about today's point, answer and decision
    "human",  # people's award: adjudicated, else the mean of blind marks; nan: nobody marked
    "people",  # how many marked it blind
    "disagree",  # people's blind marks differ
    "graded",  # marks by ``award``: see grader.stats.correction.sample; nan where it isn't in the score
    "marked",  # marks by ``human``; nan where nobody marked
]

ANSWERS = [
    *PLACE[:-1],
    "full_mark",
    "earned",  # as graded, human marks left out; an open point adds and takes nothing
    "open",  # marks that hang on undetermined points: high minus low
    "rest",  # ``earned`` minus the sum of its points' ``graded``
    "interacting",  # points act on each other: groups, deductions, vetoes, more points than marks
    "settled",  # marks that people's marks add where neither code nor judge decided
    "still_open",  # as ``open``, once those are added
]

RATINGS = [
    *PLACE,
    "person",
    "award",  # nan: could not say
    "kind",  # of the review item (triage, spot_check, second, adjudication, gold, dispute), or file
    "blind",  # given before the standing verdict was shown
    "gold",  # the award that is known to be right; nan where none is
    "seconds",  # nan where not timed
]
