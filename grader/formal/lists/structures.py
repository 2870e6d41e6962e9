"""Items that are structures: SMILES and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grader.answer.labels import pattern
from grader.answer.notation import Text, normalise
from grader.formal.lists.anchors import Anchor, TooMany, Unreadable, longest
from grader.formal.structures.comparison import Relation

# -- SMILES -----------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_@\]\[(=#)])(?:\[[^\[\]\s]{1,60}\]|Br|Cl|[BCNOPSFIbcnops]|[=#$/\\()@.-]|%?\d)+"
)
_SMILES_WORD = re.compile(r"[A-Z]{1,4}|[BCNOPSFI]{1,3}[a-z]{0,3}|[a-z]+|[IVX]+")
_BOND = re.compile(r"C[=#-][A-Z]|[A-Z]-[A-Z]")


class Structures:
    """SMILES, compared as structures with exact stereo."""

    closed = False

    def __init__(self, expected: Sequence[str | int | float]) -> None:
        from grader.problem.checks import StructureModel

        self._options = StructureModel(kind="smiles")
        self._known: dict[str, Any] = {}
        self._compared: dict[tuple[str, str], Relation] = {}
        self.expected = tuple(str(item) for item in expected)
        for item in self.expected:
            if self._read(item) is None:
                raise Unreadable(f"the expected SMILES {item} can't be read")

    def _read(self, smiles: str) -> Any:
        from grader.formal.structures.structure import Unreadable as StructureUnreadable
        from grader.formal.structures.structure import read_structure

        if smiles not in self._known:
            try:
                self._known[smiles] = read_structure(smiles)
            except StructureUnreadable:
                self._known[smiles] = None
        return self._known[smiles]

    def anchors(self, text: Text) -> list[Anchor]:
        """Tokens that read as structures; possible words and bonds only beside others, unless expected."""
        found = []
        for match in _TOKEN.finditer(text.raw):
            if match.end() - match.start() > _LONGEST:
                continue
            start, end = _trimmed(text.raw, *match.span())
            written = text.raw[start:end]
            if not written or len(self._known) > _MOST or (text.raw[end : end + 1].isalpha()):
                continue
            if self._read(written) is None:
                continue
            own = any(self.compare(one, written) is Relation.SAME for one in self.expected)
            code = text.raw[start - 1 : start] == "`"
            wordlike = _SMILES_WORD.fullmatch(written) or _BOND.fullmatch(written)
            if wordlike and not own and not code and (written.islower() or written == "I"):
                continue
            pieces = (
                written.split(".")
                if "." in written and not any("." in one for one in self.expected)
                else [written]
            )
            at = start
            for piece in pieces:
                low, high = text.plain_span(at, at + len(piece))
                found.append(Anchor(piece, low, high, weak=not (own or code) and wordlike is not None))
                at += len(piece) + 1
        return longest(found)

    def compare(self, one: str, two: str) -> Relation:
        """Compare two SMILES as structures."""
        from grader.formal.structures.equivalence import compare

        key = (one, two)
        if key not in self._compared:
            a, b = self._read(one), self._read(two)
            if one == two:
                relation = Relation.SAME
            elif a is None or b is None:
                relation = Relation.UNSURE
            else:
                relation = compare(a, b, self._options).relation
            self._compared[key] = relation
        return self._compared[key]


_LONGEST_ANSWER = 50_000
"""An answer with more characters isn't searched for names."""
_LONGEST = 1000
"""A token with more characters is no item of a list."""
_MOST = 200
"""So many different tokens are read as structures."""


def _trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    """A token without punctuation and unbalanced brackets."""
    while start < end:
        last = raw[end - 1]
        if last in ".-=/\\#" or (last == ")" and raw.count("(", start, end) < raw.count(")", start, end)):
            end -= 1
        elif (
            raw[start] in ".-)=/"
            or (raw[start] == "(" and raw.count("(", start, end) > raw.count(")", start, end))
            or raw[start] == "("
        ):
            start += 1
        else:
            break
    return start, end


# -- names ------------------------------------------------------------------------------------------------

