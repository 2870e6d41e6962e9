"""What a check takes as right, in words: a judge is to compare with what code compares with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.problem.checks import CheckModel, QuantityCheck
from grader.protocol.expected import readable, states

_LIBERTIES = {
    ("stereo", "ignore"): "whatever its configuration",
    ("stereo", "relative"): "as itself or its mirror image",
    ("tautomers", "same"): "in any tautomeric form",
    ("charge_state", "neutralise"): "in any state of protonation",
    ("isotopes", "ignore"): "whatever its isotopes",
    ("salts", "strip"): "with any counterion or none",
    ("charge", "ignore"): "whatever its charge",
    ("states", "required"): "with the states of matter",
    ("agents", "required"): "with what stands over the arrow",
    ("byproducts", "required"): "with every product",
    ("scale", "exact"): "with these very coefficients",
    ("sign", "either"): "with either sign",
    ("unit_required", False): "with or without its unit",
}
"""What options allow or demand, by name and value; what else an option says is the usual reading."""


def reference(check: CheckModel, texts: Sequence[str]) -> tuple[str, ...]:
    """What is to be known besides the rubric's own ``texts``: the right value where none states it, and how
    near an answer must come. At most one sentence; nothing of any answer.
    """
    how = ", ".join(_how(check))
    if not any(states(text, check) for text in texts):
        return (f"Right answer: {readable(check)}{f', {how}' if how else ''}.",)
    return (f"It counts {how}.",) if how else ()


def _how(check: CheckModel) -> Iterator[str]:
    if isinstance(check, QuantityCheck):
        yield from _near(check)
    for (name, value), said in _LIBERTIES.items():
        if getattr(check, name, None) == value:
            yield said


def _near(check: QuantityCheck) -> Iterator[str]:
    unit = "" if check.unit in (None, "dimensionless") else f" {check.unit}"
    given = [f"{100 * check.rel_tol:g} %"] if check.rel_tol is not None else []
    given += [f"{check.abs_tol:g}{unit}"] if check.abs_tol is not None else []
    if given:
        yield f"within {' or '.join(given)}"
    if check.sig_figs is not None:
        yield f"in {check.sig_figs} significant figures"
    elif not given:
        yield "within 1 % or half a unit of its last figure"
