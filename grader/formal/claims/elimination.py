"""The option that is left when all others are excluded: "that leaves B", "only B remains"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.answer.candidates import Candidate, Reading
from grader.answer.marks import Rank
from grader.formal.claims.options import Letters, Options

_LEAVES = re.compile(
    r"\b(?:(?:which|that|this|it)[ ](?:only[ ])?(?:leaves|left)|leaving)(?:[ ]us)?(?:[ ]with)?[ ]"
    r"(?:only[ ]|just[ ])?(?:the[ ])?"
    r"(?:(?:option|choice|answer|statement|structure)s?[ ])?[(\[\"']{0,2}$",
    re.I,
)
_ENDS = re.compile(
    r"[)\]\"'*]{0,3}(?:[ ]as the (?:only )?(?:correct |right )?(?:answer|option|choice|one))?[ ]?"
    r"(?:[.,;!\n]|\Z)"
)
_REMAINS = re.compile(
    r"[)\]\"'*]{0,3}[ ](?:alone[ ])?"
    r"(?:remains|is (?:all that is |the only (?:one|option|choice) )?left|is what(?:'s| is) left)"
    r"(?=\W{0,3}(?:\Z|\n|[A-Z]))"
)
_CHOSEN = re.compile(r"\b(?:cho[os]s?e|pick|select|go with|prefer|answer|correct|right|true|best)\b", re.I)
"""Words that may have chosen an option before."""
_REACH = 60


def left_over(
    reading: Reading, options: Options, found: Sequence[Candidate[Letters]]
) -> Candidate[Letters] | None:
    """The last option named, if it is said to be left after all others, of which none was chosen."""
    last = max(found, key=lambda item: item.plain, default=None)
    if last is None or options.multiple or len(last.value) != 1 or last.doubt:
        return None
    earlier = [item for item in found if item is not last]
    others = frozenset[str]().union(*(item.value for item in earlier))
    if others != frozenset(options.letters) - last.value:
        return None
    plain, (start, end) = reading.text.plain, last.plain
    leaves = _ENDS.match(plain, end) and _LEAVES.search(plain, max(0, start - _REACH), start)
    concluded = any(reading.placed(item).rank >= Rank.CONCLUDED for item in earlier)
    chosen = concluded or _CHOSEN.search(plain, 0, start)
    return last if not chosen and (leaves or _REMAINS.match(plain, end)) else None
