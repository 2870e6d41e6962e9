"""Which reading of a quotation is meant: for JSON ``\\times`` begins with a tab, for a chemist it doesn't."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice, product

from grader.judge.evidence import locate, occurs

_ESCAPE = re.compile(r"""\\(?!u[0-9a-fA-F]{4}|["'])(.)""", re.S)
_READINGS = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\f": "\f", r"\b": "\b", r"\/": "/", r"\\": "\\"}
_READABLE = re.compile(r"\\[ntrfb/\\]")
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
    if not _ESCAPABLE.search(evidence):
        return evidence
    # A quotation seldom begins with a line break, but often with a command.
    if not evidence[0].isspace() and locate(evidence, answer):
        return evidence
    kept = literal()
    readings = [] if kept is None else list(islice(_readings(kept), _MOST))
    whole = (reading for reading in readings if locate(reading, answer))
    cut = (reading for reading in readings if occurs(reading, answer))
    return next(chain(whole, cut), evidence)


def _readings(kept: str) -> Iterator[str]:
    """Each escape literal or read, in all combinations; all literal first."""
    between = _READABLE.split(kept)
    escapes = _READABLE.findall(kept)
    for chosen in product(*((escape, _READINGS[escape]) for escape in escapes)):
        yield between[0] + "".join(mark + text for mark, text in zip(chosen, between[1:], strict=True))
