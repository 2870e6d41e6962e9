"""The score table of a graded run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from grader.render.plain import plain

TRACKS = ("formal", "located", "judge", "human")

Row = Mapping[str, Any]


def score_table(summary: Row) -> Table:
    """The scores of a run as ``grader.grade.summary`` gives them: a row for each model, protocol and mode.

    What all rows share stands in the title, and what there is nothing of (a
    track's decisions, flags) has no column, so that the numbers fit into 80 characters.
    """
    rows: Sequence[Row] = summary["scores"]
    varying = [name for name in ("protocol", "mode") if len({row[name] for row in rows}) > 1]
    tracks = [track for track in TRACKS if any(row["by_track"].get(track) for row in rows)]
    partial = any(row["missing"] for row in rows)
    table = Table(
        title=_title(summary, varying), caption=_caption(summary), box=box.SIMPLE_HEAD, pad_edge=False
    )
    for heading in ("model", *varying):
        table.add_column(heading, overflow="fold")
    follow = summary.get("follow", False)
    flagged = any(_flags(row).total() for row in rows)
    further = [*(["answered"] if partial else []), *(["follow"] if follow else [])]
    further += ["flags"] if flagged else []
    for heading in ("marks", "score", "by problem", "decided", *further, *tracks):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        names = [_name(row, summary), *(_text(row[name]) for name in varying)]
        more = [*(_answered(row) if partial else ()), *([_marks(row["earned_follow"])] if follow else ())]
        more += [str(_flags(row).total())] if flagged else []
        table.add_row(*names, *_numbers(row), *more, *_decided(row, tracks))
    return table


def _title(summary: Row, varying: Sequence[str]) -> Text:
    shared = [name for name in ("protocol", "mode") if name not in varying]
    values = [str(summary["scores"][0][name]) for name in shared if summary["scores"]]
    return _text(", ".join([f"Scores of {summary['run']['name']}", *values]))


def _numbers(row: Row) -> Iterator[str]:
    yield f"{_marks(row['earned'])} / {_marks(row['full_mark'])}"
    if row["low"] == row["high"]:
        yield percent(row["share"])
        yield percent(row["macro"])
    else:
        yield f"{percent(row['low'])} to {percent(row['high'])}"
        yield "open"
    yield percent(row["coverage"])


def _answered(row: Row) -> Iterator[str]:
    """How many of the set's subquestions have an answer."""
    yield f"{row['subquestions']} of {row['subquestions'] + row['missing']}"


def _decided(row: Row, tracks: Sequence[str]) -> Iterator[str]:
    return (_marks(row["by_track"].get(track, 0.0)) for track in tracks)


def _flags(row: Row) -> Counter[str]:
    """Responses whose call failed, or that are no plain answer; summaries of old versions don't say."""
    return Counter({"failed": row.get("failed", 0), **row.get("flags", {})})


def _caption(summary: Row) -> str:
    located = any(row["by_track"].get("located") for row in summary["scores"])
    names = "formal, located (by code, where a judge quoted the value), judge, human"
    parts = [f"{names if located else 'formal, judge, human'}: full marks that each track decided"]
    if flags := +sum(map(_flags, summary["scores"]), Counter()):
        parts.append(f"flags: {', '.join(f'{count} {flag}' for flag, count in flags.items())}")
    if summary.get("follow"):
        parts.append("follow: marks with follow-through from own earlier errors")
    if summary["undetermined"]:
        parts.append("a score between bounds waits for undetermined points")
    judge = summary["judge"]
    if judge and judge["provisional"]:
        parts.append(f"judge {judge['card']} is provisional, its verdicts count nowhere")
    if judge and judge["kin"]:
        families = sorted({f"{model} ({family})" for model, family in judge["kin"].items()})
        parts.append(f"* of the same family as judge {judge['card']}: {', '.join(families)}")
    return plain("; ".join(parts))


def _name(row: Row, summary: Row) -> Text:
    """A model's name, with a star if its judge is of its own family."""
    judge = summary["judge"]
    kin = judge is not None and row["model"] in judge["kin"]
    return _text(f"{row['model']} *" if kin else row["model"])


def estimate_table(estimate: Row) -> Table:
    """What a dry run found, by ``grader.grade.estimate``; what all rows share stands in the title."""
    rows: Sequence[Row] = estimate["rows"]
    names = ("judge_model", "model", "protocol", "mode")
    varying = [name for name in names if name == "model" or len({row[name] for row in rows}) > 1]
    shared = [str(rows[0][name]) for name in names if rows and name not in varying]
    table = Table(
        title=_text(", ".join(["Requests to be sent", *shared])), box=box.SIMPLE_HEAD, pad_edge=False
    )
    for name in varying:
        table.add_column({"judge_model": "judge", "model": "about"}.get(name, name), overflow="fold")
    for heading in ("requests", "tokens in", "out, at most", "at most"):
        table.add_column(heading, justify="right")
    for row in rows:
        counts = [f"{row[name]:,}" for name in ("calls", "prompt_tokens", "completion_tokens_at_most")]
        table.add_row(*(_text(row[name]) for name in varying), *counts, _dollars(row["cost_at_most"]))
    table.caption = (
        f"{estimate['calls']:,} requests, at most {_dollars(estimate['cost_at_most'])}; "
        "if every vote is needed and every reply asked to be mended, "
        f"{estimate['worst_calls']:,} requests, at most {_dollars(estimate['worst_cost'])}"
    )
    return table


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.4f}"


def _text(text: str) -> Text:
    """Names come from outside: their brackets are no markup, and they control no terminal."""
    return Text(plain(text))


def _marks(marks: float) -> str:
    return f"{round(marks, 2):g}"


def percent(share: float | None) -> str:
    """A share in per cent with one decimal; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"
