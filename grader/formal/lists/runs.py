"""Items that a sentence joins: "A, B and C", "A < B < C", "A, then B", "A is stronger than B"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grader.answer.stance import Discourse
from grader.formal.lists.anchors import Anchor, Unknown
from grader.formal.lists.direction import extreme, property_in

Member = Anchor | Unknown


@dataclass(frozen=True, slots=True)
class Run:
    """Members with what joins them, in plain offsets."""

    members: tuple[Member, ...]
    links: tuple[str, ...]
    """``,`` (a list), ``<``, ``>``, ``=`` or ``->``, one between each two members."""
    start: int
    end: int
    doubt: str = ""
    notes: tuple[str, ...] = ()
    """What is said of each member in brackets or with "is the strongest"."""
    of: str = ""
    """The property by which its links compare, where they say so."""
    layout: str = "prose"
    title: str = ""
    """The head of its table."""
    parts: tuple[tuple[Member, ...], ...] = ()
    """Its members line by line, where lines hold several."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Its members that are items."""
        return tuple(one for one in self.members if isinstance(one, Anchor))

    @property
    def strong(self) -> bool:
        """Whether one of its items is certainly meant as one."""
        return any(not one.weak for one in self.anchors)


_MOST_GAP = 170
_NOTE = re.compile(r"\s?\((?P<said>[^()\n]{0,80})\)|\s?\[(?P<other>[^\[\]\n]{0,80})\]")
_PREDICATE = re.compile(
    r"(?:\s[a-z-]{2,14}){0,2}?,?\s(?:is|are|being|has|have|with|as|shows?|reacts?|boils?|which is|which "
    r"has)\s(?:the\s)?(?:\w+\s){0,2}?"
    r"(?P<said>(?:most|least|\w{2,12}(?:est|iest)|best|worst|intermediate|next)\b[^,;.<>\n]{0,40})(?=,|;|\s"
    r"and\b|\sfollowed\b|\sthen\b|\swhile\b|\swhereas\b|$)",
    re.I,
)
_THAN = re.compile(
    r"(?:,?\s(?:which|and (?:it|this|that)|that)(?:\sin turn)?)?\s?(?:\s[a-z-]{2,14}){0,2}?\s?(?:is|are|has|"
    r"have|reacts?|boils?|melts?|stabili[sz]es?|binds?|elutes?|dissolves?)\s"
    r"(?:an?\s|the\s)?(?:much\s|far\s|slightly\s|even\s|somewhat\s|therefore\s|thus\s)?"
    r"(?P<said>(?:(?P<more>more|greater|higher|stronger|larger|bigger|longer|faster|better|heavier|harder|"
    r"bulkier|(?P<er>[a-z]{3,10}er))|"
    r"(?P<less>less|lower|weaker|smaller|shorter|slower|poorer|worse|lighter|softer))\b[^,;.<>\n]{0,40}?)\s"
    r"than\s(?:that of\s|those of\s)?(?:the\s)?",
    re.I,
)
_SEPARATOR = re.compile(
    r"(?P<less><<?|≪|≺)(?![-=>])|(?P<arrow>->)|(?P<more>(?<![-=])>>?|≫|≻)|(?P<tie>(?<![<>=!])=(?![=>])|≈|"
    r"(?<!~)~(?!~)|"
    r"≅)|"
    r"(?P<then>\b(?:then|followed by|and finally|and lastly|finally|next|before)\b)|(?P<or>\bor\b)|"
    r"(?P<list>,|;|/|&|\+|•|·|\||\band\b|\bplus\b|\bas well as\b|\balong with\b|\btogether with\b)",
    re.I,
)
_NOISE = " \t\n()[]{}\"'*`:.-_$\\"
_STOPS = re.compile(
    r"\b(?:not|nor|never|without|but|whereas|while|because|since|if|which|who|than|unlike|although|though|"
    r"so|thus|hence|therefore|"
    r"is|are|was|were|has|have|had|does|do|did|gives?|yields?|forms?|reacts?|can|cannot|could|would|will|"
    r"may|might|must|should|be|been|being|"
    r"contains?|shows?|makes?|means|that|when|where|only|except|excluding|neither|instead|rather|versus|vs|"
    r"there|we|i|it|they|this|these|from|into)\b|n't|[.?!]\s|\?",
    re.I,
)
_WORD = r"[\w°'’+-]{1,24}"
_TAIL = re.compile(rf"\W{{0,4}}(?:{_WORD}(?:[ ]{_WORD}){{0,6}}\W{{0,4}})?")
_HEAD = re.compile(rf"\W{{0,4}}(?:{_WORD}(?:[ ]{_WORD}){{0,3}}\W{{0,4}})?")
_CLAUSE = re.compile(r"\W{0,3}\s(?:is|are|was|were|has|have|does|do|would|will|reacts?|can|cannot)\b")
_ASSIGNED = re.compile(r"\W{0,3}(?P<link>,|;|\band\b|\bor\b)\s?[A-Za-zα-ω]_?\w{0,6}\s?[=:]\s?", re.I)
_NAMED_BEFORE = re.compile(r"\b[a-z]{4,}(?:\s[a-z]{3,}){0,2},\s$")
_NAMED_AGAIN = re.compile(r",?\s(?:and\s)?[a-z]{4,}(?:\s[a-z]{3,}){0,2},\s")
_KEY = re.compile(r"\b(?:[a-z-]+\s){0,3}[a-z-]+:\s?\W{0,2}$", re.I)
_KEY_AGAIN = re.compile(
    r"\W{0,3}[;,.]\s(?:and\s)?(?:[a-z-]+\s){0,3}(?:most|least|[a-z]+est|intermediate|medium|middle)(?:\s"
    r"[a-z-]+){0,2}:\s?\W{0,2}",
    re.I,
)
"""Items of which each is headed by its rank: "least acidic: A; intermediate: B"."""
_PURE = re.compile(r"(?:\W|\b(?:and|or|then|also|the|plus)\b){1,12}", re.I)
"""What may stand between an item and what may be a word."""
_SIDE = re.compile(r"\b(?:the|an?|its)\s(?:\w+\s){1,3}(?:is|:)\s(?:the\s|an?\s)?\W{0,3}$", re.I)
_PARALLEL = re.compile(
    r"\W{0,3}(?:,|;|\band\b|,\sand\b|\bwhile\b|\bwhereas\b|\.)\s?(?:(?:the|an?|its)\s)(?:\w+\s){1,3}(?:is|"
    r":)\s(?:the\s|an?\s)?\W{0,3}",
    re.I,
)
_PHRASE = re.compile(
    r"(?:an?\s|the\s|also\s|and\s|even\s"
    r"){0,3}(?P<said>[A-Za-z0-9(\[][\w°'’()+=#\[\]-]*(?:[ -][\w°'’()+=#-]+){0,3})"
)
_SUBJECTLESS = frozenset(
    ["groups", "group", "functional", "respectively", "etc", "both", "all", "others", "other", "rest", "each"]
)


