"""Which reading of a quotation is meant: for JSON ``\\times`` begins with a tab, for a chemist it doesn't."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice, product

from grader.judge.evidence import locate, occurs

_ESCAPE = re.compile(r"""\\(?!u[0-9a-fA-F]{4}|["'])(.)""", re.S)
_READINGS = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\f": "\f", r"\b": "\b", r"\/": "/", r"\\": "\\"}
_READABLE = re.compile(r"""\\[ntrfb/\\]|["']""")
_ESCAPABLE = re.compile(r"[\n\t\r\f\b/\\]")
_MOST = 64
"""Mixed readings tried: six escapes."""


def literally(source: str) -> str:
    """The source of a document rewritten so that its strings keep their backslashes when it is read."""
    return _ESCAPE.sub(lambda escape: r"\\" + escape[1].replace("\\", r"\\"), source)


def settle(evidence: str, literal: Callable[[], str | None], answer: str) -> str:
    """The reading of a quotation that stands in the answer, the usual one where none does.

    ``evidence`` was read by JSON's rules, ``literal`` gives it with its backslashes.
    """
    accents = {mark: (mark, "\\" + mark) for mark in "\"'" if mark in evidence and "\\" + mark in answer}
    if not accents and not _ESCAPABLE.search(evidence):
        return evidence
    # A quotation seldom begins or ends with a line break, but often with a command.
    if evidence == evidence.strip() and _stands(evidence, answer):
        return evidence
    kept = literal()
    readings = [] if kept is None else list(islice(_readings(kept, accents), _MOST))
    whole = (reading for reading in readings if _stands(reading, answer))
    cut = (reading for reading in readings if _typed(reading, answer) and occurs(reading, answer))
    return next(chain(whole, cut), evidence)


def _stands(reading: str, answer: str) -> bool:
    """Whether a reading is found; white space at its ends was an escape, and has to be found too."""
    if not _typed(reading, answer) or locate(reading, answer) is None:
        return False
    return reading == reading.strip() or occurs(reading, answer)


def _typed(reading: str, answer: str) -> bool:
    """Nobody types a form feed or a backspace: unless the answer has it, it was an escape."""
    return not any(char in reading and char not in answer for char in "\f\b")


def _readings(kept: str, accents: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Each escape literal or read, in all combinations; all literal first.

    An escaped quotation mark was read already: ``accents`` has its readings where it may be LaTeX.
    """
    between = _READABLE.split(kept)
    escapes = _READABLE.findall(kept)
    read = {**{mark: (mark,) for mark in "\"'"}, **accents}
    for chosen in product(*(read.get(each) or (each, _READINGS[each]) for each in escapes)):
        yield between[0] + "".join(mark + text for mark, text in zip(chosen, between[1:], strict=True))
