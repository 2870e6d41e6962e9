"""What a document says of the points that were asked about, in whatever it wraps it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from grader.judge.replies.documents import UNSEEN, contents
from grader.judge.replies.replied import ReplyError

Field = Literal["verdict", "judged", "points", "evidence", "rationale", "confidence"]

_NAMES: Mapping[Field, tuple[str, ...]] = {
    "verdict": ("verdict", "met", "ismet", "criteriamet", "criterionmet"),
    "judged": ("status", "judgment", "judgement", "decision"),
    "points": ("points", "score", "marks", "pointsawarded", "awardedpoints", "pointsearned"),
    "evidence": ("evidence", "quote", "quotation"),
    "rationale": ("rationale", "reason", "reasoning", "explanation", "justification"),
    "confidence": ("confidence",),
}
"""What judges call the fields; ``judged`` is the verdict where nothing else is."""
_FIELDS = {name: field for field, names in _NAMES.items() for name in names}
_OTHER_IDS = ("id", "criterionid", "rubricid", "itemid", "point", "criterion", "item")
"""Names of an id where there is no ``point_id``."""
_UNDECIDED = frozenset(
    {"thinking", "thoughts", "thought", "reasoning", "analysis", "scratchpad"}
    | {"draft", "drafts", "example", "examples", "format", "schema"}
)
"""Keys under which nothing is a verdict."""
_JUDGING = frozenset({"verdicts", "pointid", *_NAMES["verdict"]})
"""Keys of which no other body than a judge's has any."""
_ENCODED = ("verdicts", "results", "grades", "arguments")
"""Keys whose value may be JSON in a string."""
_DEEPEST = 8


class Asked:
    """The ids of the points that were asked about, and what each is worth."""

    def __init__(self, points: Iterable[tuple[str, float]]) -> None:
        self.worth = dict(points)

    @cached_property
    def folded(self) -> dict[str, str | None]:
        """The ids by what they are without case and white space; None where that fits several."""
        keys = [_folded(point) for point in self.worth]
        several = Counter(keys)
        return {
            key: point if several[key] == 1 else None for key, point in zip(keys, self.worth, strict=True)
        }

    def match(self, said: object) -> str | None:
        """The asked id that this is, white space and case aside; never the nearest."""
        if isinstance(said, float):
            return self._match_number(said)
        if not isinstance(said, (str, int)) or isinstance(said, bool):
            return None
        # str() of a very long integer raises, and no id is one.
        text = said if isinstance(said, str) else f"{said:d}" if abs(said) < 10**18 else ""
        return text if text in self.worth else self.folded.get(_folded(text))

    def _match_number(self, said: float) -> str | None:
        """A number was an id before somebody dropped its zeros: 1.1 is no id where 1.10 is one too."""
        same = [point for point in self.worth if _number(point) == said]
        return same[0] if len(same) == 1 and same[0] == repr(said) else None


@lru_cache(maxsize=256)
def asked_about(points: tuple[tuple[str, float], ...]) -> Asked:
    """The asked points; many replies are about the same ones."""
    return Asked(points)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a document says of one asked point."""

    point: str
    said: Mapping[str, Any]


def entries(value: object, asked: Asked, depth: int = 0) -> Iterator[Entry]:
    """What a document says of the asked points, in order; all else in it is passed over.

    Raises ReplyError where JSON in a string can't be read.
    """
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        held = contents(value, asked.folded)
        if held.unclosed:
            raise held.unclosed
        for document in held.documents:
            if not isinstance(document.value, str):
                yield from entries(document.value, asked, depth + 1)
    elif isinstance(value, list):
        for item in value:
            if not isinstance(item, str):
                yield from entries(item, asked, depth + 1)
    elif isinstance(value, Mapping):
        yield from _of_object(value, asked, depth)


def _of_object(value: Mapping[str, Any], asked: Asked, depth: int) -> Iterator[Entry]:
    if point := _point_of(value, asked):
        yield Entry(point, value)
        return
    for key, member in value.items():
        if (point := asked.match(key)) and isinstance(member, (Mapping, str, bool)):
            yield _keyed(point, member, asked)
        elif _may_hold(key, member):
            yield from entries(member, asked, depth + 1)


def _may_hold(key: str, member: object) -> bool:
    if isinstance(member, str):
        return plain(key) in _ENCODED
    return isinstance(member, (Mapping, list)) and plain(key) not in _UNDECIDED


def _keyed(point: str, member: object, asked: Asked) -> Entry:
    """The object has the point's id as a key."""
    if not isinstance(member, Mapping):
        return Entry(point, {"verdict": member})
    if _point_of(member, asked) not in (None, point):
        raise ReplyError("unparseable", f"what stands under {point!r} names another point")
    return Entry(point, member)


def _point_of(value: Mapping[str, Any], asked: Asked) -> str | None:
    """The asked point that an object says it is about."""
    if "point_id" in value:
        return asked.match(value["point_id"])
    named = {plain(key): said for key, said in value.items()}
    if "pointid" in named:
        return asked.match(named["pointid"])
    return next((point for key in _OTHER_IDS if (point := asked.match(named.get(key)))), None)


def fields(said: Mapping[str, Any]) -> dict[Field, list[Any]]:
    """The values of an entry by the field they belong to; null is no value."""
    values: dict[Field, list[Any]] = {}
    for key, value in said.items():
        name = _FIELDS.get(key) or _FIELDS.get(plain(key))
        if name and value is not None:
            values.setdefault(name, []).append(value)
    return values


def judges(value: object, depth: int = 0) -> bool:
    """Whether something has the form of verdicts, on whatever points."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, list):
        return any(judges(item, depth + 1) for item in value)
    if not isinstance(value, Mapping):
        return False
    return any(plain(str(key)) in _JUDGING or judges(member, depth + 1) for key, member in value.items())


@lru_cache(maxsize=256)
def plain(key: str) -> str:
    """A key without case and punctuation: ``Point ID`` and ``point_id`` are the same."""
    return "".join(char for char in key.casefold() if char.isalnum())


def _folded(point: str) -> str:
    return point.strip(UNSEEN).strip().casefold()


def _number(point: str) -> float | None:
    try:
        return float(point)
    except ValueError:
        return None