def runs(
    plain: str, anchors: Sequence[Anchor], discourse: Discourse, *, closed: bool, parallel: bool
) -> list[Run]:
    """The longest runs of items that stand joined in one sentence.

    ``closed``: phrases between the items are members too. ``parallel``: "the cation is X and the anion is Y"
    joins.
    """
    found: list[Run] = []
    current: _Growing | None = None
    for one in anchors:
        joined = _joining(plain, current, one, discourse, closed, parallel) if current else None
        if current is not None and joined is not None:
            current.add(joined, one)
            continue
        found += [current.run()] if current else []
        current = _Growing([one], one.start, one.end)
    found += [current.run()] if current else []
    if closed:
        found = [_widened(plain, run, discourse) for run in found]
    return [_possible(plain, run) for run in found if run.strong]


def _joining(
    plain: str, current: _Growing, one: Anchor, discourse: Discourse, closed: bool, parallel: bool
) -> Link | None:
    """What joins the next item to a run, if anything does."""
    gap = plain[current.end : one.start]
    last = current.members[-1]
    loose = one.weak or (isinstance(last, Anchor) and last.weak)
    if (loose and not _PURE.fullmatch(gap)) or (";" in gap and _CLAUSE.match(plain, one.end)):
        return None
    before = max(0, current.start - 40)
    if parallel and _NAMED_BEFORE.search(plain, before, current.start) and _NAMED_AGAIN.fullmatch(gap):
        return Link(",")
    if parallel and _SIDE.search(plain, before, current.start) and _PARALLEL.fullmatch(gap):
        return Link(",")
    if _KEY.search(plain, before, current.start) and _KEY_AGAIN.fullmatch(gap):
        return Link(",")
    apart = discourse.sentences.at(current.end)[0] != discourse.sentences.at(one.start)[0]
    return None if apart else link(gap, closed)


