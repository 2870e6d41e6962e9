"""Statements that a response only reports: what others think, what tempts, what would hold elsewhere."""

from __future__ import annotations

import re


def any_of(phrases: str) -> str:
    """An alternation of phrases, separated by commas."""
    each = (" ".join(phrase.split()) for phrase in phrases.split(","))
    return "(?:" + "|".join(phrase for phrase in each if phrase) + ")"


_WITHIN = r"(?:(?!,\sbut\b)[^.;:\n]|\.(?=\d)){0,60}$"
"""What may stand between a frame and what it frames."""
_SAY = any_of(
    """say, says, said, think, thinks, answer, answers, believe, believes, assume, assumes, expect, expects,
    guess, guesses, claim, claims, write, writes, argue, argues, pick, picks, choose, chooses, select,
    selects, conclude, concludes, call, mark, marks, go for, opt for, put, state, states, suggest, suggests,
    chose, picked, thought, answered, guessed, believed, wrote, claimed, argued, assumed"""
)
_SPEAKING = any_of("saying, answering, thinking, writing, claiming, choosing, picking, assuming, believing")
_LURES = any_of(r"obvious, naive, na\u00efve, intuitive, tempting, popular, knee-jerk, common, superficial")
_CHOICES = any_of("answer, choice, option, guess, response, pick, idea, assumption, reply")
_SOMEONE = any_of(
    r"""students?, people, someone, somebody, anyone, anybody, beginners?, learners?, those, others,
    (?:the |my |your |some |many |most )?(?:text)?books?, classmates?, the key, the answer key,
    the literature, the internet, wikipedia, friends?, teachers?,
    (?:many|some|most|several|few)(?: of (?:us|them))?"""
)
_HELPERS = (
    r"(?:\s(?:who|that|often|would|might|may|could|will|probably|usually|sometimes|always|tend to|still|"
    r"wrongly|mistakenly)){0,3}"
)
_ATTRIBUTED_BEFORE = re.compile(
    rf"\b(?:{_LURES}\s(?:wrong\s|first\s)?{_CHOICES}\s(?:here\s)?(?:is|was|would be|might be|seems|to be)"
    rf"|{_SOMEONE}{_HELPERS}\s{_SAY}"
    rf"|(?:one|you|we)\s(?:might|could|may|would)"
    rf"(?:\s(?:be tempted to|naively|first|well|at first)){{0,2}}\s{_SAY}"
    rf"|i was (?:going|about) to\s{_SAY}|tempted\s(?:by|to)|tempting\s(?:to|for)|seduced by)\b{_WITHIN}",
    re.I,
)
_MISTAKEN_BEFORE = re.compile(
    r"\b(?:misconceptions?|myths?|fallacy|mistakes?|errors?|traps?|pitfalls?|misbelief|misunderstanding)\s"
    r"(?:here\s)?(?:(?:is|would be|was)\s)?"
    rf"(?:that|to\s{_SAY}|of\s{_SPEAKING})\b{_WITHIN}",
    re.I,
)
_ATTRIBUTED_AFTER = re.compile(
    rf"^[\"')\]]{{0,2}},?\s(?:(?:is|was)\s(?:what\s[^.;\n]{{0,40}}\b{_SAY}\b|"
    rf"(?:the|a|an)\s{_LURES}\s{_CHOICES}\b)"
    r"|(?:is|was|seems|looks|appears|would be)\s(?:very\s)?(?:tempting|attractive|appealing)\b"
    rf"|was my\s(?:first\s|initial\s|original\s)?{_CHOICES}\b"
    r"|(?:would|might|could)\s(?:be|have been|hold|seem)\b"
    r"(?:\s(?:right|correct|true|false|the (?:right |correct )?(?:answer|choice|case|option)))?"
    r"\s(?:if|for|were|had|only|in|under|when|at)\b)",
    re.I,
)


def attributed(before: str, after: str) -> bool:
    """Whether what stands between is only reported as others' or the tempting answer."""
    return bool(_ATTRIBUTED_BEFORE.search(before) or _ATTRIBUTED_AFTER.match(after))


def mistaken(before: str) -> bool:
    """Whether what follows is reported as a mistake: "it is a misconception that ..."."""
    return _MISTAKEN_BEFORE.search(before) is not None
