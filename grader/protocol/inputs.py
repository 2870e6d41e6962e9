"""What the responses of a run were shown: images, reader calls and standard results, for an audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.record import Response, RunReader
from grader.record.flags import flags


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one response was shown, besides text."""

    model: str
    protocol: str
    mode: str
    problem_id: str
    sub_id: str | None
    sample: int
    recorded: bool
    """Whether the run says what was shown; one that was made elsewhere may not."""
    images: tuple[dict[str, Any], ...] = ()
    """``figure, digest, width, height`` and, if it was shrunk, ``shrunk_from``."""
    reader_calls: tuple[dict[str, Any], ...] = ()
    """``figure, question, answer`` and what the call took."""
    granted: tuple[dict[str, Any], ...] = ()
    """``of`` a sub_id, and whether it was ``derived`` from the rubric."""
    ungranted: tuple[str, ...] = ()
    """The sub_ids whose results would have been granted, but which have none."""
    flags: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {name: getattr(self, name) for name in self.__slots__}


def inputs(run: Path) -> Iterator[Inputs]:
    """What each response of a run was shown, in the order of the run. Raises RunError."""
    for _, response in RunReader(run):
        yield _of(response)


def _of(response: Response) -> Inputs:
    meta = response.meta
    shown = meta.get("input") or {}
    return Inputs(
        response.model,
        response.protocol,
        response.mode,
        response.problem_id,
        response.sub_id,
        response.sample,
        bool(shown),
        tuple(shown.get("images") or ()),
        tuple(meta.get("reader_calls") or ()),
        tuple(shown.get("granted") or ()),
        tuple(shown.get("ungranted") or ()),
        flags(response),
    )
