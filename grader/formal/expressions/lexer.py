"""The raw text of an answer as tokens of expressions, words and stops.

LaTeX is read as it stands, because its braces say what a fraction divides;
plain spelling has lost them. Prose ends an expression: a word that is no
symbol, a comma, the end of a line.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from grader.answer.latex import GREEK
from grader.formal.expressions.names import plain
from grader.formal.expressions.patterns import (
    BARS,
    BELOW,
    BULLET,
    BY,
    CALLED,
    CHANGED,
    CLOSING,
    DEGREES,
    LIMITS,
    LOG_BASE,
    MARK,
    MASTER,
    OPERAND,
    OPERATIONS,
    POWERED,
    PROSE_DASH,
    RELATIONS,
    SHORT_FRACTION,
    SPACED_POWER,
    UPRIGHT,
)
from grader.formal.expressions.scripts import Scripts
from grader.formal.expressions.segment import Segmenter
from grader.formal.expressions.token import Kind, Token


class Lexer:
    """Reads one text; ``segmenter`` knows the symbols that the check names."""

    def __init__(self, raw: str, segmenter: Segmenter) -> None:
        self.raw = raw
        self.segmenter = segmenter
        self.tokens: list[Token] = []
        self.at = 0
        self.spaced = False
        self.groups: list[str] = []
        self.scripts = Scripts(raw, segmenter)
        self.delimited = False
        self.environments = 0

    @property
    def math(self) -> bool:
        """Whether LaTeX's own mathematics is open."""
        return self.delimited or self.environments > 0

    def read(self) -> list[Token]:
        """Every token, in order."""
        opening = re.match(BULLET, self.raw)
        self.at = opening.end() if opening else 0
        while self.at < len(self.raw):
            match = MASTER.match(self.raw, self.at)
            assert match is not None
            assert match.lastgroup is not None
            self.at = match.end()
            self._take(match.lastgroup, match)
        return self.tokens

    def _emit(self, kind: Kind, text: str, start: int, end: int | None = None) -> None:
        if kind == "symbol" and text[0] in "KHO" and self._after_p(start):
            text, start = "p" + text, self.tokens.pop().start
        self.tokens.append(Token(kind, text, start, self.at if end is None else end, self.spaced))
        self.spaced = False

    def _after_p(self, start: int) -> bool:
        """Whether an upright p stands right before, as in the LaTeX of pKa and pH."""
        if not self.tokens or self.tokens[-1].text != "p" or self.tokens[-1].kind != "symbol":
            return False
        return UPRIGHT.fullmatch(self.raw, self.tokens[-1].end, start) is not None

    def _take(self, name: str, match: re.Match[str]) -> None:
        text, start = match.group(), match.start()
        match name:
            case "skip" | "space":
                self.spaced = True
            case "math":
                self._open_math(text)
                self._emit("edge", text, start)
            case "break" | "environment":
                self._break(text)
                self._emit("stop", "\n", start)
            case "arrow":
                self._emit("stop", "->", start)
            case "relation":
                self._emit("relation", RELATIONS.get(text, "="), start)
            case "number":
                self._emit("number", text, start)
            case "half":
                self._vulgar(text, start)
            case "halflife":
                self._half_life(match)
            case "frac":
                self._fraction(start)
            case "root":
                self._emit("root", text[6:-1] if text.endswith("]") else DEGREES.get(text, "2"), start)
            case "boxed":
                self.groups.append("box")
                self._emit("edge", text, start)
            case "wrap":
                self.groups.append("wrap")
            case (
                "sum"
                | "html"
                | "unhtml"
                | "over"
                | "minus"
                | "cdot"
                | "bar"
                | "power"
                | "open"
                | "close"
                | "bracket"
            ):
                self._sign(name, text, start)
            case "raised":
                self._raise(text, start)
            case "greek":
                command = text.strip().lstrip("\\")
                self._name("ħ" if command == "hbar" else GREEK[command], start)
            case "function":
                self._function(text[1:], start)
            case "coded":
                # a program's log is the natural one
                called = text.partition(".")[2]
                self._function("ln" if called == "log" else called, start)
            case "letters":
                self._name(text, start)
            case _:
                self._other(text, start)

    def _open_math(self, text: str) -> None:
        if text[0] == "$":
            self.delimited = not self.delimited
        elif text[0] == "\\":
            self.delimited = text[1] in "(["

    def _break(self, text: str) -> None:
        """A line end or an environment's; a blank line ends the mathematics of LaTeX, too."""
        if text.startswith("\\begin"):
            self.environments += 1
        elif text.startswith("\\end"):
            self.environments = max(0, self.environments - 1)
        elif text[0] == "\n" and self.raw.startswith("\n", self.at):
            self.delimited = False

    def _sign(self, name: str, text: str, start: int) -> None:
        match name:
            case "sum":
                limits = LIMITS.match(self.raw, self.at)
                self.at = limits.end() if limits else self.at
                self._emit("bad", text, start)
            case "html":
                self._emit("op", "^", start)
                self._emit("open", "sup", start)
            case "unhtml":
                self._emit("close", "sup", start)
            case "over":
                self._emit("op", "/", start)
            case "minus" if self._parts_clauses(text, start):
                self._emit("stop", text, start)
            case "minus":
                self._emit("bad" if text == "±" else "op", "+" if text == "+" else "-", start)
            case "cdot":
                self._times(text, start)
            case "bar":
                self._bar(text, start)
            case "power":
                self._emit("op", "^", start)
            case "bracket":
                self._bracket(start)
            case "open":
                self.groups.append("{" if "{" in text else "(")
                self._emit("open", "{" if "{" in text else "(", start)
            case _:
                self._close(text, start)

    def _parts_clauses(self, text: str, start: int) -> bool:
        """Whether a dash is a long one between spaces, with a word behind it that is no symbol."""
        after = PROSE_DASH.match(self.raw, start - 1) if text in "\u2014\u2015" else None
        if after is None:
            return False
        return self.segmenter.pieces(after["word"], scripted=False, powered=False) is None

    def _close(self, text: str, start: int) -> None:
        sign = text[-1] if text[-1] in ")}]" else ("]" if "brack" in text else ")")
        if sign == "}" and self.groups and self.groups[-1] in ("wrap", "box"):
            if self.groups.pop() == "box":
                self._emit("edge", text, start)
            elif self.tokens and self.tokens[-1].kind == "symbol" and self.tokens[-1].end == start:
                name = self._scripted(self.tokens[-1].text)
                self.tokens[-1] = replace(self.tokens[-1], text=name, end=self.at)
            return
        if self.groups and self.groups[-1] in CLOSING and CLOSING[self.groups[-1]] == sign:
            self.groups.pop()
        self._emit("close", sign, start)

    def _times(self, text: str, start: int) -> None:
        """A product sign; a star is one between operands, two may be a power, else they are Markdown."""
        if not text.startswith("*"):
            self._emit("op", "*", start)
            return
        before, after = self.raw[start - 1 : start].strip(), self.raw[self.at : self.at + 1].strip()
        if len(text) > 1:
            apart = SPACED_POWER.match(self.raw, start - 1) and not before
            raised = apart or (before and OPERAND.match(after) and not self._bold_is_open(start))
            self._emit(*(("op", "^") if raised else ("edge", text)), start)
        elif bool(before) == bool(after) and self.raw[start - 1 : start] not in ("", "\n"):
            self._emit("op", "*", start)
        else:
            self._emit("edge", text, start)

    def _bar(self, text: str, start: int) -> None:
        """An absolute value's bar, or the border of a table's cell."""
        if self.groups and self.groups[-1] == "|":
            self.groups.pop()
            self._emit("close", ")", start)
            return
        line = self.raw.rfind("\n", max(0, start - 2000), start) + 1
        if BARS.match(self.raw, start) and not self.raw.startswith("|", line):
            self.groups.append("|")
            self._emit("function", "abs", start)
            self._emit("open", "(", start)
        else:
            self._emit("stop", text, start)

    def _bold_is_open(self, start: int) -> bool:
        """Whether two stars could close bold type that opened on the line."""
        low = self.raw.rfind("\n", 0, start) + 1
        edges = 0
        for token in reversed(self.tokens):
            if token.start < low:
                break
            edges += token.text.startswith("**")
        return edges % 2 == 1

    def _bracket(self, start: int) -> None:
        """A concentration, or a bracket that groups."""
        called = self.tokens and (self.tokens[-1].kind, self.tokens[-1].text) == ("function", "exp")
        found = None if called else self.scripts.bracketed(self.at, math=self.math)
        if found is None:
            self.groups.append("[")
            self._emit("open", "[", start)
            return
        name, self.at = found
        self._emit("symbol", name, start)

    def _scripted(self, name: str) -> str:
        """A name with the subscripts and marks that follow."""
        name, self.at = self.scripts.scripted(name, self.at, math=self.math)
        return name

    def _whole(self, name: str) -> str:
        """A name with all that belongs to it."""
        name, self.at = self.scripts.reversed(self._scripted(name), self.at)
        name, self.at = self.scripts.of_species(name, self.at)
        return name

    def _name(self, text: str, start: int) -> None:
        """A run of letters: symbols and functions, or a word."""
        text = unicodedata.normalize("NFKC", text).replace("∆", "Δ").replace("ϕ", "φ").replace("ϵ", "ε")
        if called := CALLED.search(text):
            # ln2 is the logarithm of two
            text, self.at = text[: called.end()], start + called.end()
        if text.endswith("Δ") and (changed := CHANGED.match(self.raw, self.at)):
            self.at = changed.end()
            below = plain(changed["below"] or "").strip("_")
            text += plain(changed["letter"]) + (below if below not in ("r", "rxn") else "")
        scripted = BELOW.match(self.raw, self.at) or MARK.match(self.raw, self.at)
        powered = POWERED.match(self.raw, self.at) is not None
        pieces = self.segmenter.pieces(text, scripted=scripted is not None, powered=powered)
        if pieces is None:
            self._word(text, start)
            return
        for kind, piece in pieces[:-1]:
            self._emit(kind, piece, start, start + len(text))
        kind, last = pieces[-1]
        if kind == "function":
            self._function(last, start)
        else:
            self._emit(kind, self._whole(last), start)

    def _word(self, text: str, start: int) -> None:
        """A word, or a sign that is spelled out."""
        if text in ("multiplied", "divided"):
            by = BY.match(self.raw, self.at)
            self.at = by.end() if by else self.at
        signs = OPERATIONS.get(text.lower())
        if signs is None:
            self._emit("word", text, start)
            return
        self._emit("op", signs[0], start)
        if signs[1:]:
            self._emit("number", signs[1:], start)

    def _function(self, name: str, start: int) -> None:
        if base := LOG_BASE.match(self.raw, self.at):
            self.at = base.end()
        self._emit("function", name, start)

    def _fraction(self, start: int) -> None:
        """A fraction; its parts may be two bare digits."""
        self._emit("fraction", "frac", start)
        if digits := SHORT_FRACTION.match(self.raw, self.at):
            for group in (1, 2):
                self._emit("number", digits[group], digits.start(group), digits.end(group))
            self.at = digits.end()

    def _half_life(self, match: re.Match[str]) -> None:
        before = self.raw[match.start() - 1 : match.start()]
        if before.isalpha():
            self.at = match.start() + 1
            self._name(self.raw[match.start()], match.start())
            return
        letter = "τ" if "tau" in match.group() else match.group()[0]
        self._emit("symbol", f"{letter}1/2", match.start())

    def _raise(self, text: str, start: int) -> None:
        """A run of Unicode superscripts, read as the exponent it is."""
        inner = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("ᐟ", "/").replace("⁄", "/")
        inner = re.sub("[·˙]", ".", inner)
        self._emit("op", "^", start)
        self._emit("open", "sup", start)
        for token in Lexer(inner, self.segmenter).read():
            self.tokens.append(replace(token, start=start, end=self.at))
        self._emit("close", "sup", start)

    def _vulgar(self, text: str, start: int) -> None:
        above, _, below = unicodedata.normalize("NFKC", text).partition("\u2044")
        self._emit("open", "(", start)
        self._emit("number", above, start)
        self._emit("op", "/", start)
        self._emit("number", below, start)
        self._emit("close", ")", start)

    def _other(self, text: str, start: int) -> None:
        if text in "_\\#>" or text.startswith("\\"):
            self._emit("bad" if text.startswith("\\") and len(text) > 1 else "edge", text, start)
        else:
            self._emit("stop", text, start)


def tokens(raw: str, segmenter: Segmenter) -> list[Token]:
    """The tokens of a text."""
    return Lexer(raw, segmenter).read()
