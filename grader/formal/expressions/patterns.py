"""How the pieces of expressions are spelled in LaTeX, Unicode, HTML, code and prose."""

from __future__ import annotations

import re

from grader.answer.latex import GREEK

_LETTER = "A-Za-zΑ-Ωα-ωϕϵµℓħΔ∆∂"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵃᵇᶜᵈᵉᵍʰⁱʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴱᴿᵀ"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
_GREEK_COMMAND = "|".join(sorted(GREEK, key=len, reverse=True))
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,40}\}){0,60}\}){0,80}\}"
BULLET = r"(?:[ \t]*(?:[-+*•–—>]|#{1,6}|\(?[0-9]{1,2}[.)]|\(?[a-z]\))[ \t]+){0,3}"
"""What opens an item of a list or a heading."""
_HALF_LIFE = r"(?:[tTτ]|\\tau)(?:_\{?1/2\}?|_\{\\[dt]?frac\{?1\}?\{?2\}?\}|_?\(?1/2\)?(?![0-9])|_?½|₁[⁄/]₂)"
_TOKENS: tuple[tuple[str, str], ...] = (
    ("math", r"\$\$?|\\[()]|\\\[|\\\]|`+"),
    ("environment", r"\\(?:begin|end)\s?\{[a-z]{1,12}\*?\}"),
    (
        "skip",
        r"\\[lr]angle(?![a-z])|\\(?:left|right|[bB]ig{1,2}[lrm]?|displaystyle|textstyle|limits|rm|bf|it|quad|"
        r"qquad|tilde|widetilde|bar|hat|vec|\s)(?![a-z])|\\[,;:! ]|[&~\u200b\u2061\u2062\u0300-\u036f]|"
        r"</?(?:b|i|em|strong|span|p)>",
    ),
    ("halflife", _HALF_LIFE),
    ("frac", r"\\[dtc]?frac(?![a-z])"),
    ("root", r"\\sqrt(?:\[[0-9]\])?|[√∛∜]|\bsqrt(?=[\s({[])"),
    ("number", r"(?:[0-9]+(?:(?:[.,]|\{,\})[0-9]+)?|\.[0-9]+)(?:[eE][-+\u2212]?[0-9]{1,4}(?![0-9A-Za-z_]))?"),
    ("half", r"[½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞]|(?<![\w)\]}])[¹²³⁴⁵⁶⁷⁸⁹]⁄[₁₂₃₄₅₆₇₈₉](?![₀-₉])"),
    ("coded", r"(?<![A-Za-z])(?:np|numpy|math)\.(?:exp|log10|log|sqrt)(?![A-Za-z0-9])"),
    ("boxed", r"\\(?:boxed|fbox|framebox)\s?\{"),
    (
        "wrap",
        r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|mathrm|mathbf|mathit|mathsf|mathcal|boldsymbol|bm|"
        r"operatorname\*?|mbox|hbox|ce|pu|ensuremath|emph|underline|overline|mathop|cancel|rm)\s?\{",
    ),
    ("sum", r"\\(?:sum|int|prod|oint|lim|infty|partial|nabla|iint|binom)(?![a-z])|[∑∫∏∞∇!]"),
    ("cdot", r"\\(?:cdot|times|ast|bullet)(?![a-z])|[·⋅∙×✕]|\*{1,3}"),
    ("bar", r"\||\\[lr]?vert(?![a-z])"),
    ("over", r"\\div(?![a-z])|[/÷∕⁄]"),
    ("relation", r"\\(?:approx|simeq|cong|doteq|equiv|propto|sim)(?![a-z])|:=|==|=|≈|≃|≅|≡|∝|∼"),
    (
        "arrow",
        r"\\(?:to|rightarrow|longrightarrow|Rightarrow|Longrightarrow|implies|iff|therefore|quad)(?![a-z])|"
        r"->|=>|→|⇒|⟹|⟶|∴|⇌|≠|≤|≥|<=>|\\(?:ne|neq|leq?|geq?|lt|gt|rightleftharpoons)(?![a-z])",
    ),
    ("break", rf"(?:\\\\|\n){BULLET}"),
    ("greek", rf"\\(?:{_GREEK_COMMAND})(?![a-z])\s?|\\hbar(?![a-z])"),
    ("function", r"\\(?:exp|ln|log|lg|sin|cos|tan)(?![a-z])"),
    ("power", r"\^"),
    ("raised", f"[{_RAISED}](?:[{_RAISED}⁄ᐟ]|(?<=⁰)[·˙](?=[⁰¹²³⁴⁵⁶⁷⁸⁹]))*"),
    ("html", r"<sup>"),
    ("unhtml", r"</sup>"),
    ("minus", "[-+\u2212\u2010-\u2015±]"),
    ("bracket", r"\[|\\lbrack(?![a-z])"),
    ("open", r"[({]|\\lparen(?![a-z])|\\\{"),
    ("close", r"[)}\]]|\\rparen(?![a-z])|\\rbrack(?![a-z])|\\\}"),
    ("letters", rf"(?:[{_LETTER}]+[0-9]*)+"),
    ("space", r"[ \t\u00a0\u2009\u202f]+"),
    ("other", r"\\[A-Za-z]+|."),
)
MASTER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _TOKENS), re.S)
_STANDARD_STATE = r"(?:\\circ|\\ominus|\\degree|\\standardstate|°|⊖|⦵|º)"
_RAISED_MARK = r"(?:\\ddagger|\\ddag|\\neq|‡|\\prime)"
MARK = re.compile(
    rf"\^?(?:\{{{_STANDARD_STATE}\}}|{_STANDARD_STATE})|"
    rf"\^(?:\{{{_RAISED_MARK}\}}|{_RAISED_MARK})|‡|(?:'|’|′)+(?![a-z])"
)
_RAISED_ZERO = r"(?:0|o|\\(?:text|mathrm)\{o\})"
STANDARD = re.compile(rf"\^(?:\{{{_RAISED_ZERO}\}}|{_RAISED_ZERO})(?![A-Za-z0-9.])|⁰(?![⁰¹²³⁴⁵⁶⁷⁸⁹·˙])|ᵒ")
HAS_STANDARD = re.compile(r"[EGHSUKμµ](?:cell|[a-z])?|Δ[a-z]*[EGHSU].*")
"""What has a standard state."""
LIMITS = re.compile(rf"(?:\s?\\limits)?(?:\s?[_^]\s?(?:{_GROUP}|\\[A-Za-z]+|[A-Za-z0-9])){{0,2}}")
"""The limits of a sum or an integral."""
BARS = re.compile(
    r"(?:\||\\l?vert(?![a-z]))(?=\s?\S)[^|\n]{1,60}?(?<=\S)\s?(?:\\right\s?)?(?:\||\\r?vert(?![a-z]))"
)
"""Bars around a value, no cells of a table."""
BELOW = re.compile(
    rf"_(?:\\(?:mathrm|text|textrm|mathit|rm)\s?)?(?P<group>{_GROUP})|"
    rf"_(?P<one>\\[A-Za-z]+|[-\u2212]?[0-9]+|[A-Za-zα-ω]+[0-9]*)|(?P<lowered>[{_LOWERED}]+)"
    rf"|<sub>(?P<html>[^<>\n]{{1,30}})</sub>"
)
BEHIND_BRACKET = re.compile(r"(?P<zero>0|o(?![A-Za-z])|t(?![A-Za-z(])|eq(?![A-Za-z])|[0-9])(?![.\d])")
BRACKETS = re.compile(r"(?P<open>\[|\\lbrack(?![a-z]))|(?:\\right)?(?:\]|\\rbrack(?![a-z]))|\n")
OPERAND = re.compile(r"[0-9A-Za-z(\[{+\u2212-]")
SPACED_POWER = re.compile(r"[ ]\*\*[ ](?=[-\u2212(]?[0-9A-Za-z(])")
"""Two stars between spaces, which bold type never has on its inside."""
PROSE_DASH = re.compile(r"\s.\s[\"'(*]{0,3}(?P<word>[A-Za-z]+)")
"""A dash between spaces and the word behind it."""
POWERED = re.compile(r"\s?(?:\^|\*\*|<sup>)|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]")
SHORT_FRACTION = re.compile(r"\s?([0-9])\s?([0-9])")
UPRIGHT = re.compile(r"\}?(?:\\(?:mathrm|text|rm|operatorname)\{?)?[\s{]?")
CALLED = re.compile(r"(?:ln|lg|exp|log(?!10(?![0-9])))(?=[0-9])")
CHANGED = re.compile(
    rf"(?P<below>_{_GROUP}|_[a-z])?\s*(?P<upright>\\(?:mathrm|"
    rf"text)\{{)?(?P<letter>[A-Z]|[a-z](?![a-z])|\\(?:{_GREEK_COMMAND})(?![a-z]))"
    r"(?(upright)(?:(?<=[A-Z])\})?)"
)
"""The letter behind a Δ."""
ARGUMENT = re.compile(
    r"\\?(?:left)?\((?P<species>(?:\\(?:ce|mathrm|text)\s?\{)?[A-Z][^()\s]{0,24})(?:\\right)?\)"
)
IN_WORDS = re.compile(r"[a-z]{3,12}(?![A-Za-z0-9])")
"""A subscript that stands on the line behind the mark of a standard state: ``E°cell``."""
OF_WORD = re.compile(r"\((?P<word>[^()\s]{1,24})\)")
"""What a quantity is of, in brackets: ``E(cathode)``."""
REVERSE = re.compile(r"[-\u2212\u2010-\u2013]([0-9])(?![0-9.])")
BY = re.compile(r"\s+by\b")
OPERATIONS = {
    "times": "*", "multiplied": "*", "divided": "/", "over": "/", "plus": "+", "minus": "-",
    "squared": "^2", "cubed": "^3",
}  # fmt: skip
LOG_BASE = re.compile(r"_(?:\{(?:10|\\mathrm\{e\}|e)\}|10|₁₀)|₁₀")
CLOSING = {"(": ")", "{": "}", "[": "]"}
DEGREES = {"∛": "3", "∜": "4"}
RELATIONS = {
    **dict.fromkeys(("\\propto", "∝"), "∝"),
    **dict.fromkeys(("\\approx", "\\simeq", "\\cong", "\\sim", "≈", "≃", "≅", "∼"), "≈"),
}
MOST_INSIDE = 80
