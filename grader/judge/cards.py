"""Judge cards with all that belongs to them: templates, members of a panel, and the hash that names them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import CardError, shown
from grader.judge.card import JudgeCard
from grader.judge.card_file import read_card
from grader.judge.family import FAMILIES
from grader.judge.prompt import Repair, judge_request, locator_request
from grader.judge.sample import BARE_LOCATOR_TASK, BARE_TASK, FULL_TASK, LOCATOR_TASK
from grader.judge.templates import Role, TemplateFault, check, place_of, places_of
from grader.model.request import Endpoint
from grader.model.settings import refuse_secrets
from grader.problem.content import content_root
from grader.problem.place import Place
from grader.record import digest

JUDGE_VERSION = 1
"""Of the rules outside of cards: prompts' assembly, shape, shield, parser, evidence, aggregation.

Raise it whenever one of them could let the same reply, or the same answer,
lead to another verdict: it is part of every card's hash.
"""

NOT_HASHED = frozenset(
    {
        "description",
        "key_env",
        "family",
        "thresholds",
        "spot_check",
        "limits",
        "price",
        "image_tokens",
        # It decides whether a verdict counts, not what it says, and is kept with each verdict.
        "provisional",
    }
)
"""The fields of a card that can't change a verdict; every other field is in the hash."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_HASH_SHOWN = 12


@dataclass(frozen=True)
class LoadedCard:
    """A card, ready to judge."""

    name: str
    card: JudgeCard
    path: Path
    templates: Mapping[str, str]
    """The texts of its templates, by file name; a panel has none."""
    members: tuple[LoadedCard, ...]
    hash: str
    """SHA-256, in hex, of everything that can change its verdicts."""

    @property
    def label(self) -> str:
        """``<name>@<hash>``, as votes name it."""
        return f"{self.name}@{self.hash[:_HASH_SHOWN]}"

    @property
    def by(self) -> str:
        """``judge:<name>@<hash>``, as verdicts name it."""
        return f"judge:{self.label}"

    @property
    def voters(self) -> tuple[LoadedCard, ...]:
        """The cards that are asked: the members of a panel, or the card itself."""
        return self.members or (self,)

    @property
    def locating(self) -> LoadedCard | None:
        """The card that is asked where an answer states a value: of a panel, its first that does that."""
        return next((voter for voter in self.voters if voter.card.locator is not None), None)

    @property
    def endpoint(self) -> Endpoint:
        """Where it is asked; a panel is asked nowhere."""
        assert self.card.model is not None
        return Endpoint(self.card.model, self.card.api_base, self.card.key_env)


def load_card(named: str) -> LoadedCard:
    """The card of that name in ``judges/``, or the one at a path that ends in ``.toml``.

    Raises CardError with everything that is wrong with the card, its templates
    or the members of its panel.
    """
    return _loaded(_found(named))


def card_names() -> list[str]:
    """The names of the cards in ``judges/``."""
    return sorted(path.stem for path in _folder().glob("*.toml") if path.name != FAMILIES)


def list_cards() -> list[LoadedCard]:
    """Every card in ``judges/``, by name."""
    return [load_card(name) for name in card_names()]


def card_hash(card: JudgeCard, templates: Mapping[str, str], members: tuple[LoadedCard, ...] = ()) -> str:
    """SHA-256 of the canonical JSON of everything that can change a verdict of the card."""
    said: dict[str, Any] = {"judge_version": JUDGE_VERSION, "calls": card.calls}
    if members:
        return digest({**said, "panel": [member.hash for member in members]})
    said |= card.model_dump(mode="json", exclude=set(NOT_HASHED))
    said["template"] = templates[card.template]
    if card.locator is not None:
        said["locator"] |= {"template": templates[card.locator.template]}
    if card.order == "rubric":
        del said["order_seed"]  # nothing is shuffled by it
    return digest(said)


def _folder() -> Path:
    return content_root() / "judges"


