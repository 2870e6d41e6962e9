"""A place in a run of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from grader.formal.expressions.token import Token

_STARTS = ("number", "symbol", "function", "open", "fraction", "root")


class Cursor:
    """Goes through tokens; ``other``: each open place is read in its less usual way."""

    def __init__(self, tokens: Sequence[Token], euler: bool, *, other: bool) -> None:
        self.tokens = tokens
        self.euler = euler
        self.other = other
        self.at = 0

    def _peek(self, ahead: int = 0) -> Token | None:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def _is(self, kind: str, text: str = "", ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return token is not None and token.kind == kind and (not text or token.text == text)

    def _starts(self) -> bool:
        """Whether a factor starts here."""
        token = self._peek()
        return token is not None and token.kind in _STARTS
