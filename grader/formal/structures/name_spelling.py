"""One ASCII spelling for a chemical name as answers write it."""

from __future__ import annotations

import re
from functools import lru_cache

from grader.answer.latex import GREEK
from grader.answer.notation import normalise

_WORDS = {ord(letter): name for name, letter in GREEK.items() if not name.startswith("var")} | {
    ord("±"): "+-"
}
_DECORATED = re.compile(r"[^\x20-\x7e]|[\\$<&`_]|\*[^*]+\*")
_ITALIC = re.compile(r"(?<![A-Za-z])\*([A-Za-z]{1,5})\*")
"""``(2*R*)``, but not ``(1R*,2S*)``."""
_BROKEN = re.compile(r"(?<=[-\[(])\s+(?=\S)|(?<![a-z][a-z\])],)(?<!-,)(?<=,)\s+(?=\S)|(?<=\w)\s+(?=[\])])")
"""A space inside a name: behind a hyphen or the comma of locants, not behind the comma of an index name."""
_STATE = re.compile(r"\s+(?=\((?:0|[IV]{1,4}|[0-9][+-])\))")
"""The space before an oxidation state or a charge: iron (III)."""
_APART = re.compile(r"(?<![A-Za-z])(iso|neo)-(?=[a-z])", re.I)
"""Prefixes that are part of the word: iso-propanol is isopropanol."""
_ROOF = re.compile(r"\^\{?\(?([0-9,]+)\)?\}?")


@lru_cache(maxsize=4096)
def spelled(name: str) -> str:
    """The name without type and line breaks, Greek letters as words; case is kept."""
    if len(name) > 2000:
        return name[:2000]  # too long for a name in any spelling
    plain = normalise(name).plain if _DECORATED.search(name) else name
    plain = _BROKEN.sub("", _ITALIC.sub(r"\1", plain)).translate(_WORDS)
    plain = _STATE.sub("", plain)
    plain = _APART.sub(r"\1", plain)
    plain = _ROOF.sub(r"\1", plain).replace('"', "''")
    return " ".join(plain.split()).strip(" .,;:*`'_")
