"""What joins the items of a list or chain: separators, inequality signs, comparisons in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.formal.lists.direction import extreme, property_in

MOST_GAP = 170
"""How far apart two joined items may stand."""
_NOTE = re.compile(r"\s?\((?P<said>[^()\n]{0,80})\)|\s?\[(?P<other>[^\[\]\n]{0,80})\]")
_PREDICATE = re.compile(
    r"(?:\s[a-z-]{2,14}){0,2}?,?\s(?:is|are|being|has|have|with|as|shows?|reacts?|boils?|which is|which "
    r"has)\s(?:the\s)?(?:\w+\s){0,2}?"
    r"(?P<said>(?:most|least|\w{2,12}(?:est|iest)|best|worst|intermediate|next)\b[^,;.<>\n]{0,40})(?=,|;|\s"
    r"and\b|\sfollowed\b|\sthen\b|\swhile\b|\swhereas\b|$)",
    re.I,
)
_THAN = re.compile(
    r"\)?(?:,\s(?:being|having|with)\s[^,;.\n]{1,40},)?(?:,?\s(?:which|and (?:it|this|that)|that)(?:\sin "
    r"turn)?)?\s?(?:\s[a-z-]{2,14}){0,2}?\s?(?:is|are|has|"
    r"have|reacts?|boils?|melts?|stabili[sz]es?|binds?|elutes?|dissolves?)\s"
    r"(?:an?\s|the\s)?(?:much\s|far\s|slightly\s|even\s|somewhat\s|therefore\s|thus\s)?"
    r"(?P<said>(?:(?P<less>less|lower|weaker|smaller|shorter|slower|poorer|worse|lighter|softer|fewer|cooler|"
    r"colder|earlier|narrower|thinner)|(?P<more>more|better|[a-z]{3,10}er))\b[^,;.<>\n]{0,40}?)\s"
    r"than\s(?:that of\s|those of\s)?(?:the\s)?",
    re.I,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_PLACED = re.compile(
    rf"(?:\s[a-z]{{2,12}}){{0,2}}\s(?P<place>{'|'.join(_ORDINALS)}|next)(?=,|;|\s(?:and|then|followed)\b)",
    re.I,
)
"""What gives an item its place: "A elutes first, B second"."""
_SEPARATOR = re.compile(
    r"(?P<less><<?|≪|≺)(?![-=>])|(?P<arrow>->)|(?P<more>(?<![-=])>>?|≫|≻)|(?P<tie>(?<![<>=!])=(?![=>])|≈|"
    r"(?<!~)~(?!~)|"
    r"≅)|"
    r"(?P<then>\b(?:then|followed by|and finally|and lastly|finally|next|before)\b)|(?P<or>\bor\b)|"
    r"(?P<list>,|;|/|&|\+|•|·|\||\band\b|\bplus\b|\bas well as\b|\balong with\b|\btogether with\b)",
    re.I,
)
NOISE = " \t\n()[]{}\"'*`:.-_$\\"
_STOPS = re.compile(
    r"\b(?:not|no|nor|never|without|lacks?|lacking|missing|but|whereas|while|because|since|if|which|who|"
    r"than|unlike|although|though|"
    r"so|thus|hence|therefore|"
    r"is|are|was|were|has|have|had|does|do|did|gives?|yields?|forms?|reacts?|can|cannot|could|would|will|"
    r"may|might|must|should|be|been|being|"
    r"contains?|shows?|makes?|means|that|when|where|only|except|excluding|neither|instead|rather|versus|vs|"
    r"there|we|i|it|they|this|these|from|into)\b|n't|[.?!]\s|\?",
    re.I,
)
_PLACED_IN = re.compile(r"\b(?:in|by|at|via|under|on|after|for|to)\s\W{0,3}$", re.I)
"""What makes the item behind it the place or the means of another: "A and B, dissolved in C"."""
_POSSIBLY = re.compile(r"\b(?:possibly|perhaps|maybe|potentially|conceivably)\b", re.I)
_WORD = r"[\w°'’+-]{1,24}"
_TAIL = re.compile(rf"\W{{0,4}}(?:{_WORD}(?:[ ]{_WORD}){{0,6}}\W{{0,4}})?")
_HEAD = re.compile(rf"\W{{0,4}}(?:{_WORD}(?:[ ]{_WORD}){{0,3}}\W{{0,4}})?")
_ASSIGNED = re.compile(r"\W{0,3}(?P<link>,|;|\band\b|\bor\b)\s?[A-Za-zα-ω]_?\w{0,6}\s?[=:]\s?", re.I)
_PHRASE = re.compile(
    r"(?:an?\s|the\s|also\s|and\s|even\s"
    r"){0,3}(?P<said>[A-Za-z0-9(\[][\w°'’()+=#\[\]-]*(?:[ -][\w°'’()+=#-]+){0,3})"
)
_NO_MEMBER = re.compile(
    r"(?:as|both|in|at|on|by|for|of|with|to|under|after|before|during|via|each|all|some|leading|e\.?g|i\.?e|"
    r"overall|"
    r"total|namely|respectively|here|too|indeed|yes|no|more|most|mainly|plus|well|shown|above|below|see|its|"
    r"their|"
    r"\w{3,}ing|\w{3,}ly)\b(?! group)",
    re.I,
)
"""How a remark opens, and no member of a list."""
_SUBJECTLESS = frozenset(
    ["groups", "group", "functional", "respectively", "etc", "both", "all", "others", "other", "rest", "each"]
)


@dataclass(frozen=True, slots=True)
class Link:
    """What stands between two items."""

    kind: str
    between: tuple[str, ...] = ()
    note: str = ""
    doubt: str = ""
    of: str = ""


def without_parentheses(text: str) -> str:
    """A text whose "and, PARENTHESIS, X" reads "and X"; "and finally X" where it says what comes last."""
    return _PARENTHESIS.sub(lambda found: found["sep"] + (" finally " if found["last"] else " "), text)


_PARENTHESIS = re.compile(
    r"\b(?P<sep>(?:and )?then|and|as well as|plus|but also|along with|together with)\s?(?P<sign>,|—|–|-)\s"
    r"(?:(?P<last>(?:finally|lastly|last|(?:right |only )?(?:at|in) (?:the )?(?:very )?(?:last|"
    r"end)\b[a-z ]{0,20}))|"
    r"(?![^,—–\n]{0,60}\b(?:not|no|never|if|perhaps|maybe|possibly|conceivably|potentially|or)\b)"
    r"[A-Za-z][A-Za-z '’-]{1,60}?)"
    r"\s?(?P=sign)\s?",
    re.I,
)
"""What is set off right behind the word that joins a member: it is said of the member, and is none."""


def link(gap: str, closed: bool) -> Link | None:
    """How a text joins what stands before and after it; None where it doesn't."""
    gap = without_parentheses(gap)
    if not gap.strip("."):
        return Link(",") if len(gap) < 2 else None
    if len(gap) > MOST_GAP or "\n\n" in gap or gap.count("\n") > 1:
        return None
    than = _THAN.fullmatch(gap)
    if than:
        more = than["less"] is None
        return Link(">" if more else "<", of=property_in(than["said"]))
    if assigned := _ASSIGNED.fullmatch(gap):
        return Link(",", doubt="undecided between items" if assigned["link"] == "or" else "")
    notes = " ".join(match["said"] or match["other"] or "" for match in _NOTE.finditer(gap))
    bare = _NOTE.sub(" ", gap)
    predicate = _PREDICATE.match(bare)
    if predicate and extreme(predicate["said"]):
        notes += " " + predicate["said"]
        bare = bare[predicate.end() :]
    elif placed := _PLACED.match(bare):
        notes += " " + placed["place"]
        bare = bare[placed.end() :]
    if "\n" in bare or ":" in bare:
        return None
    return _join(bare, notes.strip(), closed)


