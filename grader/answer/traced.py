"""Text under rewriting that never forgets which raw characters it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from grader.answer.cover import Cover

Piece = str | tuple[int, int]
"""A literal, or a span of the current text that is kept."""


class Traced:
    """Text under rewriting: each character with the raw span it stands for."""

    def __init__(self, raw: str) -> None:
        self.text = raw
        self.starts: Sequence[int] = range(len(raw))
        self.ends: Sequence[int] = range(1, len(raw) + 1)

    def sub(
        self,
        pattern: re.Pattern[str],
        pieces: Callable[[re.Match[str]], Sequence[Piece]],
        outside: Cover | None = None,
    ) -> bool:
        """Rewrite every match by its pieces, outside of some raw spans; True if anything matched."""
        out: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0

        def keep(start: int, end: int) -> None:
            out.append(self.text[start:end])
            starts.extend(self.starts[start:end])
            ends.extend(self.ends[start:end])

        for match in pattern.finditer(self.text):
            if (
                outside
                and match.end() > match.start()
                and outside.touches(self.starts[match.start()], self.ends[match.end() - 1])
            ):
                continue
            keep(at, match.start())
            low, high = match.span()
            at = high
            for piece in pieces(match):
                if isinstance(piece, tuple):
                    keep(*piece)
                elif piece and low < high:
                    out.append(piece)
                    starts.extend([self.starts[low]] * len(piece))
                    ends.extend([self.ends[high - 1]] * len(piece))
        if at == 0 and not out:
            return False
        keep(at, len(self.text))
        self.text, self.starts, self.ends = "".join(out), starts, ends
        return True


def drop(match: re.Match[str]) -> tuple[Piece, ...]:
    """Leave nothing of a match."""
    return ()


def keep_group(match: re.Match[str]) -> tuple[Piece, ...]:
    """Leave the first group that took part."""
    return (match.span(match.lastindex or 0),)


def literal(text: str) -> Callable[[re.Match[str]], tuple[Piece, ...]]:
    """Leave a fixed text."""
    return lambda match: (text,)