def _found(named: str) -> Path:
    if named.endswith(".toml") or "/" in named:
        return Path(named)
    names = card_names()
    if named not in names:
        expected = f"{', '.join(names)}, or a path that ends in .toml"
        raise CardError("there is no judge card of that name", got=shown(named), expected=expected)
    return _folder() / f"{named}.toml"


def _loaded(path: Path) -> LoadedCard:
    card = read_card(path)
    if not _NAME.fullmatch(path.stem):
        expected = "letters, digits, '.', '_' and '-', a letter or digit first"
        raise CardError("the file's name can't name a judge", file=str(path), expected=expected)
    if card.panel:
        members = _members(card, path)
        return LoadedCard(path.stem, card, path, {}, members, card_hash(card, {}, members))
    templates = _templates(card, path)
    loaded = LoadedCard(path.stem, card, path, templates, (), card_hash(card, templates))
    _try_out(loaded)
    return loaded


# Panels


def _members(card: JudgeCard, path: Path) -> tuple[LoadedCard, ...]:
    members: list[LoadedCard] = []
    for index, named in enumerate(card.panel):
        member = _member(named, path, f"/panel/{index}")
        twin = next((other for other in members if _asks(other) == _asks(member)), None)
        if twin is not None:
            what = "two members are the same judge, and would have one opinion twice"
            raise CardError(what, file=str(path), pointer=f"/panel/{index}", got=f"{twin.name} and {named}")
        if member.card.provisional and not card.provisional:
            what, do = "the panel has a provisional member", "Make the panel provisional, too."
            raise CardError(what, file=str(path), pointer=f"/panel/{index}", got=named, do=do)
        members.append(member)
    return tuple(members)


def _asks(member: LoadedCard) -> str:
    """The address of a request of a member's: two that ask the same get the same reply."""
    return judge_request(member, FULL_TASK, 0).key


def _member(named: str, path: Path, where: str) -> LoadedCard:
    """A member's card: beside the panel's, or in ``judges/``."""
    file = named if named.endswith(".toml") else f"{named}.toml"
    places = [path.parent / file, _folder() / file]
    there = next((place for place in places if place.is_file()), None)
    if there is None:
        expected = f"a card beside {path.name}, or one of {', '.join(card_names())}"
        what = "there is no judge card of that name"
        raise CardError(what, file=str(path), pointer=where, got=shown(named), expected=expected)
    if read_card(there).panel:
        what = "a panel can't be a member of a panel"
        raise CardError(what, file=str(path), pointer=where, got=named, do="Name its members.")
    return _loaded(there)


# Templates


def _templates(card: JudgeCard, path: Path) -> dict[str, str]:
    texts = {card.template: _template(card.template, "judge", path, "/template")}
    if card.locator is not None:
        name = card.locator.template
        texts[name] = _template(name, "locator", path, "/locator/template")
    return texts


def _template(name: str, role: Role, path: Path, where: str) -> str:
    there = place_of(name, path)
    if there is None:
        expected = " or ".join(map(str, places_of(name, path)))
        what = "the template is missing"
        raise CardError(what, file=str(path), pointer=where, got=shown(name), expected=expected)
    try:
        text = there.read_text("utf-8")
        check(text, role)
    except TemplateFault as fault:
        raise CardError(fault.what, file=str(there), line=fault.line) from fault
    except (OSError, UnicodeDecodeError) as error:
        raise CardError("the template can't be read", file=str(there), got=str(error)) from error
    refuse_secrets(text, Place(str(there)), CardError)
    return text


def _try_out(card: LoadedCard) -> None:
    """Render everything once, with all a task can have and with none of it: a grading must not fail on it."""
    for task in (FULL_TASK, BARE_TASK):
        judge_request(card, task, 0, Repair("", "it is empty", ("p1",)))
        judge_request(card, task, 0, Repair("{}", "it is no JSON"))
    if card.card.locator is not None:
        for located in (LOCATOR_TASK, BARE_LOCATOR_TASK):
            locator_request(card, located)
