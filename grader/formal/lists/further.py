"""What a text still adds to a list behind its end: "A and B. Also C.", bullets, then "and C as well"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.answer.stance import Discourse
from grader.formal.lists.links import without_parentheses
from grader.formal.lists.runs import Run

_REACH = 120
"""How far behind a list a further item is looked for."""
_ALSO = (
    r"(?:and(?:\sso\s(?:is|are|does|do))?|plus|also|too|but also|as well as|in addition(?:\sto)?|"
    r"additionally|furthermore|further|"
    r"moreover|besides|likewise|similarly|along with|together with|accompanied by|alongside|"
    r"not to (?:forget|mention)|"
    r"finally|lastly|last but not least|on top of (?:that|this)|what is more)"
)
_SMALL = r"(?:then|also|as well|an?|the|some|little|(?:small|trace) amounts? of|traces? of)"
_ADDS = re.compile(
    rf"[\W_]{{0,6}}(?:\b{_ALSO}\b(?:,\s[a-z '’-]{{2,40}},)?[,:]?[\s\"'*(`$\\{{_—–-]{{0,6}}){{1,3}}"
    rf"(?:{_SMALL}\s){{0,2}}[\"'*(`$\\{{_\[-]{{0,4}}",
    re.I,
)
"""What may stand between a list and an item that is added to it, and nothing else."""
_NOTHING = re.compile(r"[\s,;.—–*_-]{0,6}(?:an?\s|the\s)?")
_TAIL = re.compile(
    r"[\"'*)`$}_\]]{0,4}(?:\s(?:ions?|groups?))?(?P<too>,?\s(?:as well|too|also|last(?:ly)?|in addition|"
    r"at the end))?"
    r"[\"'*)`$}_\].!]{0,4}\s{0,3}(?:$|(?<=[.!])\s|\n|;)",
    re.I,
)
"""What ends the clause of an item that is added without a verb of its own."""
_PRESENT = re.compile(
    r"[\W_]{0,4}(?:\s(?:ions?|groups?))?\s(?:(?:is|are|was|were|will be|must be)\s(?:(?:also|likewise|"
    r"still|formed|found|present|"
    r"there|included|in it|one|another|a (?:member|product|species|third|further)\w*|detected|produced|"
    r"obtained|"
    r"observed|needed|part)\b)|(?:also|likewise)\b|(?:forms?|appears?|occurs?|exists?|remains?|results?|"
    r"counts?|belongs?|"
    r"joins?|comes?|qualif\w+|works?|does|do)\b(?!\snot)|as well\b|too\b)",
    re.I,
)
"""What says of the subject of a clause that it is there, too."""
_THERE = re.compile(
    rf"(?:^|[.;:,\n(—–])[\W_]{{0,5}}(?:\b(?:{_ALSO})\b,?\s)?(?:(?:there|it|this|that|they|we|one|i|you|"
    rf"(?:the|this)\s[a-z]{{3,16}})\s"
    r"(?:(?:also|further|still|even|additionally)\s)?(?:(?:is|are|was|were|has|have|contains?|includes?|"
    r"holds?|finds?|gets?|"
    r"sees?|shows?|forms?|gives?)\s)?){0,1}(?:(?:also|further|still|even|additionally|a further|another)\s)?"
    r"(?:(?:contains?|includes?|shows?|gives?|add)\s)?"
    rf"(?:{_SMALL}\s){{0,2}}[\"'*(`$\\{{_\[-]{{0,4}}$",
    re.I,
)
_CUE = re.compile(rf"\b(?:{_ALSO}|as well|a further|another|with)\b", re.I)
_TOO = re.compile(
    r"\b(?:also|too|as well|moreover|furthermore|in addition|additionally|plus|likewise|besides)\b", re.I
)
_ELSE = re.compile(
    r"\b(?:because|since|as (?=the|it|this|an?\b)|whereas|while|whilst|if|when|where|which|who|that|"
    r"so(?! (?:is|are|does|do)\b)|thus|hence|therefore|not|no|"
    r"nor|never|none|without|than|unlike|except|excluding|instead|rather|only|whether|although|though|"
    r"however|n't|"
    r"from|in(?! addition)|of|by|at|on(?! top)|to(?! (?:forget|mention|this|that))|into|for|after|before|"
    r"under|via|between|per|through|over|"
    r"until|upon|like|means?|react\w*|equal\w*|due|e\.g|i\.e|namely)\b|n't|->|[=:?<>]",
    re.I,
)
"""What gives an item behind a list another part than that of a further member."""
_DENIED = re.compile(
    r"\W{0,4}\s(?:is|are|was|were|does|do|did|would|has|have|can)(?:n't|\s(?:not|no|never|only|absent|"
    r"negligible|neglected|wrong|"
    r"consumed|ignored|excluded|omitted|left|removed|missing|used))",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:in addition to|besides|apart from|aside from|as well as|along with|together with|beyond|"
    r"on top of)\s(?:the\s)?\W{0,3}$",
    re.I,
)
DOUBT = "what is said beside the list may belong to it"


_WORD = re.compile(
    rf"[\"'*)`$}}_\]]{{0,4}}\s?,?\s?\b(?:and|plus|as well as|along with|together with|"
    rf"in addition to)(?:,\s[a-z '’-]{{2,40}},)?\s(?:{_SMALL}\s){{0,2}}"
    r"(?!(?:nothing|none|others?|more|else|that|this|these|those|done|such|hence|only|both|each|they|"
    r"finally|lastly|"
    r"respectively|everything|anything|there)\b)(?P<said>[a-z][a-z-]{3,30})(?:\s(?:ions?|groups?|"
    r"molecules?|atoms?))?",
    re.I,
)
"""A word that follows a list as its last member would."""


def with_further(plain: str, found: Sequence[Run], discourse: Discourse, *, closed: bool) -> list[Run]:
    """The lists, with what the text adds to one right behind it; doubted where something may be added.

    ``closed``: words that are no items have been taken for members already.
    """
    kept: list[Run] = []
    for run in found:
        hosts = [place for place, one in enumerate(kept) if place >= len(kept) - 3 and _adds(plain, one, run)]
        for place in hosts:
            kept[place] = _joined(kept[place], run)
        if not hosts:
            kept.append(run)
    kept = [run for run in kept if run.strong]
    return [_weighed(plain, kept, index, discourse, closed) for index in range(len(kept))]


def is_added(plain: str, low: int, start: int, end: int) -> bool:
    """Whether what stands at a span is added to what ends at ``low``, and nothing else is said of it."""
    gap = without_parentheses(plain[low : max(low, start)]) if start - low <= _REACH else "?"
    tail = _TAIL.match(plain, end)
    return tail is not None and bool(_ADDS.fullmatch(gap) or (tail["too"] and _NOTHING.fullmatch(gap)))


def is_also(plain: str, start: int, end: int) -> bool:
    """Whether a clause says of what stands at a span that it is so, too."""
    return _TOO.search(plain[max(0, start - 24) : start] + "|" + plain[end : end + 24]) is not None


def _chained(run: Run) -> bool:
    return any(link != "," for link in run.links)


def _long(run: Run) -> bool:
    return len(run.members) > 1 and not run.parts


def _adds(plain: str, one: Run, two: Run) -> bool:
    """Whether nothing but words of addition stands between a list and what ends the next clause."""
    if not _long(one) or two.layout != "prose" or "->" in two.links:
        return False
    return is_added(plain, one.end, two.start, two.end)


def _joined(one: Run, two: Run) -> Run:
    """A list with further members, joined as its last ones are."""
    link = one.links[-1]
    return replace(
        one,
        members=(*one.members, *two.members),
        links=(*one.links, link, *two.links),
        notes=(*one.notes, *two.notes),
        end=two.end,
        doubt=one.doubt or two.doubt,
    )


def _weighed(plain: str, found: Sequence[Run], index: int, discourse: Discourse, closed: bool) -> Run:
    """A list, doubted where an item that stands beside it may be a member."""
    run = found[index]
    if run.doubt or not _long(run):
        return run
    sentence = discourse.sentences.at(run.start)[0]
    before = found[index - 1] if index else None
    beside = before is not None and before.start >= sentence and _BESIDE.search(plain, sentence, before.start)
    following = found[index + 1] if index + 1 < len(found) else None
    worded = None if closed or _chained(run) else _WORD.match(plain, run.end)
    if worded and not _TAIL.match(plain, worded.end()):
        worded = None
    doubted = beside or worded or (following is not None and _may_add(plain, run, following, discourse))
    return replace(run, doubt=DOUBT) if doubted else run


def _may_add(plain: str, one: Run, two: Run, discourse: Discourse) -> bool:
    """Whether the item behind a list may be a further member of it."""
    gap = plain[one.end : max(one.end, two.start)]
    if len(gap) > _REACH or two.layout != "prose" or (_long(two) and set(two.links) - {","}):
        return False
    if _has_all(one, two) or _DENIED.match(plain, two.end):
        return False
    present = _PRESENT.match(plain, two.end) is not None
    ends = _TAIL.match(plain, two.end) is not None
    if discourse.sentences.at(max(one.start, one.end - 1))[0] != discourse.sentences.at(two.start)[0]:
        opening = plain[discourse.sentences.at(two.start)[0] : two.start]
        also = _CUE.search(opening + " " + plain[two.end : two.end + 24])
        return also is not None and (present or ends) and _THERE.search(opening) is not None
    if _ELSE.search(gap):
        return False
    return present or ends if _CUE.search(gap) or ";" in gap else ends


def _has_all(one: Run, two: Run) -> bool:
    """Whether a list already holds each item of another."""
    return all(any(a.value == b.value for b in one.anchors) for a in two.anchors)
