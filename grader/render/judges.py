"""Judge cards, probes and trials as plain text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from textwrap import indent
from typing import TYPE_CHECKING, Any

from grader.judge.cards import LoadedCard
from grader.judge.prompt import judge_request, locator_request
from grader.judge.sample import FULL_TASK, LOCATOR_TASK
from grader.model.reply import Attempt
from grader.model.request import Message, ModelRequest
from grader.record import Verdict
from grader.render.plain import plain

if TYPE_CHECKING:
    from grader.grade.trial import Trial
    from grader.judge.probe import Probe

_UNKNOWN = "unknown"


# Cards


def card_table(cards: Sequence[LoadedCard]) -> str:
    """One line a card: name, hash, what is asked, how, how often, and what is said of it."""
    rows = [("card", "hash", "asks", "output", "votes", "description"), *map(_row, cards)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]])
        for row in rows
    )
    return plain("\n".join(line.rstrip() for line in lines))


def _row(card: LoadedCard) -> tuple[str, ...]:
    outputs = dict.fromkeys(voter.card.output for voter in card.voters)
    votes = sum(voter.card.votes for voter in card.voters)
    note = " ".join(card.card.description.split())
    provisional = "provisional. " if card.card.provisional else ""
    return card.name, card.hash[:12], _asks(card), "/".join(outputs), str(votes), provisional + note


def _asks(card: LoadedCard) -> str:
    if card.members:
        return "panel of " + ", ".join(member.name for member in card.members)
    return str(card.card.model)


def card_json(card: LoadedCard) -> dict[str, Any]:
    """A card with every setting, as ``argus judges list --json`` prints it."""
    return {
        "name": card.name,
        "label": card.label,
        "hash": card.hash,
        "path": str(card.path),
        "members": [member.label for member in card.members],
        "settings": card.card.model_dump(mode="json"),
    }


def card_text(card: LoadedCard) -> str:
    """Every setting of a card, and its prompts for a small sample task."""
    lines = [f"card   {card.label}", f"file   {card.path}", f"hash   {card.hash}"]
    lines += [f"votes  with {member.label} ({member.card.model})" for member in card.members]
    lines += ["", *(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in _settings(card))]
    for title, request in sample_requests(card):
        lines += ["", f"--- {title}", "", request_text(request)]
    return plain("\n".join(lines))


def sample_requests(card: LoadedCard) -> Iterator[tuple[str, ModelRequest]]:
    """The requests that each voter of a card gets about a sample task."""
    for voter in card.voters:
        yield f"what {voter.label} is asked about a sample task", judge_request(voter, FULL_TASK, 0)
    if card.locating is not None:
        title = f"what {card.locating.label} is asked about a value that code didn't find"
        yield title, locator_request(card, LOCATOR_TASK)


def _settings(card: LoadedCard) -> Iterator[tuple[str, Any]]:
    for name, value in card.card.model_dump(mode="json").items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", said) for inner, said in value.items())
        elif value is not None:
            yield name, value


# Requests and replies


def request_text(request: ModelRequest) -> str:
    """The messages of a request, images by their digest, then what is sent beside them."""
    texts = [f"[{message['role']}]\n{_content(message)}" for message in request.messages]
    return "\n\n".join(
        [*texts, f"[beside] {json.dumps({**request.parameters, **request.output}, ensure_ascii=False)}"]
    )


def _content(message: Message) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(
        part["text"] if part["type"] == "text" else f"[{part['image_url']['url'][:18]}…]" for part in content
    )


def reply_text(attempt: Attempt) -> str:
    """What came back: the message as received, or the error."""
    if attempt.raw is None:
        return f"{attempt.failure}: {attempt.error}"
    choices = attempt.raw.get("choices") or []
    messages = [choice.get("message") for choice in choices] or [attempt.raw]
    return "\n".join(json.dumps(_said(message), ensure_ascii=False) for message in messages)


def _said(message: Any) -> Any:
    """A message without the fields the provider left empty."""
    if not isinstance(message, Mapping):
        return message
    return {name: value for name, value in message.items() if value not in (None, [], {})}


def _took(attempt: Attempt) -> str:
    usage = attempt.usage
    tokens = _UNKNOWN if usage.prompt is None else f"{usage.prompt} in, {usage.completion} out"
    reasoning = "" if usage.reasoning is None else f", of which reasoning {usage.reasoning}"
    return f"tokens {tokens}{reasoning}; cost {_money(attempt)}; {attempt.latency:.2f} s"


def _money(attempt: Attempt) -> str:
    return _UNKNOWN if attempt.cost is None else f"{attempt.cost:.6f} USD ({attempt.cost_source})"


# Probes


def probe_text(probe: Probe) -> str:
    """What an endpoint did with one request, and what to change."""
    return plain("\n".join(_probe_lines(probe)))


def _probe_lines(probe: Probe) -> Iterator[str]:
    card, attempt = probe.card.card, probe.attempt
    yield f"card      {probe.card.label}"
    yield f"endpoint  {card.model}" + (f" at {card.api_base}" if card.api_base else "")
    if attempt.failure is not None:
        yield f"failed    {attempt.failure}: {attempt.error}"
    else:
        yield f"served    {attempt.served_model or _UNKNOWN}"
        yield f"output    {card.output}: {_SHAPES[str(probe.shape)]}"
        yield f"finish    {attempt.finish_reason or _UNKNOWN}"
    yield f"took      {_took(attempt)}"
    if probe.reading is not None:
        yield f"verdicts  {'readable' if probe.usable else probe.reading.trouble}"
        for point, said in probe.reading.said.items():
            yield f"          {point}: {said.verdict}, confidence {said.confidence}, quotes {said.evidence!r}"
    yield from (f"advice    {line}" for line in probe.advice)


_SHAPES = {
    "as_asked": "the reply has the shape that was asked for",
    "json_only": "the reply is JSON of another shape",
    "not_as_asked": "the reply hasn't the shape that was asked for",
}


# Trials


def trial_text(trial: Trial) -> str:
    """Every request and reply, then what stands for each point, and the cost."""
    parts = [*_calls(trial), "", *_points(trial), "", _spent(trial)]
    return plain("\n".join(parts))


def _calls(trial: Trial) -> Iterator[str]:
    for number, (request, call) in enumerate(trial.calls, start=1):
        title = f"{call.purpose}, {request.endpoint.model}, vote {request.vote}"
        yield f"=== request {number}: {title}"
        yield request_text(request)
        yield f"=== reply {number}: {_took(call.attempt)}"
        yield reply_text(call.attempt)
    if not trial.calls:
        yield "the judge was asked nothing: every point of this subquestion is for code"


def _points(trial: Trial) -> Iterator[str]:
    for point in trial.points:
        standing = point.standing
        if standing is None or point.shape == "group":
            continue
        reason = f" ({standing.reason})" if standing.reason else ""
        award = "" if standing.award is None else f", award {standing.award:g}"
        yield f"{point.point_id}  {standing.status}{reason}{award}, by {standing.by or 'nobody'}"
        for stored in point.verdicts:
            yield indent("\n".join(_verdict(stored.verdict)), "  ")


def _verdict(verdict: Verdict) -> Iterable[str]:
    if verdict.rationale:
        yield verdict.rationale
    if verdict.evidence is not None:
        yield f"at {verdict.evidence.start}-{verdict.evidence.end}: {verdict.evidence.quote!r}"
    if verdict.confidence is not None:
        yield f"confidence {verdict.confidence:.2f}"
    if verdict.flags:
        yield f"flags: {', '.join(verdict.flags)}"


def _spent(trial: Trial) -> str:
    spent = trial.spent
    tokens = f"{spent.prompt_tokens} tokens in, {spent.completion_tokens} out"
    if not spent.replies:
        return f"{spent.calls} calls, no reply"
    unknown = f", {spent.unknown_cost} replies of unknown cost" if spent.unknown_cost else ""
    return f"{spent.calls} calls, {tokens}, {spent.cost:.6f} USD{unknown}"


def messages_json(request: ModelRequest) -> dict[str, Any]:
    """A request as ``argus judges show --json`` prints it."""
    return {"endpoint": asdict(request.endpoint), **request.body()}
