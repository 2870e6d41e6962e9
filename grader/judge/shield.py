"""What a judge may read of an answer that was written to speak to the judge.

Three things happen, and nothing else: characters nobody sees are left out,
tokens that a chat template could take for structure get a look-alike in place
of their first character, and passages aimed at whoever grades are withheld.
Ordinary chemistry is shown byte by byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from grader.judge.hostile import addressed, disguised, forged, sections
from grader.judge.hostile.forged import SUBSTITUTES
from grader.judge.hostile.speech import WITHHELD
from grader.judge.hostile.unseen import Seen, seen, smuggled, without

__all__ = ["INJECTION", "SUBSTITUTES", "Shielded", "marker", "nonce", "readable", "shield"]

INJECTION = "injection_suspected"


@dataclass(frozen=True, slots=True)
class Shielded:
    """An answer as a judge reads it."""

    shown: str
    passages: tuple[tuple[int, int], ...]
    """What was withheld: sorted, disjoint offsets (code points) of the raw answer."""
    flags: tuple[str, ...]


@lru_cache(maxsize=128)  # a session reads it, and each prompt
def shield(text: str) -> Shielded:
    """The answer as a judge reads it, what was withheld from it, and whether it speaks to the judge."""
    read = seen(text)
    passages = _merged(text, _aimed(text, read))
    show = forged.neutral if read.text is text else readable
    shown: list[str] = []
    at = 0
    for start, end in passages:
        shown += show(text[at:start]), marker(end - start)
        at = end
    shown.append(show(text[at:]))
    return Shielded("".join(shown), passages, (INJECTION,) if passages else ())


def readable(text: str) -> str:
    """A text that isn't an answer, such as a quote or a reply: nothing withheld, but no structure in it."""
    return forged.neutral(without(text))


def _aimed(text: str, read: Seen) -> Iterator[tuple[int, int]]:
    """Raw spans of all that is aimed at the judge."""
    if read.text is not text:
        yield from smuggled(text)
    structure = [*forged.find(read.text), *sections.find(read.text), *disguised.find(read.text)]
    for start, end in (*structure, *addressed.find(read.text, structure)):
        yield read.raw_span(start, end)


def marker(length: int) -> str:
    """What stands in place of a withheld passage."""
    return WITHHELD.format(length)


def nonce(text: str) -> str:
    """16 hex digits that follow from the text and don't occur in it."""
    digits = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    while digits[:16] in text.lower():
        digits = hashlib.sha256(digits.encode()).hexdigest()
    return digits[:16]


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans without the white space at their ends, in order; those with only white space between are one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(_trimmed(text, *span) for span in spans):
        if merged and (start <= merged[-1][1] or text[merged[-1][1] : start].isspace()):
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    passage = text[start:end]
    return start + len(passage) - len(passage.lstrip()), end - len(passage) + len(passage.rstrip())
