"""Values that a response names without standing by them: denied as claims, nearly so, on a condition.

Each reading is of what stands before a value, up to it, or of what follows it.
"""

from __future__ import annotations

import re

from grader.answer.guard import may_match, stems

IN_CLAUSE = r"(?:[^.;\n]|\.(?=\d))"
"""A character that ends no clause: a decimal point is one."""
SMALL_WORDS = (
    r"(?:(?:the|a|an|be|is|are|option|answer|choice|equal|to|compound|structure|formula|letter|value|of|at|as|in|"
    r"for|that|exactly|just|simply|it|(?:it|that|this)'s|statement|with|give|have|follow|obey|"
    r"asked|wanted|meant|[A-Z][a-z]?(?=\()|[^\s=<>,;]{1,14}\s?=)\s{0,3}){0,5}"
)
"""What may stand between a cue and the value that it is about."""
_OF_WHAT = r"(?:(?:the|this|its)\s)?(?:(?!not\b)[^\s.,;:]{1,20}\s){1,4}(?:is|are|has|have|=|equals)\s"
_DENIED_CLAIM = re.compile(
    r"(?:(?:n't|\bnot)\s(?:(?:true|correct|right|the case|so)\sthat|(?:think|believe|accept)(?:\sthat)?)"
    r"|\bcannot\s(?:believe|accept)(?:\sthat)?|\b(?:false|wrong|untrue|incorrect|mistaken)\sthat"
    r"|(?<!no )(?<!little )(?<!without )\bdoubt(?:\sthat)?|\bno way(?:\sthat)?"
    r"|\brefuse to (?:say|accept|believe)(?:\sthat)?"
    r"|\b(?:wrong|incorrect|false|rejected)\s(?:answers?|options?|claims?|statements?)\s(?:is|are|includes?)):?\s"
    rf"{_OF_WHAT}(?:(?:the|an?|in|at|equal|to)\s){{0,3}}[\"'(\[*`]{{0,3}}$",
    re.I,
)
"""A claim denied as a whole, of which the value is the predicate: "I doubt that manganese is"."""
_OVER_ANOTHER = re.compile(
    r"\b(?:prefer|favou?r|choose|pick|take|select)(?:red|ed|s|ing)?\s"
    rf"{IN_CLAUSE}{{1,80}}?\sover\s{SMALL_WORDS}[\"'(\[*`]{{0,3}}$",
    re.I,
)
_CLAIM_STEMS = stems("""n't not false wrong untrue incorrect mistaken doubt way refuse rejected over""")
_OVERCOME = re.compile(
    r"^[\"')\]`*]{0,3}\s(?:(?:must|has to|then|thus|therefore)\s)?"
    r"(?:los(?:es?|t)\s(?:out\s)?(?:against|to)|(?:gives?|gave)\sway\sto|comes\ssecond\sto"
    r"|(?:is|was|are|were)\s(?:easily\s|clearly\s)?(?:outcompeted|beaten|outweighed|overruled|superseded)\sby)\b",
    re.I,
)
"""What another value is better than: "A loses against B"."""
_ON_CONDITION = re.compile(
    r"^[\"')\]`*]{0,3}(?:\sholds?\s(?:true\s)?(?:if|when|only|for|at|under|in|provided|as long as)\b"
    r"|(?:,|\sholds?|\sis\s(?:true|correct|right|valid))?\s(?:but\s)?(?:only\s)?"
    r"(?:provided(?!\s(?:by|in|as|with|above|for|here|to)\b)|(?:as|so) long as"
    r"|on (?:the )?condition that)\b)",
    re.I,
)
"""What makes a value one that holds on a condition only."""
_NEARLY = re.compile(
    rf"\b(?:almost|nearly|virtually|practically|just short of|not quite)\s[\"'(\[*`]{{0,3}}"
    rf"{SMALL_WORDS}[\"'(\[*`]{{0,3}}$",
    re.I,
)
"""What is next to a value isn't that value."""
_UNSURE_AND_THINKING = re.compile(
    r"\b(?:I am|I'm|we are|we're)\s(?:not\s(?:\w{1,12}\s)?(?:sure|certain)|unsure|uncertain)\b"
    r"(?:[.;,:—-]|\sbut|\sand|\s){1,4}(?:I|we|my|it|but)?\s?"
    r"(?:think|guess|suppose|believe|suspect|would guess|would say|'d say|'d guess|guess is|seems|looks)\b"
    r"(?:[^.;\n]|\.(?=\d)){0,60}$",
    re.I,
)
"""A hedge on a hedge: "I'm not sure; I think"."""
_UNSURE = re.compile(r"\b(?:not (?:\w{1,12} )?(?:sure|certain)|unsure|uncertain)\b", re.I)
_REVERSE = re.compile(
    r"\bthe\s(?:reverse|opposite|converse|backward|inverse|back)(?:\s(?:reaction|process|step|direction|change))?"
    r"\s(?:is|would be|must be|will be|being)\s(?:(?:therefore|thus|then|of course|an?|the)\s){0,2}\W{0,3}$",
    re.I,
)


def denied_claim(clause: str) -> bool:
    """Whether a value is the predicate of a denied claim, or what another is preferred to."""
    if not may_match(clause, _CLAIM_STEMS):
        return False
    return bool(_DENIED_CLAIM.search(clause) or _OVER_ANOTHER.search(clause))


def overcome(after: str) -> bool:
    """Whether what follows says that another value is better."""
    return _OVERCOME.match(after) is not None


def of_the_reverse(clause: str) -> bool:
    """Whether a value is said of the reverse of what is asked: "the reverse is exothermic"."""
    return _REVERSE.search(clause) is not None


def only_nearly(before: str) -> bool:
    """Whether a value is only nearly reached."""
    return _NEARLY.search(before) is not None


def on_condition(after: str) -> bool:
    """Whether what follows makes a value hold on a condition only."""
    return _ON_CONDITION.match(after) is not None


def unsure(plain: str) -> bool:
    """Whether a text says anywhere that it isn't sure."""
    return _UNSURE.search(plain) is not None


def twice_hedged(before: str) -> bool:
    """Whether what stands before a value, sentences too, isn't sure and then only thinks it."""
    return _UNSURE_AND_THINKING.search(before) is not None
