"""Where an answer says yes or no, true or false.

Each reading spans all that turns its sense ("not true", "the opposite is
true"), so that a cue inside it is not counted twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.answer.cover import Cover
from grader.answer.frames import attributed, mistaken
from grader.answer.stance import Discourse, Stance
from grader.answer.ticks import ticked
from grader.formal.claims.claims import CORRECTED, REMARK

_WORDS = {
    "yes": True, "yep": True, "true": True, "correct": True, "right": True, "agree": True, "agreed": True,
    "indeed": True, "no": False, "nope": False, "false": False, "incorrect": False, "wrong": False,
    "untrue": False, "disagree": False,
}  # fmt: skip
_NAMES = "|".join(sorted(_WORDS, key=len, reverse=True))
_NOT = (
    r"(?P<not>n't\s{1,4}(?:be\s{1,4})?|(?:not(?: at all| even)?|never|hardly|scarcely|far from|by no means|"
    r"in no way|anything but|nowhere near)\s{1,4}(?:be\s{1,4}|being\s{1,4})?)?"
)
_VERDICT = rf"[\"'({{\[]{{0,2}}{_NOT}[\"']?(?P<word>{_NAMES})"
_END = (
    rf"(?=\s?(?:{CORRECTED}|[.,;:!?)\]}}\n\"'—✅✓✔☑❌✗✘]|$)|{REMARK}|\s-\s|\s?->|\s/\s{{0,4}}\n"
    r"|\s(?:because|since|as|for|it|this|that|the statement|with the statement|they|due|but|in|here)\b)"
)
_LEADS = (
    r"(?:so|hence|thus|therefore|definitely|certainly|clearly|absolutely|well|in short|in summary|overall|"
    r"i(?: would|'d| will|'ll)? (?:say|choose|pick|answer|select|go with|mean|vote(?: for)?|conclude))"
)
_TURNS = (
    r"(?:but|wait|actually|rather|instead|in fact|on reflection|sorry|however|"
    r"(?:corrected|changed|revised) to)"
)
_OPENING = re.compile(
    r"(?:(?P<turn>(?:(?<=[.!?\n;—(])|(?<=[^\"']:))\s{0,3}|(?<=-> ))|^[\s✅✓✔☑]{0,3}"
    rf"|\b{_LEADS}[,:]? |(?P<loose>\b{_TURNS}[,:]? )){_VERDICT}{_END}",
    re.I,
)
_ADVERB = (
    r"(?:(?:therefore|thus|hence|clearly|indeed|definitely|certainly|simply|also|actually|in fact)\s{1,4})?"
)
_COPULA = (
    r"(?:'s|\s{1,4}(?:is|was|would be|must be|should be|has to be|evaluates to|here is)"
    r"|\s{1,4}(?:is|was|ca|can|could|wo|would)(?=n't|\s?not\s))\s{0,4}:?\s{0,4}"
)
_NAMED = re.compile(
    r"(?:\b(?:statement|claim|assertion|proposition|hypothesis)(?:\s[^.;\n]{1,100}?)?|[\"']|"
    rf"\b(?:answer|result|verdict|conclusion)){_COPULA}{_ADVERB}{_VERDICT}{_END}",
    re.I,
)
_LINK = (
    r"(?:(?<![A-Za-z,] )i(?:'d|\swould|'ll)?\s(?:say|argue|think|believe|conclude)(?:\sthat)?"
    r"|so|but|and|hence|thus|therefore|however|yet|in fact|(?:which means|meaning)(?: that)?),?\s"
)
_POINTED = re.compile(
    rf"(?:(?P<first>^)\W{{0,4}}|(?<=[.;,:!?—(\n])\W{{0,4}}|\b(?={_LINK}))(?:{_LINK})?"
    r"(?:(?:at|in|for|under|with|above|below|here)\b(?:[^.;:,\n]{0,30}[,\s])?\s?)?"
    rf"(?:that|this|it){_COPULA}{_ADVERB}{_VERDICT}{_END}",
    re.I,
)
_MARKED = re.compile(
    r"(?:(?<![A-Za-z])(?:answer|verdict|result|final)\"?\s{0,2}[:=]\s{0,2}|\]|>)"
    rf"(?:[✅✓✔☑]\s?|[❌✗✘]\s?(?=(?:false|no|incorrect|wrong)\b))?{_VERDICT}(?![A-Za-z])",
    re.I,
)
_QUESTION = re.compile(
    r"\b(?:true|yes|right|correct)[\"']?\s?(?:or|and|/)\s?[\"']?(?:false|no|wrong|incorrect)\b", re.I
)
_AGREE = re.compile(
    r"\bI\s{1,4}(?:(?:would|do|fully|completely|strongly|must|have to)\s{1,4}){0,2}"
    r"(?P<not>(?:do |can|could )?(?:n't|not)\s{1,4}|(?:do|ca|could)n't\s{1,4})?(?P<word>agree|disagree)\b",
    re.I,
)
_ECHO = re.compile(
    r",?\s(?:that|this|it)(?:'s|\sis|\swas)(?:n't|\snot)?\s(?:right|correct|true|wrong|false|incorrect|untrue)\b",
    re.I,
)
_DENIED_ECHO = re.compile(
    r",?\s(?:it|this|that|they|he|she)\s(?:is|are|was|were|does|do|did|will|would|can|has)(?:n't|\s?not)"
    r"(?=\s?(?:[.;!)\n]|$))",
    re.I,
)
"""A no said again in full: "No, it is not"."""
_CONTRAST = re.compile(rf"[\"')]{{0,2}},?\s(?:and |but )?not\s[\"'(]{{0,2}}(?P<word>{_NAMES})\b", re.I)
_CONCEDED = re.compile(r"\s{1,4}(?:that|in|for|only|if|when|at|about|under)\b", re.I)
_SOCIAL = re.compile(
    r"[,!.]?\s(?:you(?:'re| are)\b|(?:good|great)\s(?:question|point)|let(?:'s| me)\b|i (?:can|will|'ll)\b|"
    r"happy to\b|of course\b|sure\b)",
    re.I,
)
_DENIAL_NEXT = re.compile(
    r",?\s(?:it|this|that|they|(?:the\s)?[\w-]{1,20})\s(?:is|are|was|does|do|did|can|will|has)(?:n't|\s?not)\b",
    re.I,
)
_REPLIES = ("right", "correct", "wrong", "incorrect", "agree", "agreed", "indeed", "disagree")
"""Words that later in a text may speak of something else than the statement."""
_EMPHATIC = re.compile(
    r"\W*(?P<said>(?:absolutely|certainly|definitely|of course|surely|sure|indeed)(?P<not> not)?)\W*", re.I
)
_EXCLAIMED = re.compile(
    r"\W{0,4}(?P<said>(?:absolutely|definitely|certainly|of course|surely)(?P<not> not)|"
    r"absolutely|definitely|indeed)"
    r"[*_]{0,2}[!.](?=\s|$)",
    re.I,
)
_TICKED = "true|false|yes|no|correct|incorrect"
_LETTERS = {"T": True, "F": False, "Y": True, "N": False}
_SIGN = re.compile(
    r"\s*\**(?P<said>(?P<yes>[✓✔✅☑])|[✗✘❌✕])\**\s*"
    rf"(?!{_NAMES})(?=[^✓✔✅☑✗✘❌✕]*\Z)",
    re.I,
)
"""A tick or a cross that is the answer, alone or with its reason."""
_LETTERED = re.compile(
    r"\b(?:[Aa]nswer|[Vv]erdict)\"?(?:\s{0,2}[:=]|\sis)\s{0,2}(?P<letter>[TFYN])(?=\s{0,4}(?:[.;!\n)]|$))"
)
_DENIAL = re.compile(
    r"\W*(?P<said>i (?:don't|do not|wouldn't|would not) think so|i doubt it|not at all|by no means)\b", re.I
)
_STATEMENT = r"(?:this|it|that|the (?:statement|claim|assertion)|such a (?:statement|claim))"
_HOLDS = re.compile(
    r"\b(?:it|this|that|statement|claim|assertion|proposition)\s"
    r"(?:(?P<not>does(?:n't|\snot)|cannot|can't|never|fails to|did(?:n't|\snot))\s)?holds?"
    r"(?:\s(?:true|up|here|water))?(?=\s?(?:[.,;!)\n]|$)|\s(?:because|since|as|in this case)\b"
    r"|(?(not)|(?<!it holds)(?<!this holds)(?<!that holds))"
    r":\s(?!(?:only|if|when|for|at|under|in|unless|except|with|provided|both)\b))",
    re.I,
)
_CALLED = re.compile(
    r"\b(?:that|this|it)(?:'s|\sis)(?P<not>n't|\snot)?\san?\s(?P<word>true|false|correct|incorrect|wrong)\s"
    rf"(?:statement|claim|assertion|proposition)"
    rf"(?!,?\s(?:but|only|if|for|when|in|under|except|unless)\b){_END}",
    re.I,
)
_FLAT_DENIAL = re.compile(
    rf"\b(?:the\s)?(?:opposite|reverse|converse|contrary)\s(?:is|holds)(?:\s(?:in fact|actually|instead))?"
    rf"(?:\s(?:true|correct|the case|so))?{_END}"
    r"|\bcontrary to (?:what )?the (?:statement|claim|assertion)\b"
    rf"|\b(?:(?:nobody|no one|no chemist) (?:would|could)|would(?:n't|\snot)) (?:ever )?"
    rf"(?:call|consider|say) (?:that )?{_STATEMENT}"
    r"(?: is| to be)? (?:true|correct|right)\b"
    r"|\b(?:it|this|that)(?:'s|\sis)\s(?:just\s|exactly\s|rather\s)?the\sother\sway\s(?:a?round|about)\b"
    rf"|\bnot (?:the case|so|true|correct) that {_STATEMENT} (?:is|holds) ?(?:true|correct|right)?{_END}",
    re.I,
)
_ANSWERED = re.compile(
    r"\b(?P<word>true|yes|correct|right|false|no)\s?\?[\"')]?\s{1,4}"
    r"(?P<reply>i don't think so|i doubt it|hardly|"
    r"(?:certainly|definitely|absolutely|of course|surely) not|not at all|by no means|not really|not so)\b",
    re.I,
)
_BARE = re.compile(r"(?<![\w-])(?P<word>true|yes|false|no)(?![\w-])", re.I)
_CLOSING = re.compile(_BARE.pattern + r"(?=\s?(?:[.;!\n(]|$))", re.I)
_REBUTTAL = re.compile(
    r",?\s(?P<said>(?:but|yet|however,?)\s(?:it|that|this|they)(?:'s|\sis|\sare|\swould be|\sdoes|\swas)?\s?"
    r"(?:(?:n't|not)(?:\s(?:true|correct|right|so|the case))?|wrong|incorrect|mistaken))"
    r"(?=\s?(?:[.,;!)\n]|$)|\s(?:because|since|as)\b)",
    re.I,
)
_WRONG_NEXT = re.compile(
    r"[\"')]{0,2}\s(?:here\s)?(?:is|was|would be|would have been)\s(?:here\s)?"
    r"(?:wrong|mistaken|incorrect|in error|an error|a mistake)\b",
    re.I,
)
_ENUMERATOR = re.compile(r"(?:^|(?<=[\s|*(]))\(?(?P<name>[ivx]{1,4}|[a-h]|[0-9]{1,2})[).:](?=\s)", re.M)


_MOST = 1000
"""Verdict words that are weighed at most: each looks at all around it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict as written, in plain offsets."""

    start: int
    end: int
    value: bool
    doubt: str = ""


def too_many(plain: str) -> bool:
    """Whether a text says yes and no more often than can be weighed."""
    return next(islice(_BARE.finditer(plain), _MOST, None), None) is not None


def own_item(plain: str, asked: Sequence[str]) -> tuple[int, int] | None:
    """The part of a numbered list, ``(i) True (ii) False``, that a label asks for."""
    names = {label.strip(" ().:").casefold() for label in asked}
    items = list(_ENUMERATOR.finditer(plain))
    own = [index for index, item in enumerate(items) if item["name"].casefold() in names]
    if len(items) < 2 or len(own) != 1:
        return None
    after = own[0] + 1
    return items[own[0]].end(), items[after].start() if after < len(items) else len(plain)


def unstruck(plain: str, struck: Sequence[tuple[int, int]]) -> str:
    """The text with line breaks in place of what is struck through, so that the rest stands by itself."""
    left = list(plain)
    for start, end in struck:
        while start and plain[start - 1] in " /":
            start -= 1
        while end < len(plain) and plain[end] in " /":
            end += 1
        left[start:end] = "\n" * (end - start)
    return "".join(left)


def verdicts(plain: str, discourse: Discourse) -> list[Verdict]:
    """Every verdict on the statement, each place once."""
    ticks = ticked(plain, _TICKED, re.I)
    if ticks:
        return [Verdict(tick.start, tick.end, _WORDS[tick.name.lower()]) for tick in ticks]
    whole = _EMPHATIC.fullmatch(plain)
    if whole:
        return [Verdict(*whole.span("said"), whole["not"] is None)]
    alone = plain.strip(" *.()\n")
    if alone in _LETTERS:
        at = plain.index(alone)
        return [Verdict(at, at + 1, _LETTERS[alone])]
    sign = _SIGN.match(plain)
    if sign:
        value = sign["yes"] is not None
        goes_on = plain[sign.end() : sign.end() + 1].islower()
        differ = goes_on or any(item.value is not value for item in _worded(plain))
        return [Verdict(*sign.span("said"), value, "the sign and the words differ" if differ else "")]
    readings = (_worded, _flat, _answered, _short)
    found = {(item.start, item.end): item for read in readings for item in read(plain)}
    found |= {(item.start, item.end): item for item in _refuted(plain, discourse)}
    return [found[place] for place in sorted(found)]


def _worded(plain: str) -> Iterator[Verdict]:
    """Verdict words where a verdict is due."""
    questions = Cover(match.span() for match in _QUESTION.finditer(plain))
    for form in (_OPENING, _NAMED, _POINTED, _MARKED, _AGREE):
        for match in form.finditer(plain):
            start, end = match.start("not") if match["not"] else match.start("word"), match.end("word")
            word = match["word"].lower()
            if _elsewhere(form, match, word) or questions.touches(start, end):
                continue
            loose = form is _OPENING and match["loose"] is not None
            if (loose or form in (_NAMED, _POINTED)) and _CONCEDED.match(plain, end):
                continue
            value = _WORDS[word] is not bool(match["not"])
            if value and form is _OPENING and _SOCIAL.match(plain, end):
                continue
            contrast = _CONTRAST.match(plain, end)
            if contrast and _WORDS[contrast["word"].lower()] is not value:
                end = contrast.end()
            echo = None if value else _ECHO.match(plain, end) or _DENIED_ECHO.match(plain, end)
            end = echo.end() if echo else end
            denied = word in ("yes", "yep") and _DENIAL_NEXT.match(plain, end)
            yield Verdict(start, end, value, "a yes to a denial" if denied else "")


def _elsewhere(form: re.Pattern[str], match: re.Match[str], word: str) -> bool:
    """Whether a word of many uses stands where it may speak of something else."""
    if form is _OPENING:
        return word in _REPLIES and (match["turn"] is not None or match["loose"] is not None)
    if form is _POINTED:
        return word in _REPLIES and match["first"] is None
    return word == "indeed"


def _flat(plain: str) -> Iterator[Verdict]:
    """Phrases that deny or affirm as a whole: "the opposite is true", "it doesn't hold"."""
    for match in _FLAT_DENIAL.finditer(plain):
        yield Verdict(*match.span(), False)
    for match in _CALLED.finditer(plain):
        yield Verdict(*match.span(), _WORDS[match["word"].lower()] is not bool(match["not"]))
    for match in _HOLDS.finditer(plain):
        yield Verdict(match.start("not") if match["not"] else match.start(), match.end(), not match["not"])


def _answered(plain: str) -> Iterator[Verdict]:
    """A question and its denial: "True? I don't think so."."""
    for match in _ANSWERED.finditer(plain):
        yield Verdict(*match.span("reply"), not _WORDS[match["word"].lower()])


def _short(plain: str) -> Iterator[Verdict]:
    """A marked T or F, and a denial that opens the answer: "I don't think so"."""
    for match in _LETTERED.finditer(plain):
        yield Verdict(*match.span("letter"), _LETTERS[match["letter"]])
    denial = _DENIAL.match(plain)
    if denial:
        yield Verdict(*denial.span("said"), False)
    exclaimed = _EXCLAIMED.match(plain)
    if exclaimed and not _SOCIAL.match(plain, exclaimed.end("said")):
        yield Verdict(*exclaimed.span("said"), exclaimed["not"] is None)


def _refuted(plain: str, discourse: Discourse) -> Iterator[Verdict]:
    """Verdicts that are only reported and then called wrong: "answering yes is wrong"."""
    for match in _BARE.finditer(plain):
        value = _WORDS[match["word"].lower()]
        start, end = match.span()
        before, after = discourse.around(start, end)
        low = start - len(before.lstrip())
        wrong = _WRONG_NEXT.match(after)
        if wrong or mistaken(before):
            yield Verdict(low, end + (wrong.end() if wrong else 0), not value)
            continue
        rebuttal = _REBUTTAL.search(after) if attributed(before, after) else None
        if rebuttal and (value or re.search(r"n't|\bnot\b", rebuttal.group())):
            yield Verdict(end + rebuttal.start("said"), end + rebuttal.end(), not value)


def unread(plain: str, read: Sequence[Verdict], discourse: Discourse) -> Iterator[Verdict]:
    """Yes, no, true and false at the end of a clause that no reading took and nothing explains away."""
    if ticked(plain, _TICKED, re.I):
        return
    taken = Cover([(item.start, item.end) for item in read])
    questions = Cover(match.span() for match in _QUESTION.finditer(plain))
    for match in _CLOSING.finditer(plain):
        start, end = match.span()
        if taken.touches(start, end) or questions.touches(start, end):
            continue
        if discourse.stance(start, end)[0] is Stance.ASSERTED:
            yield Verdict(start, end, _WORDS[match["word"].lower()])
