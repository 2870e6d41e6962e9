"""The audit of what a run's responses were shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from grader.protocol.inputs import Inputs
from grader.render.plain import plain
from grader.render.runs import money

_SHORT = 120
"""Characters of a question or an answer in the table."""


def inputs_table(name: str, shown: Iterable[Inputs]) -> Table:
    """A row for each response; what readers said is shortened."""
    table = Table(
        title=Text(plain(f"What the responses of {name} were shown")), box=box.SIMPLE_HEAD, pad_edge=False
    )
    for heading in ("model", "protocol", "mode", "answers", "images", "reader calls", "granted", "flags"):
        table.add_column(heading, overflow="fold")
    calls: list[Mapping[str, Any]] = []
    for one in shown:
        calls += one.reader_calls
        table.add_row(
            *(
                Text(plain(text))
                for text in (one.model, one.protocol, one.mode, _answers(one), *_inputs(one))
            ),
            ", ".join(one.flags),
        )
    if calls:
        table.caption = f"{len(calls)} reader calls: {_paid(calls)}"
    return table


def _paid(calls: Sequence[Mapping[str, Any]]) -> str:
    """What calls cost; the same question about the same image is the same request, which is paid once."""
    costs = {call["request"]: call.get("cost") for call in calls if "request" in call}
    return money(sum(cost or 0.0 for cost in costs.values()), [*costs.values()].count(None))


def _answers(one: Inputs) -> str:
    sample = f" (sample {one.sample})" if one.sample else ""
    return f"{one.sub_id or one.problem_id}{sample}"


def _inputs(one: Inputs) -> tuple[str, str, str]:
    if not one.recorded:
        return ("not recorded", "", "")
    images = ", ".join(_image(image) for image in one.images)
    calls = "\n".join(map(_call, one.reader_calls))
    granted = [f"{grant['of']}{' (derived)' if grant['derived'] else ''}" for grant in one.granted]
    granted += [f"{sub_id} (has none)" for sub_id in one.ungranted]
    return images, calls, ", ".join(granted)


def _call(call: Mapping[str, Any]) -> str:
    asked = f"{call.get('figure')}: {shorten(str(call.get('question')), _SHORT)}"
    if error := call.get("error"):
        return f"{asked} ({error})"
    cost = call.get("cost")
    paid = "" if cost is None else f" (${cost:.4f})"
    return f"{asked} {shorten(str(call.get('answer') or ''), _SHORT)}{paid}"


def _image(image: dict[str, object]) -> str:
    shrunk = image.get("shrunk_from")
    size = f"{image.get('width')}x{image.get('height')}"
    was = f" from {shrunk[0]}x{shrunk[1]}" if isinstance(shrunk, list) else ""
    return f"{image.get('figure')} ({size}{was})"
