"""LaTeX and mhchem to the plain spelling, by known commands only.

A backslash before anything else stays: in SMILES it is a bond.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from grader.answer import siunitx
from grader.answer.traced import Piece, Traced

_DEPTH = 6
"""How deep nested groups are unwrapped."""


def _pairs(words: str) -> dict[str, str]:
    """Names and letters that alternate in a text."""
    each = words.split()
    return dict(zip(each[::2], each[1::2], strict=True))


GREEK: dict[str, str] = _pairs(
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν "
    "xi ξ pi π rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ "
    "Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω"
)
_SYMBOLS: dict[str, str] = {
    **GREEK,
    **dict.fromkeys(("times",), "×"),
    **dict.fromkeys(("cdot", "bullet", "centerdot"), "·"),
    **dict.fromkeys(("pm", "mp"), "±"),
    **dict.fromkeys(("approx", "simeq", "cong", "doteq"), "≈"),
    **dict.fromkeys(("sim",), "~"),
    **dict.fromkeys(("leq", "le", "leqslant"), "≤"),
    **dict.fromkeys(("geq", "ge", "geqslant"), "≥"),
    **dict.fromkeys(("ll",), "<<"),
    **dict.fromkeys(("gg",), ">>"),
    **dict.fromkeys(("lt",), "<"),
    **dict.fromkeys(("gt",), ">"),
    **dict.fromkeys(("neq", "ne"), "≠"),
    **dict.fromkeys(
        ("to", "rightarrow", "longrightarrow", "Rightarrow", "Longrightarrow", "implies", "mapsto"), "->"
    ),
    **dict.fromkeys(("leftarrow", "longleftarrow", "Leftarrow"), "<-"),
    **dict.fromkeys(("rightleftharpoons", "leftrightharpoons", "rightleftarrows"), "<=>"),
    **dict.fromkeys(("leftrightarrow", "leftrightarrows", "longleftrightarrow"), "<=>"),
    **dict.fromkeys(("Leftrightarrow", "iff"), "<=>"),
    **dict.fromkeys(("uparrow",), "↑"),
    **dict.fromkeys(("downarrow",), "↓"),
    **dict.fromkeys(("circ", "degree", "ominus", "standardstate"), "°"),
    **dict.fromkeys(("ddagger", "ddag"), "‡"),
    **dict.fromkeys(("dagger", "dag"), "†"),
    **dict.fromkeys(("prime",), "'"),
    **dict.fromkeys(("infty",), "∞"),
    **dict.fromkeys(("div",), "/"),
    **dict.fromkeys(("quad", "qquad", "enspace", "thinspace", "space"), " "),
    **dict.fromkeys(("ldots", "dots", "cdots"), "..."),
    **dict.fromkeys(("ln", "log", "exp", "lg"), ""),
    **dict.fromkeys(("therefore",), " so "),
    **dict.fromkeys(("left", "right", "big", "Big", "bigg", "displaystyle", "limits", "rm", "bf", "it"), ""),
    **dict.fromkeys(("small", "footnotesize", "scriptsize", "tiny"), ""),
    **dict.fromkeys(("AA", "angstrom"), "Å"),
    **dict.fromkeys(("percent",), "%"),
    **dict.fromkeys(("lbrack",), "["),
    **dict.fromkeys(("rbrack",), "]"),
}
_FUNCTIONS = ("ln", "log", "exp", "lg")

_WRAPPERS = (
    "text|textbf|textit|textrm|textsf|texttt|textnormal|emph|underline|mathrm|mathbf|mathit|mathsf|mathtt|"
    "mathbb|mathcal|boldsymbol|bm|operatorname|rm|mbox|hbox|ce|cee|pu|boxed|fbox|framebox|num|si|unit|"
    "overline|bar|tilde|hat|vec|smash|ensuremath|Ce|cancel|mathchar|ch"
)
_WRAPPER = re.compile(rf"\\(?:{_WRAPPERS})\*?(?:\[[a-z][a-z=,-]{{0,60}}\])?[ ]?\{{([^{{}}]*)\}}")
_SMALL_CAPITALS = re.compile(r"\\textsc[ ]?\{([a-z])\}", re.I)
"""A descriptor: L and D are set in small capitals."""
_MATH = re.compile(r"\\\((.{0,2000}?)\\\)|(?<!\w)\\\[(.{0,4000}?)\\\]", re.S)
_LIST = re.compile(r"\\(?:begin|end)\{(?:itemize|enumerate|description)\}(?:\[[^\]\n]{0,40}\])?")
_ITEM = re.compile(r"\n?[ ]{0,8}\\item(?![A-Za-z])[ ]?")
_DOLLARS = re.compile(r"\\?\$\$?")
_SCRIPT = re.compile(r"\^[ ]?\{([^{}]*)\}")
_SUBSCRIPT = re.compile(r"_[ ]?\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dtc]?frac[ ]?\{([^{}]*)\}[ ]?\{([^{}]*)\}")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac[ ]?([0-9])[ ]?([0-9])")
_ROOT = re.compile(r"\\sqrt[ ]?\{([^{}]*)\}")
_TWO_ARGUMENTS = re.compile(r"\\(?:SI|qty)(?:\[[^\]\n]{0,80}\])?[ ]?\{([^{}]*)\}[ ]?\{([^{}]*)\}")
_NESTING = r"\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,80}\}){0,120}\}){0,200}\}"
"""A group that holds groups, two deep."""
_ARROW = re.compile(
    rf"\\x(?P<kind>[a-z]{{4,20}}(?:arrows?|harpoons))(?:\[[^\]\n]{{0,200}}\])?(?:[ ]?{_NESTING})?", re.I
)
_OVER_ARROW = re.compile(
    rf"\\(?:overset|stackrel|underset)[ ]?{_NESTING}[ ]?"
    r"(?:\{[ ]?(?P<braced>\\[A-Za-z]{2,24}(?:arrows?|harpoons|to))[ ]?\}|(?P<bare>\\[A-Za-z]{2,24}arrow))"
)
"""An arrow with what stands over or under it."""
_NAMES = "|".join(sorted(_SYMBOLS, key=len, reverse=True))
_COMMAND = re.compile(rf"\\({_NAMES})(?![A-Za-z])[ ]?")
_MEETING = re.compile(rf"(\\(?:{_NAMES}))(\\?\$\$?|\\\))(?=[A-Za-z])")
"""Math that ends in a command before a letter: once its end is gone the two would be one word."""
_PIECES = re.compile(r"(_\{[0-9]{1,2}\})[ ]+(?=\\(?:mathrm|text)\{[A-Z])")
"""A formula whose elements are set one by one; in math a space says nothing."""
_PRESCRIPT = re.compile(r"\\prescript[ ]?\{([^{}\n]{0,9})\}[ ]?\{([^{}\n]{0,9})\}")
_SPACE = re.compile(r"\\[,;:!> ]|\\\\(?=\s)")
_ESCAPED = re.compile(r"\\(%(?![0-9])|[&$#{}_])")
_BRACED_MARK = re.compile(r"\{([,.'])\}|(?<=[0-9})\]])\{(-)\}(?=[A-Z\\])")
_TIE = re.compile(r"(?<=[0-9}])~(?=[\\A-Za-z])|(?<=[A-Za-z])~(?=[\\A-Za-z])(?=[^$\n]{0,80}[$}])")
"""A space that doesn't break: after a digit or brace, or between letters within math."""
_GROUP = re.compile(r"\{([^{}\"\n]*)\}")
_SUBSCRIPT_DIGITS = re.compile(r"(?<=[A-Za-z)\]])_([0-9]{1,4})(?![A-Za-z])")
_EMPTY_SCRIPT = re.compile(r"\^(?=\s(?![ ]?[-+(]?[0-9])|$)|\^(?=[°'‡†])")


