"""A run of words, and the questions that cues ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.problem.rubric.marks import Piece, flat

REACH = 4
"""How many words may part a verb from its amount."""


class Clause:
    """A run of pieces, with the questions that cues ask of it."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = [piece for piece in flat(pieces) if piece.kind not in ("STOP", "NEWLINE")]
        self.kinds = {piece.kind for piece in self.pieces}
        self.start, self.end = (pieces[0].start, pieces[-1].end) if pieces else (0, 0)

    def some(self, *kinds: str) -> bool:
        """Whether a piece of one of these kinds occurs."""
        return not self.kinds.isdisjoint(kinds)

    def every(self, *kinds: str) -> bool:
        """Whether pieces of all these kinds occur."""
        return self.kinds.issuperset(kinds)

    def near(self, first: str, second: str, gap: int = 2) -> bool:
        """Whether ``second`` follows ``first`` with at most ``gap`` words between."""
        places = [at for at, piece in enumerate(self.pieces) if piece.kind == first]
        return any(piece.kind == second for at in places for piece in self.pieces[at + 1 : at + 2 + gap])

    def amounts(self) -> list[tuple[int, Piece]]:
        """The stated amounts above 0, with their places."""
        return [(at, piece) for at, piece in enumerate(self.pieces) if piece.kind == "stated" and piece.value]

    def taken(self) -> list[tuple[int, Piece]]:
        """The amounts that are taken off."""
        return [(at, piece) for at, piece in self.amounts() if self._taken(at)]

    def _taken(self, at: int) -> bool:
        before = [piece.kind for piece in self.pieces[max(0, at - REACH) : at]]
        after = [piece.kind for piece in self.pieces[at + 1 : at + 1 + REACH]]
        if "stated" in before:
            before = before[len(before) - before[::-1].index("stated") :]
        if "stated" in after:
            after = after[: after.index("stated")]
        return bool({"DEDUCT", "LESS", "SIGN"} & set(before)) or bool({"DEDUCT", "LESS"} & set(after[:3]))

    @property
    def denied(self) -> bool:
        """Whether credit is denied: "earns nothing", "no credit", "is not accepted"."""
        nothing = self.every("NOTHING", "AWARD") or any(
            piece.kind == "NOTHING" and " " in piece.text for piece in self.pieces
        )
        return nothing or self.near("NO", "ACCEPT") or self.near("NO", "CREDIT", 1) or self._uncounted

    @property
    def _uncounted(self) -> bool:
        spelled = {piece.text.lower() for piece in self.pieces if piece.kind == "AWARD"}
        return self.near("NO", "AWARD") and bool(spelled & {"credited", "awarded", "rewarded"})

    @property
    def forgiven(self) -> bool:
        """Whether a deduction is denied: "costs nothing", "is not penalised"."""
        return (
            self.near("DEDUCT", "NOTHING", 1)
            or self.near("NO", "DEDUCT", 2)
            or self.near("NOTHING", "DEDUCT", 2)
            or self.near("WITHOUT", "DEDUCT", 0)
        )

    @property
    def waived(self) -> bool:
        """Whether a demand is denied: "is not required", "need not be shown", "are not marked"."""
        needless = any(piece.kind == "NO" and piece.text.lower().startswith("need") for piece in self.pieces)
        return needless or self.near("NO", "MUST", 3) or self.near("NO", "JUDGED", 3)

    @property
    def reaches_back(self) -> bool:
        """Whether credit hangs on another answer being right."""
        return (
            self.every("RIGHT", "WRONG")
            or self.every("REASON", "CHOICE")
            or (self.some("CHOICE", "EARLIER") and self.some("WRONG", "RIGHT"))
        )


def clauses(pieces: Sequence[Piece], *separators: str) -> Iterator[tuple[Piece, ...]]:
    """Runs between separators; a separator stays with the run that it closes."""
    run: list[Piece] = []
    for piece in pieces:
        run.append(piece)
        if piece.kind in separators:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
