"""Requests to a judge: a task, a card and its templates become messages.

A template sees what :func:`_judge_values` lists and nothing else, so it can
show neither model nor protocol. Whatever was derived from the answer is
shielded, and delimited by a code that occurs nowhere in the request.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.errors import CardError
from grader.judge.card import JudgeCard
from grader.judge.hostile.forged import neutral
from grader.judge.shape import judge_example, judge_output, locator_example, locator_output
from grader.judge.shield import nonce, shield
from grader.judge.task import Criterion, JudgeFigure, JudgeTask, LocatorTask
from grader.judge.templates import TemplateFault, place_of, rendered
from grader.model.request import IMAGE_SCHEME, Message, ModelRequest

if TYPE_CHECKING:
    from grader.judge.cards import LoadedCard

REPLY_SHOWN = 6000
"""The most characters of an unusable reply that its judge is shown again."""
ERROR_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Repair:
    """What the judge replied before, and what was wrong with it."""

    reply: str
    error: str
    missing: tuple[str, ...] = ()
    """The points it left out: only they are asked again. Empty: all are."""


class _Point(NamedTuple):
    """A criterion as a template sees it."""

    id: str
    marks: str
    shape: str
    partial: bool
    text: str
    terms: tuple[str, ...]


def judge_request(card: LoadedCard, task: JudgeTask, vote: int, repair: Repair | None = None) -> ModelRequest:
    """The request for one vote on a task; with ``repair``, the one that follows an unusable reply.

    Deterministic: the same card, task and vote make the same request. Raises
    CardError where the card's template can't be rendered.
    """
    criteria = _ordered(card.card, task, vote)
    values = _judge_values(card.card, task, criteria)
    messages = _opening(card, card.card.template, values, [*task.figures, *task.rubric_figures])
    if repair is not None:
        criteria = [point for point in criteria if not repair.missing or point.id in repair.missing]
        messages += _repair(card, values, repair, criteria)
    return ModelRequest(
        endpoint=card.endpoint,
        messages=tuple(messages),
        parameters=_parameters(card.card, vote),
        output=judge_output(card.card, criteria),
        vote=vote,
    )


def locator_request(card: LoadedCard, task: LocatorTask) -> ModelRequest:
    """The request for the passage that states a value, to the card that locates (``card.locating``).

    Raises CardError where the card's template can't be rendered.
    """
    asked = card.locating
    assert asked is not None, "the card locates nothing"
    options = asked.card.locator
    assert options is not None
    values = _locator_values(asked.card, task)
    return ModelRequest(
        endpoint=asked.endpoint,
        messages=tuple(_opening(asked, options.template, values, task.figures)),
        parameters={**_parameters(asked.card, 0), "max_tokens": options.max_tokens},
        output=locator_output(asked.card),
    )


# What a template sees


def _judge_values(card: JudgeCard, task: JudgeTask, criteria: Sequence[Criterion]) -> dict[str, Any]:
    answer = shield(task.answer).shown
    facts = [_line(fact) for fact in (*_facts(criteria), *task.facts)]
    rubric = [*(point.text for point in criteria), *task.lines, *task.guidance]
    code = nonce("\n".join([task.header, task.question, *task.before, answer, *facts, *rubric]))
    return {
        "header": task.header,
        "question": task.question,
        "figures": [_figure(card, figure, code) for figure in task.figures],
        "rubric_figures": [_figure(card, figure, code) for figure in task.rubric_figures],
        "before": task.before,
        "lines": task.lines,
        "guidance": task.guidance,
        "points": [_point(criterion) for criterion in criteria],
        "answer": answer,
        "part": task.part,
        "facts": facts,
        "nonce": code,
        "shape": judge_example(card, criteria),
    }


def _locator_values(card: JudgeCard, task: LocatorTask) -> dict[str, Any]:
    answer = shield(task.answer).shown
    code = nonce("\n".join([task.header, task.question, answer, task.point]))
    return {
        "header": task.header,
        "question": task.question,
        "figures": [_figure(card, figure, code) for figure in task.figures],
        "point": task.point,
        "answer": answer,
        "part": task.part,
        "nonce": code,
        "shape": locator_example(card),
    }


def _point(criterion: Criterion) -> _Point:
    return _Point(
        criterion.id,
        f"{criterion.marks:g}",
        criterion.shape,
        criterion.partial,
        criterion.text.strip(),
        criterion.terms,
    )


def _facts(criteria: Iterable[Criterion]) -> Iterable[str]:
    return (f"{point.id}: {fact}" for point in criteria for fact in point.facts)


def _line(text: str) -> str:
    """What code found, as one line: it quotes short plain values, and what it says is ours to say."""
    return " ".join(neutral(text).split())


def _figure(card: JudgeCard, figure: JudgeFigure, code: str) -> str:
    if card.images == "images":
        return f"{figure.name}:\n{_placeholder(figure.digest, code)}"
    return f"{figure.name}: {figure.description or 'no description'}"


def _ordered(card: JudgeCard, task: JudgeTask, vote: int) -> Sequence[Criterion]:
    """The criteria in the order they are asked about."""
    if card.order == "rubric":
        return task.criteria
    seed = "\0".join([str(card.order_seed), str(vote), task.header, task.question, task.answer])
    start = hashlib.sha256(seed.encode("utf-8", "surrogatepass"))

    def place(criterion: Criterion) -> bytes:
        drawn = start.copy()
        drawn.update(criterion.id.encode("utf-8", "surrogatepass"))
        return drawn.digest()

    return sorted(task.criteria, key=place)


# Messages


def _opening(
    card: LoadedCard, template: str, values: Mapping[str, Any], figures: Iterable[JudgeFigure]
) -> list[Message]:
    user = _block(card, template, "user", values)
    shown = [figure.digest for figure in figures] if card.card.images == "images" else []
    return [
        {"role": "system", "content": _block(card, template, "system", values)},
        {"role": "user", "content": _parts(user, values["nonce"]) if shown else user},
    ]


def _repair(
    card: LoadedCard, values: Mapping[str, Any], repair: Repair, criteria: Sequence[Criterion]
) -> list[Message]:
    # The judge's own verdicts: only tokens are made harmless, or the shield would take them for forged ones.
    said = neutral(repair.reply[:REPLY_SHOWN]).strip()
    asked = {
        **values,
        "points": [_point(criterion) for criterion in criteria],
        "shape": judge_example(card.card, criteria),
        "error": " ".join(neutral(repair.error).split())[:ERROR_SHOWN].rstrip("."),
        "missing": repair.missing,
    }
    return [
        {"role": "assistant", "content": said or "(nothing)"},  # some providers refuse empty messages
        {"role": "user", "content": _block(card, card.card.template, "repair", asked)},
    ]


def _block(card: LoadedCard, template: str, block: str, values: Mapping[str, Any]) -> str:
    try:
        return rendered(card.templates[template], block, values)
    except TemplateFault as fault:
        what = f"the block {block!r} can't be rendered: {fault.what}"
        place = place_of(template, card.path) or template
        raise CardError(what, file=str(place), line=fault.line) from fault


def _placeholder(digest: str, code: str) -> str:
    return f"<figure {code} {digest}>"


def _parts(text: str, code: str) -> list[Message]:
    """The text cut at its figures, which stand where their placeholders stood."""
    pieces = re.split(f"<figure {re.escape(code)} ([^>]*)>", text)
    parts: list[Message] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append({"type": "image_url", "image_url": {"url": f"{IMAGE_SCHEME}{piece}"}})
        elif piece.strip():
            parts.append({"type": "text", "text": piece.strip("\n")})
    return parts


def _parameters(card: JudgeCard, vote: int) -> dict[str, Any]:
    """What is sent beside the messages; of votes with a seed each has its own, or they'd be one vote."""
    parameters = card.parameters.model_dump(exclude_none=True)
    if "seed" in parameters:
        parameters["seed"] += vote
    return parameters
