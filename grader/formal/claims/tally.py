"""Verdicts option by option, and what is said of all options at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from grader.answer.candidates import Candidate, candidate
from grader.answer.notation import Text
from grader.formal.claims.options import Letters, Options

_YES = r"holds?|true|correct|right|yes|valid|T|✓|✔|✅|☑|√"
_NO = (
    r"not (?:true|correct|right|valid)|not(?=\s?(?:[.,;!)]|$))|false|incorrect|wrong|no|invalid|untrue"
    r"|fails?|do(?:es)?(?:n't| not) hold"
    r"|F|✗|✘|❌|✕|❎"
)
_VERDICT = rf"(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?![A-Za-z])"
_AT_ONCE = re.compile(
    rf"\W{{0,3}}(?:(?:also|both|all|clearly|therefore|definitely)\s)?{_VERDICT}(?!\s?:)", re.I
)
_AT_LAST = re.compile(
    rf"(?:(?:[-—:|(.]|->)\s{{0,2}}(?:this is\s|so\s)?|\s(?=[^\w\s])){_VERDICT}[\s.|)!*]*$", re.I
)
_LIKEWISE = re.compile(r"\s?(?:as well|too|also|likewise)\s?(?:[.,;!\n]|$)")
_ALL_OF = (
    r"(?P<all>\b(?:all|each|every one|everything)"
    r"(?:\s(?:of|the|them|these|those|statements?|options?|choices?|answers?|"
    r"above|listed|given|are|is|three|four|five|six|correct|true|right))*)"
)
_EXCEPT = re.compile(
    rf"{_ALL_OF},?\s(?:except|but|apart from|other than|save|excluding|besides)(?:\sfor)?\s"
    r"(?:(?:the\s)?(?:options?|statements?|choices?)\s)?[(\[\"']{0,2}$",
    re.I,
)
_ONLY = re.compile(
    r"(?:^|[.;:,\n]\s?)(?:\W{0,3})only\s(?:(?:the\s)?(?:options?|statements?|choices?)\s)?[(\[\"']{0,2}$",
    re.I,
)
"""What makes "only B and D are wrong" speak of all options."""
_SAID = re.compile(
    r"[)\]\"']{0,2}(?:\s(?:is|are|can be)\s(?:all\s|both\s)?(?:(?P<yes>correct|true|right|valid)|"
    r"(?P<no>wrong|incorrect|false|untrue|not (?:correct|true|right)|ruled out|excluded|eliminated|discarded)"
    r"))?\s?(?:[.,;!)\n]|$)",
    re.I,
)
_WHOLE = re.compile(
    r"(?<!not )\b(?P<which>all|none)\s(?:(?:of\s)?(?:the\s|these\s|those\s)?"
    r"(?:them|these|those|statements|options|choices|"
    r"above|(?:three|four|five|six)(?:\s(?:statements|options|choices))?))",
    re.I,
)


@lru_cache(maxsize=256)
def _items(names: str) -> re.Pattern[str]:
    """Where an item of a list of options begins: its letters and what parts them from the rest."""
    names = rf"{names}|(?:{names.lower()})(?=\))"
    return re.compile(
        r"(?:^|[\n|]|[.;,]\s(?:and\s)?|(?<=[✓✔✅☑√✗✘❌✕❎])[ ])"
        r"[ ]{0,4}(?:[-*•+][ ]|[0-9]{1,2}[.)][ ])?[|(\[\" ]{0,3}"
        r"(?:(?:statement|option|choice|answer)s?[ ])?"
        rf"(?P<names>(?-i:{names})(?:\s?(?:,|and|&|/)\s?(?:and\s)?(?-i:{names})){{0,8}})"
        r"(?:[)\]\".]{0,2}[ ]{0,2}(?:[:|=—-]|->|(?:is|are)\b(?=[ ]))|[)\].]{1,2}[ ]|"
        r"[ ]\((?=(?:true|false|correct|incorrect|right|wrong)\b)|"
        r"(?=[ ](?:holds?|fails?|do(?:es)?(?:n't| not) hold)\b)|"
        r"(?=[ ]\(?[✓✔✅☑√✗✘❌✕❎]))",
        re.I | re.M,
    )


@lru_cache(maxsize=256)
def _name(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{names}|{names.lower()})(?![A-Za-z])")


@lru_cache(maxsize=256)
def _alike(names: str) -> tuple[re.Pattern[str], ...]:
    """Options of which the verdict before them is said, too: "so is E", "and E as well"."""
    several = rf"(?P<names>(?:{names})(?:(?:,|,?\sand|\s&)\s(?:{names})){{0,6}})"
    return (
        re.compile(
            rf"\b[Ss]o\s(?:is|are|do|does)\s(?:options?\s|statements?\s)?{several}(?=\s?(?:[.,;!\n]|$))"
        ),
        re.compile(rf"\b(?:and|,)\s{several}(?:\s(?:is|are))?,?\s(?:as\swell|too|also|likewise)\b"),
    )


def _same_verdict(plain: str, names: str, start: int, end: int) -> Iterator[str]:
    for pattern in _alike(names):
        for match in pattern.finditer(plain, start, end):
            yield match["names"]


def judged(text: Text, options: Options) -> Candidate[Letters] | None:
    """The options affirmed by a list that gives each one listed its verdict."""
    plain = text.plain
    items = list(_items(options.names).finditer(plain))
    verdicts: dict[str, bool] = {}
    verdict: bool | None = None
    end = 0
    for index, item in enumerate(items):
        end = items[index + 1].start() if index + 1 < len(items) else len(plain)
        line = plain.find("\n", item.end(), end)
        end = end if line < 0 else line
        said = plain[item.end() : end]
        verdict = verdict if _LIKEWISE.match(said) else _verdict(said)
        named = " ".join((item["names"], *_same_verdict(plain, options.names, item.end(), end)))
        for letter in map(str.upper, _name(options.names).findall(named)):
            if verdict is None or verdicts.get(letter, verdict) is not verdict:
                return None
            verdicts[letter] = verdict
    affirmed = frozenset(letter for letter, verdict in verdicts.items() if verdict)
    if len(verdicts) < 2 or (not options.multiple and len(affirmed) != 1):
        return None
    if not affirmed and len(verdicts) < len(options.letters):
        return None
    return candidate(text, affirmed, items[0].start("names"), end)


def _verdict(said: str) -> bool | None:
    """What an item says of its options, at once or at its end."""
    found = [match for match in (_AT_ONCE.match(said), _AT_LAST.search(said)) if match]
    verdicts = {match["yes"] is not None for match in found}
    return verdicts.pop() if len(verdicts) == 1 else None


def complement(text: Text, options: Options, named: Candidate[Letters]) -> Candidate[Letters]:
    """The options that "all except A and C" leaves, or the candidate itself."""
    plain, (start, end) = text.plain, named.plain
    opening = _EXCEPT.search(plain, max(0, start - 90), start)
    said = _SAID.match(plain, end)
    only = _ONLY.search(plain, max(0, start - 30), start)
    if options.multiple and only and said and said["no"]:
        rest = frozenset(options.letters) - named.value
        return candidate(text, rest, only.start(), _said_end(said), doubt=named.doubt)
    if opening is None or said is None:
        return named
    value = named.value if said["no"] else frozenset(options.letters) - named.value
    return candidate(text, value, opening.start(), _said_end(said), doubt=named.doubt)


def _said_end(said: re.Match[str]) -> int:
    """Where a predicate ends, or what it would be said of."""
    return max(said.start(), said.end("yes"), said.end("no"))


def whole(text: Text, options: Options) -> Iterator[Candidate[Letters]]:
    """All options or none of them, where several may be chosen."""
    for match in _WHOLE.finditer(text.plain) if options.multiple else ():
        said = _SAID.match(text.plain, match.end())
        if said:
            every = (match["which"].lower() == "all") is not bool(said["no"])
            value = frozenset(options.letters) if every else frozenset[str]()
            yield candidate(text, value, match.start(), _said_end(said))
