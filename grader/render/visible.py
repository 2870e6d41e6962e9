"""Text from outside as HTML in which nothing is markup and nothing hides."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

from grader.render.plain import HIDDEN

_ZERO_WIDTH = "\u00ad\u200b-\u200d\u2060-\u2064\ufeff"
_SEEN = re.compile(f"[{HIDDEN}{_ZERO_WIDTH}]")


def visible(text: str, *, markup: bool = True) -> Markup:
    """Text escaped, with control, bidirectional and zero-width characters named by their code points.

    ``markup=False`` writes the names as plain text, for attributes and MathML.
    """
    shape = '<span class="control">U+{:04X}</span>' if markup else "[U+{:04X}]"
    return Markup(_SEEN.sub(lambda found: shape.format(ord(found[0])), escape(text)))