def _fraction(match: re.Match[str]) -> tuple[Piece, ...]:
    parts = (match.span(1), match.span(2))
    simple = all(len(match.group(group).split()) <= 1 for group in (1, 2))
    if simple and not re.search(r"[-+*/×·]", match.group(1) + match.group(2)):
        return (parts[0], "/", parts[1])
    return ("(", parts[0], ")/(", parts[1], ")")


def _script(match: re.Match[str]) -> tuple[Piece, ...]:
    return ("^", match.span(1)) if match.group(1).strip() else ()


def _subscript(match: re.Match[str]) -> tuple[Piece, ...]:
    content = match.group(1).strip()
    if not content:
        return ()
    return (match.span(1),) if content.isdigit() else ("_", match.span(1))


def _labelled_arrow(match: re.Match[str]) -> tuple[Piece, ...]:
    kind = match["kind"].lower()
    if "left" not in kind:
        return ("->",)
    return ("<=>",) if "right" in kind else ("<-",)


def _command(match: re.Match[str]) -> tuple[Piece, ...]:
    name = match.group(1)
    if name in _FUNCTIONS:
        return (match.span(1), " ")
    return (_SYMBOLS[name],)


def _inner(match: re.Match[str]) -> tuple[Piece, ...]:
    return (match.span(match.lastindex or 0),)


_NESTED: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Sequence[Piece]]], ...] = (
    (_TWO_ARGUMENTS, lambda match: (match.span(1), " ", match.span(2))),
    (_WRAPPER, _inner),
    (_SMALL_CAPITALS, lambda match: (match.group(1).upper(),)),
    (_FRACTION, _fraction),
    (_ROOT, lambda match: ("sqrt(", match.span(1), ")")),
    (_SCRIPT, _script),
    (_SUBSCRIPT, _subscript),
)


def rewrite(traced: Traced) -> None:
    """Unwrap LaTeX in place, innermost groups first."""
    if not any(mark in traced.text for mark in "\\$^_{"):
        return
    traced.sub(siunitx.RUN, lambda match: (siunitx.spelled(match.group()),))
    traced.sub(_LIST, lambda match: ("\n",))
    traced.sub(_ITEM, lambda match: ("\n- ",))
    traced.sub(_MEETING, lambda match: (match.span(1), " ", match.span(2)))
    traced.sub(_MATH, _inner)
    traced.sub(_DOLLARS, lambda match: ())
    traced.sub(_BRACED_MARK, _inner)
    traced.sub(_PIECES, _inner)
    traced.sub(_PRESCRIPT, lambda match: ("^", match.span(1), "_", match.span(2)))
    traced.sub(_TIE, lambda match: (" ",))
    traced.sub(_OVER_ARROW, lambda match: (_SYMBOLS.get((match["braced"] or match["bare"])[1:], "->"),))
    traced.sub(_ARROW, _labelled_arrow)
    traced.sub(_SHORT_FRACTION, lambda match: (match.span(1), "/", match.span(2)))
    traced.sub(_COMMAND, _command)
    for _ in range(_DEPTH):
        changed = [traced.sub(pattern, pieces) for pattern, pieces in _NESTED]
        if not any(changed):
            break
    traced.sub(_SPACE, lambda match: (" ",) if match.group() != "\\!" else ())
    traced.sub(_ESCAPED, _inner)
    traced.sub(_GROUP, _inner)
    traced.sub(_SUBSCRIPT_DIGITS, _inner)
    traced.sub(_EMPTY_SCRIPT, lambda match: ())
