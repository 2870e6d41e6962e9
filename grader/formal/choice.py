"""Lettered options: one, or several where the question allows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Reading, Settled, candidate, settle
from grader.answer.notation import Text, normalise
from grader.answer.ticks import ticked
from grader.formal import bare, outcome
from grader.formal.claims.elimination import left_over
from grader.formal.claims.enumerations import listed, runs
from grader.formal.claims.options import Letters, Options, by_text, by_value, mentions
from grader.formal.claims.tally import complement, judged, whole
from grader.formal.lists.further import is_added, is_also
from grader.formal.registry import by
from grader.problem.checks import ChoiceCheck
from grader.record import Evidence, Finding, Reason, Rejected

BY = by("choice")

_BARE = bare.shape("[A-Z]")

_JOIN = re.compile(
    r"[)\]\"'.]{0,2}[ ]?(?:,[ ]?(?:and[ ]|&[ ]?)?|;[ ]?|/|&|\+|[ ]and[ ]|,?[ ]as well as[ ])[ ]?[(\[\"']{0,"
    r"2}(?:options?[ ])?"
)
_UNDECIDED = re.compile(
    r"[)\]\"'.]{0,2},?[ ]?(?:or|/)[ ](?:maybe |perhaps |possibly )?(?:options?[ ])?[(\[\"']{0,2}"
)
_PREPOSED = re.compile(
    r"\b(?:unlike|(?:as )?compared (?:with|to)|relative to|in (?:contrast|comparison) (?:with|to)|"
    r"as opposed to|contrary to|rather than|instead of)[ ]"
    r"(?:the )?(?:options?|compounds?)?[ ]?[(\[\"']{0,2}$",
    re.I,
)
_COMMA = re.compile(r"[)\]\"']{0,2},[ ](?:options?[ ])?[(\[\"']{0,2}")
_CLAUSE = 60
_PREDICATE = re.compile(
    r"[)\]\"'*]{0,4}[ ](?:is|are|isn't|aren't|was|were|does|do|has|have|would|can|cannot|violates?|fails?)\b"
)
"""What makes a clause of its own of the letters before it: "A and C; B, D and E are false"."""
_GOES_ON = re.compile(r"[)\]\"']{0,2}[ ](?!and\b|or\b)[a-z]")
_NOT_BEFORE = re.compile(r"(?:^|\n|:|\bis)[ *]{0,4}not[ ](?:option[ ])?[(\[\"']{0,2}$", re.I)
_ENDS = re.compile(r"[)\]\"'*]{0,2}\s?[.!]?\s?(?:$|\n)")
_REFERRED_BEFORE = re.compile(
    r"(?:\b(?:than|over|versus|vs\.?|followed by|preferred to|(?:traces?|small amounts?|little)(?: of)?)"
    r"|,[ ]?(?:and )?then|>[ ]?then)"
    r"[ ](?:that of |the |options? |compounds? |structures? |isomers? )?[(\[\"']{0,2}$",
    re.I,
)
_WRONG_HEAD = re.compile(
    r"\b(?:incorrect|wrong|false|untrue|not (?:correct|true))(?: (?:options?|statements?|ones))?:[ *_]{0,4}"
    r"(?:options? |statements? )?[(\[]?$",
    re.I,
)
"""The head of the wrong options: "Correct: B. Incorrect: A, C"."""
_REASON_BEFORE = re.compile(
    r"\b(?:because|since|as|whereas|while|although|though|which)\b[^,;:.\n]{0,80}$", re.I
)
_CONCEDED_AFTER = re.compile(
    r"[)\]\"']{0,2}[ ][a-z][^.;\n]{1,60},? but (?:not|fails?|does|cannot|it (?:does|is|fails|cannot))\b"
)
_TEXT_THEN_LETTER = re.compile(
    r"[\"')]{0,2}\s?(?:->\s?)?[(\[]|[\"')]{0,2}\s?->\s?(?:option )?"
    r"|[\"')]{0,2}[,.;]?\s(?P<so>so|hence|thus|therefore|i\.e\.|that is|which is)"
    r"(?: it's| it is| the answer is|,)?\s(?:option )?[(\[]?",
    re.I,
)
_RESULT_BEFORE = re.compile(r"(?:[=≈:]|\b(?:is|are|gives?|get|obtain))\s{0,2}$")
_LETTER_THEN_TEXT = re.compile(r"[)\].:]{1,2}\s?[\"']?|\s?(?:=|-|—)\s?[\"']?|\s?(?P<opened>[(\[])")
_ITEM = re.compile(r"(?:^|\n)[ ]{0,4}(?:[-*•+][ ])?[(\[]?$")
_ITEM_AFTER = re.compile(r"[).\]:]")


def _groups(text: Text, reading: Reading, options: Options) -> Iterator[Candidate[Letters]]:
    """Letters, those in one enumeration together."""
    group: list[re.Match[str]] = []
    doubt = ""
    for match in mentions(text, reading, options):
        if group and not _parted(text.plain, group, match):
            link = text.plain[group[-1].end() : match.start()]
            undecided = _UNDECIDED.fullmatch(link) is not None
            added = options.multiple and is_added(text.plain, group[-1].end(), *match.span())
            if undecided or added or _JOIN.fullmatch(link):
                group.append(match)
                doubt = "undecided between options" if undecided else doubt
                continue
        if group:
            yield _group(text, group, doubt)
        group, doubt = [match], ""
    if group:
        yield _group(text, group, doubt)


def _parted(plain: str, group: Sequence[re.Match[str]], match: re.Match[str]) -> bool:
    """Whether a comma ends what a letter is compared with or denied: "Unlike B, D is", "not B, D"."""
    first = group[0].start()
    if ";" in plain[group[-1].end() : match.start()]:
        return _PREDICATE.search(plain[match.end() : match.end() + _CLAUSE].split(";")[0]) is not None
    if not _COMMA.fullmatch(plain, group[-1].end(), match.start()):
        return False
    low = max(0, first - 40)
    if _PREPOSED.search(plain, low, first):
        return _GOES_ON.match(plain, match.end()) is not None
    denied = len(group) == 1 and _NOT_BEFORE.search(plain, low, first)
    return bool(denied) and _ENDS.match(plain, match.end()) is not None


def _group(text: Text, group: list[re.Match[str]], doubt: str) -> Candidate[Letters]:
    letters = frozenset(match.group().upper() for match in group)
    return candidate(text, letters, group[0].start(), group[-1].end(), doubt=doubt)


def _joined(
    text: Text, letters: Sequence[Candidate[Letters]], texts: Sequence[Candidate[Letters]]
) -> list[Candidate[Letters]]:
    """Make one of a letter and the text of an option beside it: "HI (D)", "D) HI"; doubted if they differ."""
    spoken = {item.plain for item in texts}
    joined: list[Candidate[Letters]] = []
    for item in sorted([*letters, *texts], key=lambda item: item.plain):
        last = joined[-1] if joined else None
        differ_in_kind = last is not None and (last.plain in spoken) is not (item.plain in spoken)
        if last and differ_in_kind and _beside(text.plain, last.plain, item.plain, item.plain in spoken):
            joined.pop()
            differ = "" if last.value == item.value else "its letter and its text differ"
            span = (last.plain[0], item.plain[1])
            item = candidate(text, item.value, *span, doubt=last.doubt or item.doubt or differ)
        joined.append(item)
    return joined


def _enumerated(text: Text, texts: Sequence[Candidate[Letters]]) -> list[Candidate[Letters]]:
    """Make one of the texts of an enumeration: "HCl, HNO3 and NH3"."""
    grouped: list[Candidate[Letters]] = []
    for item in sorted(texts, key=lambda item: item.plain):
        last = grouped[-1] if grouped else None
        link = text.plain[last.plain[1] : item.plain[0]] if last else ""
        if last and ";" not in link and _JOIN.fullmatch(link):
            grouped[-1] = candidate(text, last.value | item.value, last.plain[0], item.plain[1])
        else:
            grouped.append(item)
    return grouped


def _beside(plain: str, one: tuple[int, int], two: tuple[int, int], letter_first: bool) -> bool:
    """Whether a letter and a text stand beside each other so that one explains the other."""
    link = plain[one[1] : two[0]]
    if one[1] > two[0] or len(link) > 30:
        return False
    if not letter_first:
        found = _TEXT_THEN_LETTER.fullmatch(link)
        stated = _RESULT_BEFORE.search(plain, max(0, one[0] - 12), one[0]) is not None
        return found is not None and (found["so"] is None or stated)
    match = _LETTER_THEN_TEXT.fullmatch(link)
    return match is not None and (not match["opened"] or plain[two[1] : two[1] + 1] in (")", "]"))


def _headings(text: Text, found: Sequence[Candidate[Letters]]) -> set[int]:
    """The places of letters that only head the items of a list of options."""
    heads = [
        (item.plain[0], item.value)
        for item in found
        if _ITEM.search(text.plain, max(0, item.plain[0] - 10), item.plain[0])
        and _ITEM_AFTER.match(text.plain, _letter_end(item))
    ]
    repeated = [place for index, (place, value) in enumerate(heads) if value in dict(heads[:index]).values()]
    if len({value for _, value in heads}) < 2:
        return set()
    return {place for place, _ in heads} - set(repeated[-1:])


def _letter_end(item: Candidate[Letters]) -> int:
    return item.plain[0] + max(map(len, item.value), default=1)


def _weighed(text: Text, item: Candidate[Letters]) -> Candidate[Letters]:
    """A candidate that is an aside where it stands in a reason or is conceded."""
    start, end = item.plain
    reason = _REASON_BEFORE.search(text.plain, max(0, start - 100), start)
    aside = reason is not None or _CONCEDED_AFTER.match(text.plain, end) is not None
    return replace(item, aside=aside)


def _candidates(text: Text, reading: Reading, options: Options) -> list[Candidate[Letters]]:
    """Every place where an answer names options as chosen."""
    ticks = ticked(text.plain, options.names)
    if ticks:
        letters = frozenset(tick.name for tick in ticks)
        return [candidate(text, letters, ticks[0].start, ticks[-1].end)]
    tally = judged(text, options)
    several = [*runs(text, reading, options), *listed(text, options)] if options.multiple else []
    wholes = [item.plain for item in (*several, *([tally] if tally else ()))]
    lettered = [complement(text, options, item) for item in _groups(text, reading, options)]
    texts = list(by_text(text, options))
    named = _joined(text, lettered, _enumerated(text, texts) if options.multiple else texts)
    headings = _headings(text, named)
    found = [
        _weighed(text, item)
        for item in named
        if item.plain[0] not in headings
        and not _REFERRED_BEFORE.search(text.plain, max(0, item.plain[0] - 40), item.plain[0])
        and not _WRONG_HEAD.search(text.plain, max(0, item.plain[0] - 50), item.plain[0])
        and not any(low <= item.plain[0] < high for low, high in wholes)
    ]
    found += [*several, *whole(text, options), *([tally] if tally else ())]
    return found or (list(by_value(text, options)) if not named else [])


def decide(check: ChoiceCheck, answer: Answer) -> Finding:
    """Decide whether an answer chooses the expected option or options."""
    return at_once(check, answer) or _at_length(check, answer)


def at_once(check: ChoiceCheck, answer: Answer) -> Finding | None:
    """The finding on an answer that is one letter."""
    found = bare.match(answer, _BARE, check.asked)
    if found is None:
        return None
    options = Options.of(check)
    if found["value"] not in options.letters or any(
        text.search(answer.text) for text in options.text_patterns
    ):
        return None
    return _finding(options, frozenset(found["value"]), bare.evidence(found))


def _at_length(check: ChoiceCheck, answer: Answer) -> Finding:
    """The finding on an answer in prose."""
    if not answer.text.strip():
        return outcome.blank(BY)
    text = normalise(answer.text)
    reading = Reading(text, check.asked, answer.others)
    options = Options.of(check)

    def same(one: Letters, two: Letters) -> bool:
        return one == two or (options.multiple and len(one) == 1 and one < two)

    found = _candidates(text, reading, options)
    only = left_over(reading, options, found)
    found = [only] if only else found
    settled = settle(
        text,
        found,
        same=same,
        asked=check.asked,
        others=answer.others,
        cut=answer.cut,
        reading=reading,
    )
    taken = settled.candidate
    if taken is None:
        left = _left(options, found, settled) if check.choices or check.texts else None
        if left is None or _NONE.search(text.plain):
            return outcome.unsettled(BY, settled, "option")
        return _finding(options, left, found[-1].evidence, settled.rejected)
    if not options.multiple and len(taken.value) > 1:
        rejected = (*settled.rejected, taken.rejected("more than one option"))
        return outcome.undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, f"'{taken.quote}' names several options", rejected
        )
    if options.multiple and _goes_on(text, options, found, taken, settled):
        return outcome.undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "another option is said to be so, too", settled.rejected
        )
    if (
        options.multiple
        and taken.value < options.right
        and any(_HEDGED in item.why for item in settled.rejected)
    ):
        return outcome.undetermined(
            BY, Reason.CONFLICTING_CANDIDATES, "further options are only thought possible", settled.rejected
        )
    return _finding(options, taken.value, taken.evidence, settled.rejected)


def _goes_on(
    text: Text,
    options: Options,
    found: Sequence[Candidate[Letters]],
    taken: Candidate[Letters],
    settled: Settled[Letters],
) -> bool:
    """Whether the options taken are only some of those chosen: another one is said to be so, too."""
    refused = {(item.start, item.end) for item in settled.rejected if item.why != _PASSED_OVER}
    others = [
        item
        for item in found
        if (item.start, item.end) not in refused and item.value - taken.value and not item.aside
    ]
    if taken.value < options.right and is_also(text.plain, *taken.plain):
        return True
    further = [max(item, taken, key=lambda one: one.start) for item in others]
    return any(is_also(text.plain, *item.plain) for item in further)


_HEDGED = "hedged"
_PASSED_OVER = "another candidate is stated more clearly"
"""How ``settle`` names what it weighed less, not what it refused."""
_NONE = re.compile(r"\b(?:none|neither|no (?:option|answer|choice))\b", re.I)


def _left(options: Options, found: Sequence[Candidate[Letters]], settled: Settled[Letters]) -> Letters | None:
    """The one option that is left where every other is denied, and nothing else is said.

    A list after "not" may end in the option that is chosen, so only one letter may follow it.
    """
    why = {(item.start, item.end): item.why for item in settled.rejected}
    said = [(why.get((item.start, item.end)), len(item.value)) for item in found]
    denied = all(one == "called wrong" or (one == "denied" and count == 1) for one, count in said)
    if options.multiple or not found or not denied:
        return None
    left = set(options.letters).difference(*(item.value for item in found))
    return frozenset(left) if len(left) == 1 else None


def _finding(
    options: Options, value: Letters, evidence: Evidence, rejected: tuple[Rejected, ...] = ()
) -> Finding:
    shown = ", ".join(sorted(value)) or "none"
    detail = f"{shown} is chosen, {options.right_shown} is right"
    return outcome.stated(BY, value == options.right, evidence, detail, shown, rejected)
