"""Small tasks of known content: templates are tried on them, ``show`` shows them, ``probe`` asks them."""

from __future__ import annotations

from grader.judge.task import Criterion, JudgeFigure, JudgeTask, LocatorTask

_FIGURE = JudgeFigure(
    "Figure 1", "Plot of ln(A/A0) against time: a straight line with slope -0.0019 per s.", "0" * 64
)
_RUBRIC_FIGURE = JudgeFigure("Rubric figure 1", "The model drawing of the transition state.", "1" * 64)

_QUESTION = "(2) State the order of the reaction in A, give the rate constant, and say how you can tell."
_ANSWER = (
    "ln(A/A0) against t is a straight line, so the reaction is first order in A.\n"
    "Its slope gives k = 1.9e-3 s^-1."
)

TASK = JudgeTask(
    header="The decomposition of A was followed at 298 K.",
    question=_QUESTION,
    answer=_ANSWER,
    criteria=(
        Criterion("p1", 1, "First order in A"),
        Criterion(
            "p2",
            2,
            "Reason: the logarithmic plot is linear (1), which second order rules out (1)",
            partial=True,
        ),
    ),
)
"""What a probe asks: one point that is met, one that is met in part."""

FULL_TASK = JudgeTask(
    header=TASK.header,
    question=TASK.question,
    answer=TASK.answer,
    criteria=(
        *TASK.criteria,
        Criterion(
            "p3",
            1,
            "Takes a unit of k that isn't one of first order",
            shape="deduction",
            partial=True,
            terms=("It takes 0.5 marks each time, 1 at most.",),
        ),
        Criterion(
            "p4", 1, "Treats A as a catalyst", shape="veto", facts=("Nothing was found.",), expects=0.0
        ),
    ),
    part="(2)",
    before=("(1) Plot ln(A/A0) against time.",),
    lines=("Takes a unit of k that isn't one of first order: -0.5 each",),
    guidance=("Accept any correct argument from the plot.",),
    facts=("The rate constant was found as 1.9e-3 s^-1 and agrees with the expected value.",),
    figures=(_FIGURE,),
    rubric_figures=(_RUBRIC_FIGURE,),
)
"""A task with everything a task can have."""

BARE_TASK = JudgeTask(header="", question="Name CH4.", answer="", criteria=(Criterion("p1", 1, "Methane"),))
"""A task with nothing it can do without."""

LOCATOR_TASK = LocatorTask(
    header=TASK.header,
    question=TASK.question,
    answer=TASK.answer,
    point="The rate constant k",
    part="(2)",
    figures=(_FIGURE,),
)
BARE_LOCATOR_TASK = LocatorTask(header="", question="Name CH4.", answer="", point="The name")
