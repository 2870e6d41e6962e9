"""Where a text may be cut without cutting a number, a word, a name or a formula.

All rules see the text around a cut as a reader does: unseen characters are left
out, and emphasis or dollar signs right at the cut are looked through.
"""

from __future__ import annotations

import re
import unicodedata

from grader.judge.hostile.unseen import without
from grader.judge.numerals import divides, last_word

_NEAR = 40
"""Characters on either side of a cut that are looked at."""
_SUPERSCRIPT = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_APOSTROPHE = "'’"
_HYPHENS = "-‐‑–−﹣－"
_HYPHEN = f"[{_HYPHENS}]"
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Scripts that put no space between words."""
_MARKUP = r"(?:\*\*|__|[`$]|</?su[bp]>)+"
_MARKUP_BEFORE = re.compile(rf"{_MARKUP}$")
_MARKUP_BEHIND = re.compile(rf"(?:{_MARKUP}|\}})+(?!\s|$)")
_EXPONENT = re.compile(r"[eE][-+−]?[0-9]")

_FORMULA = re.compile(r"(?<![^\W_])(?:(?:[A-Z][a-z]?[0-9]*|[()\[\]{}][0-9]*)+|e)$")
_CHARGE = re.compile(r"[-+−‐‑⁻⁺﹣－＋•˙]+(?![^\W_])")

_NEGATING = frozenset(
    {"anti", "non", "un", "in", "im", "ir", "il", "dis", "de", "mis", "counter", "contra"}
    | {"not", "no", "never", "without"}
)
"""Words that turn what follows their hyphen into its contrary."""
_LACKING = re.compile(rf"{_HYPHEN}(?:free|less|lacking|deficient|independent|inactive)(?![^\W_])", re.I)

_NUMBERED = r"[0-9]+[a-z]?['’′]*"
_LOCANT = (
    rf"(?:(?:{_NUMBERED}|[NOSP]|[α-ω])(?:,(?:{_NUMBERED}|[NOSP]|[α-ω]))*"
    r"|\([0-9]*[RSEZrs](?:,[0-9]*[RSEZrs])*\))"
)
_LONGEST_LOCANT = 20
_LOCANT_BEFORE = re.compile(rf"(?<![^\W_]){_LOCANT}({_HYPHEN}?)$")
_NAME_BEFORE = re.compile(rf"[^\W\d_]({_HYPHEN}?)$")
_NAME_BEHIND = re.compile(rf"({_HYPHEN}?)[^\W\d_(]")
_LOCANT_BEHIND = re.compile(rf"({_HYPHEN}?){_LOCANT}{_HYPHEN}[^\W\d_(\[]")


def inside(text: str, at: int) -> bool:
    """Whether a cut at this place falls inside a number, a word, a name, a formula or a character."""
    if at in (0, len(text)):
        return False
    head, tail = text[max(0, at - _NEAR) : at], text[at : at + _NEAR]
    if not (head.isascii() and tail.isascii() and head.isprintable() and tail.isprintable()):
        head, tail = without(head), without(tail)
        if not head or not tail:
            # So many unseen characters stand nowhere but where something is to be hidden.
            return at > _NEAR if not head else at + _NEAR < len(text)
    return _cut(head, tail) or _cut_in_markup(head, tail)


def _cut_in_markup(head: str, tail: str) -> bool:
    if head[-1] not in "*_`$>" and tail[0] not in "*_`$<}":
        return False
    bare_head, bare_tail = _MARKUP_BEFORE.sub("", head), _MARKUP_BEHIND.sub("", tail)
    return bool(bare_head and bare_tail) and _cut(bare_head, bare_tail)


def _cut(head: str, tail: str) -> bool:
    before, after = head[-1], tail[0]
    if before.isspace() and not after.isdigit():
        return after.isalpha() and (_negated(head) or last_word(head[:-1]).casefold() == "non")
    return (
        unicodedata.combining(after) != 0
        or (before.isalnum() and after.isalnum() and _in_token(head, tail))
        or divides(head, tail)
        or _at_script(head, tail)
        or _at_apostrophe(head, tail)
        or _at_charge(head, tail)
        or _at_hyphen(head, tail)
    )


def _in_token(head: str, tail: str) -> bool:
    """Between two letters or digits only a number and its unit, or a coefficient and its formula, part."""
    if _UNSPACED.match(head[-1]) or _UNSPACED.match(tail[0]):
        return False
    return not last_word(head).isdecimal() or tail[0].isnumeric() or _EXPONENT.match(tail) is not None


def _at_script(head: str, tail: str) -> bool:
    """A subscript, exponent or charge begins here, or just began."""
    before, after, further = head[-1], tail[0], tail[1:2]
    if after in _SUPERSCRIPT:
        return before.isalnum() or before in ")]}" + _SUPERSCRIPT
    if after in "^_":
        return (before.isalnum() or before in ")]}") and (further.isalnum() or further in tuple("{\\-+−"))
    if after.isdigit() and before in ")]}":
        return True
    return before in "^_" and after.isalnum() and head[-2:-1].isalnum()


def _at_apostrophe(head: str, tail: str) -> bool:
    """A word goes on before or behind its apostrophe."""
    if tail[0] in _APOSTROPHE:
        return head[-1].isalpha() and tail[1:2].isalpha()
    return head[-1] in _APOSTROPHE and tail[0].isalpha() and head[-2:-1].isalpha()


def _at_charge(head: str, tail: str) -> bool:
    """A formula goes on with its charge, or with the dot of a radical."""
    return _CHARGE.match(tail) is not None and _FORMULA.search(head) is not None


def _at_hyphen(head: str, tail: str) -> bool:
    """Here ends a prefix or begins an ending that says the contrary, or a name goes on at a locant."""
    if head[-1] not in _HYPHENS and tail[0] not in _HYPHENS:
        return False
    if tail[0].isalnum() and _negated(head):
        return True
    if head[-1].isalnum() and _LACKING.match(tail):
        return True
    return _hyphened(_LOCANT_BEFORE, head, _NAME_BEHIND, tail) or _hyphened(
        _NAME_BEFORE, head, _LOCANT_BEHIND, tail
    )


def _negated(head: str) -> bool:
    """A hyphen ends it, and before that stands a prefix that says the contrary."""
    close = head.rstrip(_HYPHENS + " \n")
    return len(close) < len(head.rstrip()) and last_word(close.rstrip("*_")).casefold() in _NEGATING


def _hyphened(before: re.Pattern[str], head: str, behind: re.Pattern[str], tail: str) -> bool:
    """The two are joined by one hyphen, on either side of the cut."""
    second = behind.match(tail)
    first = before.search(head, max(0, len(head) - _LONGEST_LOCANT)) if second else None
    return first is not None and second is not None and bool(first[1]) != bool(second[1])
