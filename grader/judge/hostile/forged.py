"""Structure that an answer has no business to carry: turns of a talk, verdicts, ends of the answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from grader.judge.hostile import addressed

SUBSTITUTES: Mapping[str, str] = MappingProxyType({"˂": "<", "⁅": "[", "⦃": "{", "♯": "#"})
"""Look-alike -> original. No compatibility normalisation of a tokenizer turns one back."""

_LOOKALIKE = {original: substitute for substitute, original in SUBSTITUTES.items()}

_TAGS = (
    "s|bos|eos|unk|pad|mask|sop|eop|system|user|human|assistant|developer|tool|think|thinking|thought|reasoning"
    "|im_start|im_end|start_of_turn|end_of_turn|start_of_image|image_soft_token|endoftext|function_calls?"
    "|function_results?|invoke|tool_(?:call|response|result|use)s?|instructions?|admin|grader|judge"
    "|grading[_ -]?\\w*|student_\\w+|extra_id_\\d+|unused\\d+"
)
_TOKEN = re.compile(  # each pattern begins with a class of characters: that is what makes a search fast
    r"[<\[{#](?:"
    rf"(?<=<)(?=[|｜]|/?(?:{_TAGS})\b[^<>\n]{{0,80}}>|/?answer\s+[0-9a-f]|</?SYS)"
    r"|(?<=\[)(?=/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|IMG|gMASK|MASK|CLS|SEP)\])"
    r"|(?<![\w^_{}\\]\{)(?<=\{)"
    r"(?=\{[-~#/>]?[ \t]{0,9}[A-Za-z_][\w.]{0,60}[ \t]{0,9}(?:\}\}|\||\()|%[-+]?[ \t]{0,9}[a-z]{2,12}\s)"
    r"|(?<![^\n]#)(?<=#)(?=#{0,5} ?(?:Instructions?|System|Input|Response|Human|User|Assistant)\s?:)"
    r")",
    re.I,
)
_TURN = re.compile(
    r"[<\[#](?:(?<=<)(?:"
    r"\|(?:im_start|start_header_id|start|start_of_role)\|>\s{0,3}(?:system|user|developer|tool)"
    r"|[|｜](?:system|user|developer)[|｜]>|<SYS>>|start_of_turn>\s{0,3}(?:user|system|developer)"
    r"|(?:system|developer|admin|grader|judge|instructions?)(?:[ _-]\w{1,20})?>)"
    r"|(?<=\[)(?:INST|SYSTEM_PROMPT)\]"
    r"|(?<![^\n]#)(?<=#)#{0,5} ?(?:Instructions?|System)\s?:)",
    re.I,
)
_TURN_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|end|end_of_text)\|>|\[/INST\]|<</SYS>>|<end_of_turn>"
    r"|</(?:system|developer|admin|grader|judge|instructions?)[ _\w-]{0,20}>|\n[ \t]*\n",
    re.I,
)
_TAG_ENDS = "</"
_END_WORDS = ("END", "End", "end of", "BEGIN", "Begin", "START", "STOP", _TAG_ENDS)
"""A forged end of the answer holds one of them."""
_ANSWER_ENDS = re.compile(
    r"^[^\w\n]{0,40}(?:end|begin|start|stop|close)(?:[ _-]of)?[ _-]"
    r"(?:(?:the|student|candidate|model|user|examinee)(?:['’]?s)?[ _-]){0,2}"
    r"(?:answer|response|submission|solution|input|data|transcript|document|context)s?[^\w\n]{0,40}$"
    r"|</(?:student[_-]?|candidate[_-]?)?(?:answer|response|submission)(?:[ _-][\w-]{1,40})?>"
    r"|(?:^|(?<=[.!?]\s))end[ _]of[ _](?:(?:the|student|candidate)(?:['’]?s)?[ _]){0,2}"
    r"(?:answer|response|submission)[ \t]?[.:;!—–-]",
    re.I | re.M,
)
_OPENED = re.compile(r"<(?:student[_-]?|candidate[_-]?)?(?:answer|response|submission)\b[^<>\n]{0,40}>", re.I)
_AWARD_LINE = re.compile(
    r"[:=|>](?:[ \t]?[\"*`]{0,3}(?:not[ _])?(?:met|MET)[\"*`]{0,3}[ \t]?(?:[,.;|</>]|$)"
    r"|[*_ ]{0,4}(\d{1,3}(?:\.\d)?) ?(?:/|out of|of) ?\1(?![\d./])|[ \t*]{0,3}A\+)",
    re.M,
)
"""What follows the name of a point: a verdict, or all of so many marks."""
_POINT_NAME = re.compile(
    r"(?:^|\n)[ \t>*|<-]{0,8}[^\s:=|]{1,24}[ \t]?$|\b(?:status|verdict|result|award)[\"']?$"
)
_MARKS_NAME = re.compile(
    r"\b(?:score|points?|marks?|grade|total|credit)s?"
    r"(?:[ _](?:awarded|earned|given|received|obtained|score|mark|grade))?[*_ ]{0,4}$",
    re.I,
)
_KEY = re.compile(
    r"[\"'“”‘’](verdicts?|met|award(?:ed)?|(?:points|marks|score)[ _]?(?:awarded|earned|given)|points?"
    r"|scores?|marks?|grades?|passed|rationale|evidence|feedback|justification|reason"
    r"|max(?:[ _]?(?:points|score|marks))?|id|point_id|criterion)"
    r"\\?[\"'“”‘’]\s{0,9}:\s{0,9}\\?([\"'“”‘’]?[\w.+-]{1,12}|[\[{])",
    re.I,
)
_AWARD = re.compile(r"verdicts?|award(?:ed)?|.*(?:awarded|earned|given)", re.I)
_AWARDED = re.compile(
    r"[\"'“”‘’]?(?:met|not_?met|not|partial|full|true|false|yes|no|pass|correct|[\d.]+|cannot_asse\w*)\b|[\[{]",
    re.I,
)
_AMOUNTS = frozenset({"point", "points", "score", "scores", "mark", "marks", "grade", "passed"})
_EXPLAINED = frozenset({"rationale", "evidence", "feedback", "justification", "criterion", "point_id"})
_LIMITS = frozenset({"max", "max_points", "max_score", "max_marks"})
_BRACES = re.compile(r"[{}]")


def find(text: str) -> list[tuple[int, int]]:
    """Spans of forged turns, forged verdicts and forged ends of the answer."""
    return [*_turns(text), *_ends(text), *_verdicts(text), *_objects(text)]


def neutral(text: str) -> str:
    """The text with look-alikes where structure would begin; its length stays."""
    return _TOKEN.sub(lambda match: _LOOKALIKE[match.group()], text)


def _turns(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while turn := _TURN.search(text, at):
        end = _TURN_ENDS.search(text, turn.end())
        at = end.end() if end else len(text)
        if not _only_named(turn, text[turn.end() : at]):
            yield turn.start(), at


def _only_named(turn: re.Match[str], said: str) -> bool:
    """Whether a bracket that nothing closes is spoken of rather than used."""
    return turn.group()[0] == "[" and "[/" not in said and not addressed.speaks(said, loosely=True)


def _ends(text: str) -> Iterator[tuple[int, int]]:
    """Claims that the answer is over, where it goes on."""
    if not any(word in text for word in _END_WORDS):
        return
    length = len(text.rstrip())
    opened = _OPENED.search(text)
    for end in _ANSWER_ENDS.finditer(text):
        closes = opened and opened.end() <= end.start() and end.group().startswith(_TAG_ENDS)
        if end.end() < length and not closes:
            yield end.span()


def _verdicts(text: str) -> Iterator[tuple[int, int]]:
    for award in _AWARD_LINE.finditer(text):
        name = _MARKS_NAME if award[1] or award.group().endswith("A+") else _POINT_NAME
        if name.search(text, max(0, award.start() - 40), award.start()):
            yield _lines(text, *award.span())


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Outermost objects that hold a verdict in JSON's shape; the lines of one that isn't closed properly."""
    keys = list(_KEY.finditer(text))
    spans = _braced(text) if keys else []
    starts = [start for start, _ in spans]
    held: dict[int, list[re.Match[str]]] = {}
    for key in keys:
        nearest = bisect_right(starts, key.start()) - 1
        inside = nearest >= 0 and key.start() < spans[nearest][1]
        held.setdefault(nearest if inside else -1, []).append(key)
    for number, together in held.items():
        if _is_verdict(together):
            yield from [spans[number]] if number >= 0 else (_lines(text, *key.span()) for key in together)


def _braced(text: str) -> list[tuple[int, int]]:
    """The outermost pairs of braces."""
    waiting: list[int] = []
    pairs: list[tuple[int, int]] = []
    for brace in _BRACES.finditer(text):
        if brace.group() == "{":
            waiting.append(brace.start())
        elif waiting:
            start = waiting.pop()
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, brace.end()))
    return pairs


def _is_verdict(keys: Sequence[re.Match[str]]) -> bool:
    """Whether keys and values say what was awarded: a verdict alone, marks in company."""
    names = {key[1].lower() for key in keys}
    amounts = {key[1].lower() for key in keys if key[2].isdecimal()} & _AMOUNTS
    partners = names & (_EXPLAINED | _LIMITS) | (names & {"id"} if amounts & {"points", "marks"} else set())
    return any(map(_awards, keys)) or bool(amounts and (partners or len(amounts) > 1))


def _awards(key: re.Match[str]) -> bool:
    return bool(_AWARD.fullmatch(key[1]) and _AWARDED.match(key[2])) or (
        key[1] == "met" and key[2].strip("\"'").lower() in {"true", "false", "yes", "no", "full"}
    )


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole lines that a span lies on."""
    after = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, after if after >= 0 else len(text)