_ENDINGS = (
    r"ane|ene|yne|an-?\d?-?ol|ol|one|al|oate|ate|ite|ide|ine|ium|amide|nitrile|acid|ether|ketone|alcohol|"
    r"aldehyde|water|ammonia|benzene|acetone|"
    r"toluene|phenol|glycol|glucose|fructose|anhydride|chloride|bromide|iodide|hydroxide|oxide|sulfate|"
    r"nitrate|xylene|furan|urea|gen|on|in|rine"
)
_LOCANTS = r"[A-Za-z0-9,'()\[\]+-]{0,60}"
_NAME = re.compile(
    rf"(?<![A-Za-z0-9_-])(?=[(\[]{{0,2}}[A-Za-z0-9])(?:(?:\(?[A-Za-z0-9,'()\[\]+-]{{0,40}}(?:yl|ic|ous|ium|"
    rf"ate|oic|ate|tert|sec|iso|"
    rf"glacial|di|tri)\s|"
    rf"(?:sodium|potassium|lithium|calcium|magnesium|ammonium|iron|copper|silver|zinc|barium|aluminium|"
    rf"aluminum|carbon|hydrogen|sulfur|sulphur|nitrogen|"
    rf"phosphorus|silicon|vinyl)(?:\([IV]{{1,3}}\))?\s){{1,3}})?{_LOCANTS}(?:{_ENDINGS})(?![A-Za-z0-9]|"
    rf"-[A-Za-z])",
    re.I,
)
_SEGMENT = re.compile(
    r"(?:^|(?<=[\n:;=<>|{(]\s)|(?<=,\s)|(?<=\sand\s)|(?<=\sare\s)|(?<=\sis\s"
    r"))(?<![A-Za-z])[A-Za-z0-9(\[][\w,'()\[\]+-]{2,60}"
    r"(?=\s?(?:[\n;:.<>=|})]|,\s|\sand\s|$))",
    re.M,
)
"""A word that fills a place of a list."""
_NO_NAMES = frozenset(
    [
        "one",
        "none",
        "alone",
        "done",
        "gone",
        "also",
        "control",
        "final",
        "general",
        "all",
        "several",
        "then",
        "than",
        "in",
        "on",
        "bond",
        "order",
        "reaction",
        "carbon",
        "hydrogen",
        "ion",
        "even",
        "line",
    ]
)


class Names:
    """Chemical names, compared as structures; without Java only as trivial names and as text."""

    closed = False

    def __init__(self, expected: Sequence[str | int | float]) -> None:
        from grader.formal.structures.names import structures

        self.names = tuple(str(item).strip() for item in expected)
        self._smiles = Structures(())
        self._meant = {
            name.casefold(): one.smiles for name, one in zip(self.names, structures(self.names), strict=True)
        }
        self.expected = tuple(name.casefold() for name in self.names)

    def anchors(self, text: Text) -> list[Anchor]:
        """The expected names, and what reads as a name and means a structure."""
        found = [
            Anchor(name.casefold(), *match.span())
            for name in self.names
            for match in pattern(normalise(name).plain).finditer(text.plain)
        ]
        return longest([*found, *self._others(text.plain)])

    def _others(self, plain: str) -> list[Anchor]:
        from grader.formal.structures.names import structures

        if len(plain) > _LONGEST_ANSWER:
            raise TooMany
        spans = [match.span() for match in (*_NAME.finditer(plain), *_SEGMENT.finditer(plain))][:_MOST]
        spans = [span for span in spans if plain[slice(*span)].lower() not in _NO_NAMES]
        named = structures([plain[low:high] for low, high in spans])
        found = []
        for (low, high), one in zip(spans, named, strict=True):
            key = plain[low:high].casefold()
            if one.smiles is not None:
                self._meant[key] = one.smiles
                found.append(Anchor(key, low, high))
        return found

    def compare(self, one: str, two: str) -> Relation:
        """Compare two names as structures."""
        a, b = self._meant.get(one), self._meant.get(two)
        if one == two:
            return Relation.SAME
        return Relation.UNSURE if a is None or b is None else self._smiles.compare(a, b)