_CAN_BE = re.compile(r"\bcan (?:be|take|have|only be)\b[^.;\n]{0,40}$", re.I)


def _possible(plain: str, run: Run) -> Run:
    """A run whose "or" parts what is possible, not what is undecided: "m can be 0, 1 or 2"."""
    possible = run.doubt and _CAN_BE.search(plain, max(0, run.start - 60), run.start)
    return replace(run, doubt="") if possible else run


@dataclass
class _Growing:
    members: list[Member]
    start: int
    end: int
    links: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubt: str = ""
    of: str = ""

    def add(self, link: Link, one: Anchor) -> None:
        for text in link.between:
            self.members.append(Unknown(text))
            self.links.append(link.kind)
            self.notes.append(link.note if len(self.notes) < len(self.members) - 1 else "")
        self.links.append(link.kind)
        self.notes.append(link.note)
        self.members.append(one)
        self.end = one.end
        self.doubt = self.doubt or link.doubt
        self.of = self.of or link.of

    def run(self) -> Run:
        return Run(
            tuple(self.members),
            tuple(self.links),
            self.start,
            self.end,
            self.doubt,
            (*self.notes, ""),
            self.of,
        )


@dataclass(frozen=True, slots=True)
class Link:
    """What stands between two items."""

    kind: str
    between: tuple[str, ...] = ()
    note: str = ""
    doubt: str = ""
    of: str = ""


def link(gap: str, closed: bool) -> Link | None:
    """How a text joins what stands before and after it; None where it doesn't."""
    if not gap.strip("."):
        return Link(",") if len(gap) < 2 else None
    if len(gap) > _MOST_GAP or "\n\n" in gap or gap.count("\n") > 1:
        return None
    than = _THAN.fullmatch(gap)
    if than:
        more = than["more"] is not None
        return Link(">" if more else "<", of=property_in(than["said"]))
    if assigned := _ASSIGNED.fullmatch(gap):
        return Link(",", doubt="undecided between items" if assigned["link"] == "or" else "")
    notes = " ".join(match["said"] or match["other"] or "" for match in _NOTE.finditer(gap))
    bare = _NOTE.sub(" ", gap)
    predicate = _PREDICATE.match(bare)
    if predicate and extreme(predicate["said"]):
        notes += " " + predicate["said"]
        bare = bare[predicate.end() :]
    if "\n" in bare or ":" in bare:
        return None
    return _separated(bare, notes.strip(), closed)


def _separated(bare: str, notes: str, closed: bool) -> Link | None:
    """A gap without its notes, cut at its separators."""
    cuts = list(_SEPARATOR.finditer(bare))
    if not cuts:
        return None
    ends = [0, *(cut.end() for cut in cuts)]
    parts = [
        bare[low:high] for low, high in zip(ends, [*(cut.start() for cut in cuts), len(bare)], strict=True)
    ]
    tail, *middle, head = parts
    if _STOPS.search(tail) or _STOPS.search(head) or not _TAIL.fullmatch(tail) or not _HEAD.fullmatch(head):
        return None
    between = []
    for part in middle:
        said = _phrase(part)
        if part.strip(_NOISE) and part.strip(_NOISE).lower() not in _FILLERS:
            if not said or not closed:
                return None
            between.append(said)
    kinds = {kind for cut in cuts if (kind := _kind(cut)) not in (",", "or")}
    if len(kinds) > 1:
        return None
    doubt = "undecided between items" if any(cut["or"] for cut in cuts) else ""
    return Link(kinds.pop() if kinds else ",", tuple(between), notes, doubt)


