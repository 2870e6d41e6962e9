"""Formulas as MathML, which browsers draw and read aloud without a script.

latex2mathml reads the LaTeX; its tree is written out here, through an
allow-list, since it neither escapes what it quotes nor drops links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING

from markupsafe import Markup

from grader.render.mhchem import without_mhchem, without_units
from grader.render.visible import visible

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FORMULA = 2000
"""Characters of a formula; longer ones are shown as their source."""

_DEEPEST = 40
_TAG = re.compile(
    "math|mrow|mi|mn|mo|ms|mtext|mspace|mfrac|msqrt|mroot|msub|msup|msubsup|munder|mover|munderover|"
    "mmultiscripts|mprescripts|none|mtable|mtr|mtd|mphantom|mpadded|menclose"
)
_ATTRIBUTE = re.compile(
    "accent|accentunder|align|columnalign|columnlines|columnspacing|depth|display|displaystyle|fence|form|height|"
    "linethickness|lspace|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowlines|rowspacing|rspace|"
    "scriptlevel|separator|stretchy|symmetric|voffset|width"
)
_VALUE = re.compile(r"[A-Za-z0-9 .+%_-]{0,64}")
_ENCLOSED = {"box": "boxed", "updiagonalstrike": "struck", "downdiagonalstrike": "struck"}
"""Enclosures that browsers no longer draw, and the classes of the style sheet that do."""

_ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(?:aligned|alignedat|gather(?:ed)?|equation|eqnarray|multline)\*?\}"
)
# latex2mathml slants a single upright letter
_LETTER = re.compile(r"\\mathrm\s*\{\s*([A-Za-z])\s*\}")
_LABEL = re.compile(r"\\label\{[^{}]*\}")
_UNREAD = re.compile(r"\\[A-Za-z]")


@lru_cache(maxsize=4096)
def formula_html(latex: str, *, display: bool) -> Markup:
    """A formula as MathML with its source as alternative text; as escaped source where it can't be read."""
    if len(latex) <= MAX_FORMULA and _depth(latex) <= _DEEPEST:
        try:
            return Markup(_mathml(latex, "block" if display else "inline"))
        # what isn't LaTeX raises errors of many kinds there, and the library comes with an extra
        except Exception:
            pass
    return Markup('<code class="tex">{}</code>').format(visible(latex))


def _mathml(latex: str, display: str) -> str:
    """A formula as MathML; raises all that latex2mathml does, and ValueError for a command left unread."""
    from latex2mathml.converter import convert_to_element

    tree = convert_to_element(_prepared(latex), display=display)
    if any(_UNREAD.search(node.text or "") for node in tree.iter() if node.tag != "mtext"):
        raise ValueError("a command is not known")
    return "".join(_written(tree, latex.strip()))


def _prepared(latex: str) -> str:
    """LaTeX in the commands that latex2mathml knows."""
    latex = _LETTER.sub(r"\\text{\1}", _LABEL.sub("", without_units(without_mhchem(latex))))
    return _ENVIRONMENT.sub(lambda found: rf"\{found[1]}{{align*}}", latex)


def _depth(latex: str) -> int:
    """How deep its braces nest: what reads it recurses."""
    deepest = depth = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return deepest + latex.count(r"\left") + latex.count(r"\begin")


def _written(node: Element, source: str | None = None) -> Iterator[str]:
    """An element and what it holds; of one that isn't known, what it holds."""
    known = _TAG.fullmatch(node.tag)
    if known:
        yield f"<{node.tag}{''.join(_attributes(node))}"
        yield f' alttext="{visible(source, markup=False)}">' if source is not None else ">"
    yield visible(unescape(node.text or ""), markup=False)
    for child in node:
        yield from _written(child)
    if known:
        yield f"</{node.tag}>"
    yield visible(unescape(node.tail or ""), markup=False)


def _attributes(node: Element) -> Iterator[str]:
    for name, value in node.attrib.items():
        if _ATTRIBUTE.fullmatch(name) and _VALUE.fullmatch(value):
            yield f' {name}="{value}"'
    if node.tag == "menclose" and node.get("notation") in _ENCLOSED:
        yield f' class="{_ENCLOSED[node.attrib["notation"]]}"'
