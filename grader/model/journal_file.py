"""A journal in a file: every try at a request on a line of its own, so that a run needs no database."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader.errors import DataError, shown
from grader.model.failure import UNKNOWN
from grader.model.reply import Attempt, Reply, Usage
from grader.model.request import Endpoint, ModelRequest
from grader.record.line_file import LineFile, Place

MostCost = Callable[[ModelRequest, Usage], float]
"""US dollars that a try of unknown price can have cost."""

_BEGINS = b'{"request": "'
"""Each line."""


@dataclass
class Paid:
    """What the tries of a journal have cost."""

    cost: float = 0.0
    """US dollars, as far as known."""
    unknown: int = 0
    """Tries that may have cost something nobody knows: of unknown price, or without an end."""

    def as_json(self) -> dict[str, Any]:
        """Documented in docs/output.md."""
        return {"cost": round(self.cost, 9), "unknown": self.unknown}


class FileJournal:
    """Fulfils ``grader.model.reply.Journal`` over an append-only JSONL file. Use it as a context.

    Each line has the key of a ``request`` and one of ``asked`` (the request
    itself, before its first try), ``reserved`` (US dollars, before a try under
    a limit) and ``attempt``. In memory are places, not replies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.paid = Paid()
        self._file = LineFile(path, "the journal of the run")
        self._replies: dict[str, Place] = {}
        """Where in the file the last reply to a request stands."""
        self._asked: dict[str, tuple[int, int, str]] = {}
        """Where the requests stand, and which model each asks."""
        self._costs: defaultdict[str, float] = defaultdict(float)
        """US dollars, by the model that was asked."""
        self._reserved: dict[tuple[str, str], float] = {}
        """Tries that were about to start and have no known end, by request and time."""
        self._unpriced: list[tuple[str, Usage]] = []
        self._batched: set[tuple[str, datetime]] = set()
        """Tries from batch files: one that is taken in again is the same."""
        self._left = ExitStack()

    def __enter__(self) -> Self:
        """Raises DataError for a file that is no journal, UsageError for one that can't be written."""
        with ExitStack() as stack:
            stack.enter_context(self._file)
            self._load()
            self._left = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.close()

    def committed(self, most: MostCost, counts: Callable[[str], bool] = lambda model: True) -> float:
        """US dollars that earlier tries count as: their cost, or the most they can have cost.

        ``counts``: whether the tries at a model do.
        """
        known = sum(cost for model, cost in self._costs.items() if counts(model))
        unpriced = [(key, usage) for key, usage in self._unpriced if counts(self._asked[key][2])]
        most_unpriced = sum(most(self._request(key), usage) for key, usage in unpriced)
        # money is set aside for nothing but what counts
        return known + sum(self._reserved.values()) + most_unpriced

    def replied(self, keys: Iterable[str]) -> set[str]:
        """The requests among these that have a reply."""
        return {key for key in keys if key in self._replies}

    async def known(self, request: ModelRequest) -> Reply | None:
        """The last reply to the same request; None if there is none."""
        place = self._replies.get(request.key)
        if place is None:
            return None
        return Reply(request.key, _attempt(self._read(place)["attempt"]), archived=True)

    async def reserve(self, request: ModelRequest, started: datetime, most: float) -> None:
        """Set aside US dollars for a try before it is sent; on disk when this returns."""
        await self._file.append([_line(request.key, reserved=most, started=started.isoformat())])

    async def keep(self, request: ModelRequest, attempt: Attempt) -> None:
        """Keep a try; it is on disk when this returns, and soon after where nobody waits for it."""
        key = request.key
        if (key, attempt.started) in self._batched:
            return
        lines = [_line(key, attempt=_record(attempt))]
        if key not in self._asked:
            lines.insert(0, _line(key, asked=_asked(request)))
        *asked, place = await self._file.append(lines)
        if asked:
            self._asked[key] = (*asked[0], request.endpoint.model)
        self._tally(key, attempt, place)

    # Reading

    def _load(self) -> None:
        begin = self._file.begin(len(_BEGINS))
        if not _BEGINS.startswith(begin):
            raise self._no_journal(1, begin)
        self._file.mend()
        for number, (place, line) in enumerate(self._file, start=1):
            try:
                self._learn(json.loads(line), place)
            except (ValueError, KeyError, TypeError, RecursionError):
                raise self._no_journal(number, line) from None

    def _learn(self, entry: Mapping[str, Any], place: Place) -> None:
        key = entry["request"]
        if "asked" in entry:
            self._asked[key] = (*place, sys.intern(entry["asked"]["model"]))
        elif "reserved" in entry:
            self._reserved[key, entry["started"]] = float(entry["reserved"])
        else:
            attempt = _attempt(entry["attempt"])
            self._tally(key, attempt, place)
            self._commit(key, attempt)

    def _tally(self, key: str, attempt: Attempt, place: Place) -> None:
        if attempt.failure is None:
            self._replies[key] = place
        if attempt.batch:
            self._batched.add((key, attempt.started))
        self.paid.cost += attempt.cost or 0.0
        self._costs[self._asked[key][2]] += attempt.cost or 0.0
        self.paid.unknown += _unpriced(attempt)

    def _commit(self, key: str, attempt: Attempt) -> None:
        """What an earlier try counts as, against a limit; those of this process are counted as they end."""
        if not _unpriced(attempt):
            self._reserved.pop((key, attempt.started.isoformat()), None)
        elif (key, attempt.started.isoformat()) not in self._reserved:
            self._unpriced.append((key, attempt.usage))

    def _request(self, key: str) -> ModelRequest:
        asked = self._read(self._asked[key][:2])["asked"]
        endpoint = Endpoint(asked["model"], asked["api_base"])
        return ModelRequest(
            endpoint,
            tuple(asked["messages"]),
            asked["parameters"],
            asked["output"],
            asked["vote"],
            asked.get("conversation", ""),
        )

    def _read(self, place: Place) -> Any:
        return json.loads(self._file.read(place))

    def _no_journal(self, number: int, line: bytes) -> DataError:
        return DataError(
            "no line of a journal",
            file=str(self.path),
            line=number,
            got=shown(line.decode("utf-8", "replace")),
            do="Move the file away to begin anew: what it paid for is then asked and paid again.",
        )


def _unpriced(attempt: Attempt) -> bool:
    """Whether it may have cost something, and nobody knows what."""
    return attempt.cost is None and (attempt.failure is None or attempt.failure in UNKNOWN)


def _line(key: str, **what: Any) -> str:
    return json.dumps({"request": key, **what}, ensure_ascii=False)


def _asked(request: ModelRequest) -> dict[str, Any]:
    return {
        "model": request.endpoint.model,
        "api_base": request.endpoint.api_base,
        "messages": request.messages,
        "parameters": request.parameters,
        "output": request.output,
        "vote": request.vote,
        **({"conversation": request.conversation} if request.conversation else {}),
    }


def _record(attempt: Attempt) -> dict[str, Any]:
    kept = {
        name: value for name, value in asdict(attempt).items() if value is not None and value is not False
    }
    return {**kept, "started": attempt.started.isoformat()}


def _attempt(record: Mapping[str, Any]) -> Attempt:
    return Attempt(
        **{
            **record,
            "started": datetime.fromisoformat(record["started"]),
            "usage": Usage(**record.get("usage", {})),
        }
    )
