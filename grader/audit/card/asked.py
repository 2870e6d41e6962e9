"""How a judge was asked: the models named and served, its prompt and temperature, from card and archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from grader.archive.served import Served
from grader.archive.store import Archive
from grader.errors import ArgusError
from grader.judge.cards import load_card
from grader.record import digest

if TYPE_CHECKING:
    from grader.judge.cards import LoadedCard

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """One voter of a judge: the judge itself, or a member of its panel."""

    card: str
    """``<name>@<hash>``."""
    model: str
    """As the card names it, else as the archived requests do."""
    served: tuple[str, ...]
    """What providers said they served, by number of replies."""
    replies: int
    first: str | None
    """The day of its first archived reply, ISO 8601."""
    last: str | None
    prompt: str | None
    """The beginning of the SHA-256 of its template; None where no card of this hash is at hand."""
    temperature: float | None
    """None: not set, so the provider's own."""
    votes: int | None

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {**asdict(self), "served": list(self.served)}


def asked(archive: Archive, judge: str, named: str | None = None) -> tuple[Asked, ...]:
    """Every voter of a judge ``<card>@<hash>``; none of ``formal``.

    ``named``: a card's name or file where the card may be that isn't in ``judges/``.
    """
    if "@" not in judge:
        return ()
    card = _at_hand(judge, named or judge.partition("@")[0])
    found = archive.served(judge)
    if card is None:
        return (_voter(archive, judge, found, None),)
    several = len(card.voters) > 1
    return tuple(
        _voter(archive, one.label, [row for row in found if not several or row.model == one.card.model], one)
        for one in card.voters
    )


def _at_hand(judge: str, named: str) -> LoadedCard | None:
    """The card of that very hash, if there is one here."""
    try:
        card = load_card(named)
    except ArgusError:
        return None
    return card if card.label == judge else None


def _voter(archive: Archive, label: str, found: Sequence[Served], card: LoadedCard | None) -> Asked:
    names: dict[str, int] = {}
    for one in found:
        if one.served is not None:
            names[one.served] = names.get(one.served, 0) + one.replies
    settings = card.card if card else None
    days = [day for one in found for day in (one.first, one.last)]
    return Asked(
        card=label,
        model=(settings.model if settings else None) or (found[0].model if found else ""),
        served=tuple(sorted(names, key=lambda name: (-names[name], name))),
        replies=sum(one.replies for one in found),
        first=min(days).date().isoformat() if days else None,
        last=max(days).date().isoformat() if days else None,
        prompt=digest(card.templates[card.card.template])[:_SHOWN] if card else None,
        temperature=settings.parameters.temperature if settings else _temperature(archive, found),
        votes=settings.votes if settings else None,
    )


def _temperature(archive: Archive, found: Sequence[Served]) -> float | None:
    """As an archived request says."""
    said = archive.request(found[-1].key).parameters.get("temperature") if found else None
    return float(said) if isinstance(said, int | float) else None
