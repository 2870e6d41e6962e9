"""Options that a clause sets on the answer beside it: stereo, tolerance, figures, completeness."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from grader.problem.rubric.clause import REACH, Clause
from grader.problem.rubric.marks import Piece, number


def options(pieces: Sequence[Piece]) -> set[str]:
    """The flags of the conditions that a sentence about marks carries itself."""
    return options_of(Clause(pieces), inside=False)


def options_of(clause: Clause, inside: bool) -> set[str]:
    """The options that a clause sets, by their flags."""
    found = _stereo(clause, inside) | _figures(clause, inside)
    if clause.some("FIRST") and _counted_first(clause):
        found.add("first_n")
    if clause.some("FOLLOW") or (
        clause.every("WRONG", "EARLIER") and clause.some("ACCEPT", "CREDIT", "FULL", "AWARD")
    ):
        found.add("follow_through")
    if _tolerance(clause, inside):
        found.add("tolerance")
    elif _complete(clause, inside):
        found.add("all_or_nothing")
    elif not found and not clause.some("NO") and _accepts(clause, inside):
        found.add("accepted")
    return found


def _stereo(clause: Clause, inside: bool) -> set[str]:
    if not clause.some("STEREO", "MIRROR", "RELATIVE") or not (clause.some("STEREO", "MIRROR") or inside):
        return set()
    if clause.some("IGNORE") or clause.waived:
        return {"stereo_waived"}
    firm = clause.some("MUST") and (
        inside or clause.some("RIGHT", "DRAWING", "SHOWN") or clause.pieces[-1].kind == "MUST"
    )
    if firm or clause.denied or clause.near("NO", "ACCEPT"):
        return {"stereo_required"}
    counts = any(piece.kind == "GIVE" and piece.text.lower().startswith("count") for piece in clause.pieces)
    if clause.some("MIRROR") and (counts or clause.some("AWARD", "ACCEPT", "ENOUGH", "FULL")):
        return {"stereo_relative"}
    if clause.some("RELATIVE") and clause.some("ONLY", "JUDGED", "ENOUGH", "ACCEPT"):
        return {"stereo_relative"}
    return set()


def _figures(clause: Clause, inside: bool) -> set[str]:
    """Significant figures and units, demanded or waived."""
    verdict = clause.some("MUST", "JUDGED", "IGNORE", "WITHOUT", "DEDUCT", "LESS") or clause.denied
    found = {"sig_figs"} if clause.some("FIGURES") and (verdict or inside) else set()
    if clause.some("UNITS") and (verdict and (inside or not clause.some("WITHOUT") or clause.denied)):
        found.add("unit")
    return found


def _counted_first(clause: Clause) -> bool:
    """Whether only the first n answers are considered."""
    return clause.some("ONLY", "BEYOND", "JUDGED") and any(
        piece.kind == "FIRST" and number(after) is not None for piece, after in pairwise(clause.pieces)
    )


def _tolerance(clause: Clause, inside: bool) -> bool:
    """Whether a range of values is right: "7.0 to 7.4 is right", "± 0.2 allowed", "any value 12–14"."""
    numbers = [at for at, piece in enumerate(clause.pieces) if piece.kind in ("NUMBER", "MATH")]
    if not numbers:
        return False
    accepted = clause.some("ACCEPT", "FULL", "ENOUGH") or clause.every("GIVE", "RIGHT")
    ranged = clause.some("BETWEEN") or _ranges(clause.pieces) or _latex_range(clause)
    return (clause.some("WITHIN") and (inside or accepted)) or (accepted and ranged)


def _ranges(pieces: list[Piece]) -> bool:
    triples = zip(pieces, pieces[1:], pieces[2:], strict=False)
    plain = any((a.kind, c.kind) == ("NUMBER", "NUMBER") and b.kind in ("TO", "DASH") for a, b, c in triples)
    # A unit may stand after the first number too: "156 ℃ to 160 ℃".
    return plain or any(
        piece.kind in ("TO", "DASH")
        and any(before.kind == "NUMBER" for before in pieces[max(0, at - 3) : at])
        and any(after.kind == "NUMBER" for after in pieces[at + 1 : at + 2])
        for at, piece in enumerate(pieces)
    )


def _latex_range(clause: Clause) -> bool:
    maths = [piece for piece in clause.pieces if piece.kind == "MATH"]
    return len(maths) == 2 and (clause.near("MATH", "TO", 0) or clause.near("MATH", "DASH", 0))


def _complete(clause: Clause, inside: bool) -> bool:
    """Whether only the complete answer is credited."""
    if clause.near("ONLY", "IF", 1) and clause.some("ALL", "BOTH"):
        return True
    if clause.some("ALL", "BOTH") and clause.some("MUST") and (inside or clause.some("RIGHT")):
        return True
    if clause.near("ONLY", "ALL", 3) and clause.some("AWARD", "CREDIT", "ACCEPT", "RIGHT"):
        return inside or clause.some("AWARD", "CREDIT", "ACCEPT") or bool(clause.amounts())
    if clause.every("FOR", "ALL", "RIGHT") and (inside or clause.amounts()):
        return True
    return inside and clause.some("ALL") and clause.some("RIGHT")


def _accepts(clause: Clause, inside: bool) -> bool:
    """Whether a further answer, or another wording, is accepted."""
    if clause.near("ACCEPT", "COLON", REACH):
        return False
    if inside:
        return (
            clause.some("ACCEPT", "ENOUGH", "FULL", "EQUIV")
            or clause.every("ALSO", "AWARD")
            or clause.every("ALSO", "GIVE")
        )
    if clause.some("FULL") and not clause.amounts():
        return True
    accepted = [piece.text.lower() for piece in clause.pieces if piece.kind == "ACCEPT"]
    # "The equation is correct" says nothing about a further answer.
    firm = [text for text in accepted if not text.startswith(("is ", "are ")) or len(text.split()) > 2]
    if clause.some("ALSO", "EQUIV", "ANY") and (firm or clause.some("ENOUGH")):
        return True
    return any(text.startswith(("accepta", "accepted", "will", "counts", "admiss", "toler")) for text in firm)