_FILLERS = frozenset(["also", "the", "a", "an", "both", "then", "finally", "lastly", "next", "last"])


def _kind(cut: re.Match[str]) -> str:
    names = {"less": "<", "more": ">", "tie": "=", "arrow": "->", "then": "->", "or": "or"}
    return names.get(str(cut.lastgroup), ",")


def _phrase(part: str) -> str:
    """A short phrase without articles, empty where it is none."""
    match = _PHRASE.fullmatch(part.strip(_NOISE))
    if match is None or _STOPS.search(part) or match["said"].lower() in _SUBJECTLESS:
        return ""
    return match["said"] if re.search(r"[A-Za-z]{2}", match["said"]) else ""


_LEAD = re.compile(
    r"(?:[:=|{(\n—]|\b(?:is|are|was|were|has|have|contains?|includes?|including|with|shows?|identif\w+|"
    r"present|see|find|namely|i\.e\.|an?|the|of|both|order|groups?)\b)\s*",
    re.I,
)
_TRAILING = re.compile(
    r"\W{0,3}(?:\([^()\n]{0,80}\))?\s?(?:groups?)?(?P<said>(?:\s?(?:,|;|\+|&|\band\b|\bas well as\b|"
    r"\bplus\b)\s?(?:also\s)?(?:an?\s|the\s)?[A-Za-z][\w'’()=#-]*(?:[ -][\w'’()=#-]+){0,2}){1,6})(?=\s"
    r"?(?:[.;:\n)|]|$))",
    re.I,
)


def _widened(plain: str, run: Run, discourse: Discourse) -> Run:
    """A run with the unknown members that stand before its first and after its last item."""
    low = max(discourse.sentences.at(run.start)[0], run.start - _MOST_GAP)
    before = list(_before(plain[low : run.start]))
    high = min(discourse.sentences.at(max(run.start, run.end - 1))[1], run.end + _MOST_GAP)
    trailing = _TRAILING.match(plain, run.end, high)
    after = (
        [said for part in _SEPARATOR.split(trailing["said"])[::1] if part and (said := _phrase(part))]
        if trailing
        else []
    )
    kind = run.links[0] if run.links else ","
    members = (*(Unknown(said) for said in before), *run.members, *(Unknown(said) for said in after))
    links = (*([kind] * len(before)), *run.links, *([kind] * len(after)))
    notes = (*([""] * len(before)), *run.notes, *([""] * len(after)))
    end = trailing.end("said") if after and trailing else run.end
    return Run(members, links, run.start, end, run.doubt, notes, run.of)


def _before(text: str) -> Iterator[str]:
    """The unknown members that end right where an item begins: "an ether, " before "a ketone"."""
    lead = max((match.end() for match in _LEAD.finditer(text[: text.rfind(",") + 1] or "")), default=0)
    cuts = list(_SEPARATOR.finditer(text, lead))
    if not cuts or text[cuts[-1].end() :].strip(_NOISE).lower() not in ("", "a", "an", "the", "also"):
        return
    parts = [
        text[low:high]
        for low, high in zip(
            [lead, *(cut.end() for cut in cuts[:-1])], [cut.start() for cut in cuts], strict=True
        )
    ]
    said = [_phrase(part) for part in parts]
    bare = [part.strip(_NOISE) for part in parts]
    if all(phrase or not part for phrase, part in zip(said, bare, strict=True)):
        yield from (phrase for phrase in said if phrase and phrase.lower() not in _FILLERS)
