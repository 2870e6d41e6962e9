"""What a clause of a rubric says about marks: deduction, veto, lesser award, or an option.

Cue words also occur in plain chemistry ("receives no light", "an ortho or
para product"), so a clause is a modifier only where cue words meet an amount,
a word for credit, or each other; inside the bracket of a mark one is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grader.problem.rubric.clause import Clause, clauses
from grader.problem.rubric.marks import Piece, number
from grader.problem.rubric.options import options_of

Act = Literal["deduction", "veto", "note", "lesser", "discretion", "flags"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """What one clause changes."""

    act: Act
    start: int
    end: int
    flags: frozenset[str] = frozenset()
    marks: float = 0.0
    """The marks of a deduction (above 0), or of a lesser or discretionary award."""
    each: bool = False
    once: bool = False
    max: float | None = None


def modifiers(pieces: Sequence[Piece], inside: bool = False) -> list[Modifier]:
    """What a sentence, or the tail of a mark where ``inside``, changes; empty for plain text."""
    whole = Clause(pieces)
    taken = [] if whole.forgiven else whole.taken()
    if taken:
        return [*_deductions(whole, taken), *_rest_of_scheme(pieces)]
    found = [_modifier(Clause(clause), inside) for clause in clauses(pieces, "SEMI")]
    return _merged([modifier for modifier in found if modifier])


def _merged(found: list[Modifier]) -> list[Modifier]:
    """Notes of one sentence are one note."""
    if len(found) < 2 or any(modifier.act not in ("note", "flags") for modifier in found):
        return found
    act: Act = "note" if any(modifier.act == "note" for modifier in found) else "flags"
    flags = frozenset().union(*(modifier.flags for modifier in found))
    return [Modifier(act, found[0].start, found[-1].end, flags)]


def _deductions(clause: Clause, taken: list[tuple[int, Piece]]) -> list[Modifier]:
    """One deduction for each amount taken off, each with the words up to the next."""
    cap = next((piece for piece in clause.pieces if piece.kind == "stated" and piece.has("CAP")), None)
    amounts = [(at, piece) for at, piece in taken if piece is not cap] or taken
    found: list[Modifier] = []
    for order, (_, piece) in enumerate(amounts):
        start = clause.start if order == 0 else found[-1].end
        end = _cut(clause, piece, amounts[order + 1][1]) if order + 1 < len(amounts) else clause.end
        within = Clause([inner for inner in clause.pieces if start <= inner.start < end])
        found.append(
            Modifier(
                "deduction",
                start,
                end,
                frozenset({"deduction"} | options_of(within, True) & {"unit", "sig_figs"}),
                piece.value,
                each=piece.each or within.some("EACH"),
                once=within.some("ONCE"),
                max=_cap(clause),
            )
        )
    return found


def _cut(clause: Clause, piece: Piece, later: Piece) -> int:
    """Where the words of one deduction end and those of the next begin."""
    between = [inner for inner in clause.pieces if piece.end <= inner.start < later.start]
    stops = [inner.end for inner in between if inner.kind in ("COMMA", "SEMI", "AND")]
    return stops[-1] if stops else piece.end


def _cap(clause: Clause) -> float | None:
    """The limit that a clause states: "at most 4", "2 points at most"."""
    for at, piece in enumerate(clause.pieces):
        if piece.kind == "stated" and piece.has("CAP"):
            return piece.value
        if piece.kind == "CAP":
            for beside in clause.pieces[at + 1 : at + 2] + clause.pieces[max(0, at - 1) : at]:
                count = number(beside)
                if count or beside.kind == "stated":
                    return float(count or beside.value)
    return None


def _rest_of_scheme(pieces: Sequence[Piece]) -> list[Modifier]:
    """A veto that stands in the same sentence as deductions, after a semicolon."""
    vetoes = [_modifier(Clause(clause), False) for clause in clauses(pieces, "SEMI")]
    return [modifier for modifier in vetoes if modifier and modifier.act == "veto"]


def _modifier(clause: Clause, inside: bool) -> Modifier | None:
    """What one clause changes, the strongest reading first."""
    options = options_of(clause, inside)
    act = _act(clause, options, inside)
    if act is None:
        return None
    kind, flags = act
    top = max((piece.value for piece in clause.pieces if piece.kind in ("stated", "range")), default=0.0)
    return Modifier(kind, clause.start, clause.end, frozenset(flags), top)


def _act(clause: Clause, options: set[str], inside: bool) -> tuple[Act, set[str]] | None:
    if clause.some("formula") and (inside or clause.some("AWARD", "GIVE", "UNIT")):
        return "flags", {"formula", "partial"}
    if clause.forgiven:
        return "note", _forgiven(clause, options)
    if any(piece.has("FLOOR") for _, piece in clause.amounts()):
        return "note", {"floor"}
    if clause.some("range") and (clause.some("DISCRETION", "AWARD") or inside):
        return "discretion", {"discretion"}
    if clause.some("DISCRETION"):
        return "note", {"discretion"}
    if clause.some("WHOLE"):
        return "note", {"all_or_nothing"}
    if clause.some("FORFEIT"):
        return "veto", {"veto"}
    if clause.denied:
        return _denial(clause, options, inside)
    if clause.near("ONLY", "IF", 1) and clause.reaches_back and not clause.some("ALL", "BOTH"):
        return "veto", {"veto", "dependent"}
    if "all_or_nothing" not in options and _lesser(clause, inside):
        return "lesser", {"partial"} | options & {"unit", "sig_figs"}
    if clause.some("PARTIAL"):
        return "note", {"partial"}
    return ("note", options) if options and not clause.amounts() else None


def _forgiven(clause: Clause, options: set[str]) -> set[str]:
    """A mistake that costs nothing: carried forward, beyond the first n, or an accepted variant."""
    special = options & {"first_n", "sig_figs", "stereo_waived", "follow_through"}
    if clause.some("WRONG") and clause.some("SOUND", "EARLIER", "AGAIN", "FROM"):
        return special | {"follow_through"}
    return special if special or clause.some("WRONG") else {"accepted"}


def _denial(clause: Clause, options: set[str], inside: bool) -> tuple[Act, set[str]]:
    """A condition makes it a veto; a named answer that earns nothing is guidance."""
    if options & {"stereo_required", "stereo_relative"}:
        return "note", {"stereo_required"}
    if clause.reaches_back:
        return "veto", {"veto", "dependent"}
    if clause.some("UNITS", "FIGURES"):
        option = {"unit" if clause.some("UNITS") else "sig_figs"}
        return ("note", option) if inside else ("veto", {"veto"} | option)
    if clause.some("IF", "UNLESS", "WITHOUT"):
        return "veto", {"veto"}
    return "note", {"not_accepted"}


def _lesser(clause: Clause, inside: bool) -> bool:
    """Whether an amount is a smaller award for a flawed answer."""
    if not clause.amounts() or any(piece.total for _, piece in clause.amounts()):
        return False
    if clause.near("ONLY", "IF", 0) or any(piece.each for _, piece in clause.amounts()):
        return False
    flawed = clause.some("WITHOUT", "WRONG", "ONLY", "PARTIAL", "IF", "ALT", "UNLESS")
    return inside or flawed