def places(notes: Sequence[str]) -> bool:
    """Whether what is said of items counts them up: first, second, third."""
    said = [note.strip().lower() for note in notes]
    return (
        bool(said)
        and all(one in (two, "next") for one, two in zip(said, _ORDINALS, strict=False))
        and (said[0] == _ORDINALS[0])
    )


def separated(text: str) -> list[str]:
    """What stands between the separators of a list."""
    cuts = [match.span() for match in _SEPARATOR.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    return [
        text[low:high] for low, high in zip(starts, [*(start for start, _ in cuts), len(text)], strict=True)
    ]


def _join(bare: str, notes: str, closed: bool) -> Link | None:
    """A gap without its notes, cut at its separators."""
    cuts = list(_SEPARATOR.finditer(bare))
    if not cuts:
        return None
    tail, *middle, head = separated(bare)
    if _STOPS.search(tail) or _STOPS.search(head) or _PLACED_IN.search(head):
        return None
    if not _TAIL.fullmatch(tail) or not _HEAD.fullmatch(head):
        return None
    between = []
    for part in middle:
        said = phrase(part)
        if part.strip(NOISE) and part.strip(NOISE).lower() not in FILLERS:
            if not said or not closed:
                return None
            between.append(said)
    kinds = {kind for cut in cuts if (kind := _kind(cut)) not in (",", "or")}
    if len(kinds) > 1:
        return None
    doubt = "undecided between items" if any(cut["or"] for cut in cuts) else ""
    doubt = doubt or ("a member is only possible" if _POSSIBLY.search(bare) else "")
    return Link(kinds.pop() if kinds else ",", tuple(between), notes, doubt)


FILLERS = frozenset(["also", "the", "a", "an", "both", "then", "finally", "lastly", "next", "last"])


def _kind(cut: re.Match[str]) -> str:
    names = {"less": "<", "more": ">", "tie": "=", "arrow": "->", "then": "->", "or": "or"}
    return names.get(str(cut.lastgroup), ",")


def phrase(part: str) -> str:
    """A short phrase without articles, empty where it is none."""
    match = _PHRASE.fullmatch(part.strip(NOISE))
    if match is None or _STOPS.search(part) or _NO_MEMBER.match(match["said"]):
        return ""
    if match["said"].lower() in _SUBJECTLESS:
        return ""
    return match["said"] if re.search(r"[A-Za-z]{2}", match["said"]) else ""
