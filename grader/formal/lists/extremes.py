"""Three items put in order by what a text calls each: the most, the least, and what comes between."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.answer.stance import Discourse, Stance
from grader.formal.lists.anchors import Anchor
from grader.formal.lists.direction import extreme, property_in
from grader.formal.lists.runs import Run

_APPOSED = r"(?:,\s[^,.;:\n]{1,40},)?"
_CALLED = re.compile(
    rf"{_APPOSED}\s(?:is|are)\s(?:by far\s|clearly\s|thus\s|therefore\s)?(?:the\s)?"
    r"(?P<said>(?:(?:most|least)\s[a-z]{3,20}|[a-z]{3,12}est)"
    r"(?:\s(?!because|since|for|and|but|due|among|with)[a-z]{3,20})?)\b(?!\sof\s(?:the\s)?two\b|\s?\?)"
)
_BETWEEN = re.compile(
    rf"{_APPOSED}\s(?:(?:comes|is|follows)\snext\b|(?:is|are)\sintermediate\b"
    r"|(?:lies|is|falls|comes|sits|ranks|stands)\s(?:somewhere\s)?(?:in[ -]between|in the middle)\b)"
)

_SUPPOSES = re.compile(r"\b(?:if|unless|would|could|might|may)\b", re.I)


def by_extremes(plain: str, anchors: Sequence[Anchor], discourse: Discourse) -> Run | None:
    """The ascending order of three items that a text places, each once and firmly; None where it doesn't."""
    called = [(one, _CALLED.match(plain, one.end)) for one in anchors]
    ends = [(extreme(match["said"]), property_in(match["said"]), one) for one, match in called if match]
    middle = [one for one in anchors if _BETWEEN.match(plain, one.end)]
    if [way for way, _, _ in sorted(ends, key=lambda end: end[0])] != [-1, 1] or len(middle) != 1:
        return None
    (_, lowest, low), (_, highest, high) = sorted(ends, key=lambda end: end[0])
    members = (low, middle[0], high)
    start, end = min(one.start for one in members), max(one.end for one in members)
    firm = all(discourse.stance(one.start, one.end)[0] is Stance.ASSERTED for one in members)
    said = plain[discourse.sentences.at(start)[0] : discourse.sentences.at(end)[1]]
    if lowest != highest or not firm or _SUPPOSES.search(said) or any(start < at for at in discourse.turns):
        return None
    return Run(members, ("<", "<"), start, end, notes=("", "", ""), of=lowest)
