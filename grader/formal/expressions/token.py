"""The pieces that an answer is cut into before expressions are read from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "number",
    "symbol",
    "function",
    "op",
    "open",
    "close",
    "relation",
    "fraction",
    "root",
    "word",
    "stop",
    "edge",
    "bad",
]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an answer: ``raw[start:end]``."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool = False
    """White space stands before it."""
