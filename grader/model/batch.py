"""Batches in OpenAI's file format: requests out, replies and failures in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from grader.errors import DataError, UsageError, shown
from grader.model.body import Images, no_images, sendable
from grader.model.keys import Redactor
from grader.model.prices import Prices
from grader.model.received import replied
from grader.model.reply import Attempt, FailureKind
from grader.model.request import ModelRequest
from grader.model.told import error_told, kind_of_status
from grader.record import digest

URL = "/v1/chat/completions"


def write_batch(path: Path, requests: Iterable[ModelRequest], images: Images = no_images) -> int:
    """Write requests, each once, for a provider's batch; how many there are.

    The file is there whole or not at all. Raises UsageError where it can't be written.
    """
    # beside the file, as only within one file system a file takes another's place at once
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            count = _write(file, requests, images)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise UsageError("the batch can't be written", file=str(path), got=str(error.strerror)) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def _write(file: TextIO, requests: Iterable[ModelRequest], images: Images) -> int:
    written: set[str] = set()
    for request in requests:
        if request.key not in written:
            written.add(request.key)
            file.write(_line(request, images))
    return len(written)


def _line(request: ModelRequest, images: Images) -> str:
    line = {"custom_id": request.key, "method": "POST", "url": URL, "body": _body(request, images)}
    return json.dumps(line) + "\n"


def _body(request: ModelRequest, images: Images) -> dict[str, Any]:
    """The body as the provider itself takes it: nobody stands between who would translate it."""
    body = sendable(request, images)
    body |= body.pop("extra_body", None) or {}
    body["model"] = request.endpoint.model.partition("/")[2] or request.endpoint.model
    if request.endpoint.api_base is None:
        # OpenAI's own API knows the limit by this name for all models, by the other for older ones
        body["max_completion_tokens"] = body.pop("max_tokens")
    return body


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One line of a batch's output or of its errors."""

    line: int
    """1-based."""
    key: str
    """Of the request, as it was written."""
    status: int | None
    """The HTTP status; None where the request never got as far."""
    body: Mapping[str, Any] | None
    """The reply's body; None where there is none to read."""
    error: str | None
    """What went wrong."""
    written: datetime
    """When its file was: the time of an item that names none, so that one taken in again is the same."""

    def attempt(self, request: ModelRequest, prices: Prices, redactor: Redactor) -> Attempt:
        """The item as an attempt at its request, keys hidden."""
        started = _created(self.body) or self.written
        if self.body is not None and (self.error is None or self._tells):
            raw = redactor.json(self.body)
            return replied(raw, request.endpoint, prices, started, latency=0.0, batch=True)
        error = redactor.text(self.error or "")
        return Attempt(started, 0.0, self._failure, error, self.status, batch=True)

    @property
    def _tells(self) -> bool:
        """The body came as a reply's, and tells of an error."""
        return self.status is not None and self.status < 400 and error_told(self.body or {}) is not None

    @property
    def _failure(self) -> FailureKind:
        if self.status is None:
            return "server_error"  # expired or cancelled before it was asked
        return "unreadable_body" if self.status < 400 else kind_of_status(self.status)


def read_batch(path: Path) -> Iterator[BatchItem]:
    """The items of an output file or an error file, in its order, an equal one once.

    What was asked and isn't there, or is there and wasn't asked, is for the
    caller to see. Raises DataError naming the line for a line that can't be
    read and for two different replies to one request.
    """
    seen: dict[str, tuple[int, str]] = {}
    written = _written(path)
    for number, text in _lines(path):
        record = _record(path, number, text)
        key, response, error = record["custom_id"], record.get("response"), record.get("error")
        said = digest([response, error])
        first, before = seen.setdefault(key, (number, said))
        if said != before:
            raise DataError(f"custom_id {key} has another reply in line {first}", file=str(path), line=number)
        if first == number:
            yield _item(number, key, response, error, written)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())
    except OSError as error:
        raise _unread(path, error) from error
    except UnicodeDecodeError as error:
        raise DataError("the batch isn't UTF-8", file=str(path)) from error


def _record(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except ValueError as error:
        raise DataError(
            "no JSON: is the file whole?", file=str(path), line=number, got=shown(text.strip())
        ) from error
    if isinstance(record, dict) and isinstance(record.get("custom_id"), str):
        return record
    raise DataError(
        "no line of a batch",
        file=str(path),
        line=number,
        got=shown(text.strip()),
        expected='an object with "custom_id"',
        do="Give the output file or the error file that the provider returned.",
    )


def _item(number: int, key: str, response: Any, error: Any, written: datetime) -> BatchItem:
    response = response if isinstance(response, Mapping) else {}
    status, body = response.get("status_code"), response.get("body")
    status = status if isinstance(status, int) else None
    body = body if isinstance(body, Mapping) else None
    wrong = _message(error) or _error_of(status, body)
    return BatchItem(number, key, status, body, wrong, written)


def _error_of(status: int | None, body: Mapping[str, Any] | None) -> str | None:
    if status is None:
        return "no response"
    if status >= 400:
        return _message((body or {}).get("error")) or f"HTTP status {status}"
    if (error := error_told(body or {})) is not None:
        return error[1]
    return None if body is not None and isinstance(body.get("choices"), list) else "the body is no completion"


def _message(error: Any) -> str | None:
    """What an error object says: its code and message."""
    if isinstance(error, Mapping):
        return ": ".join(str(error[name]) for name in ("code", "message") if error.get(name)) or "failed"
    return str(error) if error else None


def _created(body: Mapping[str, Any] | None) -> datetime | None:
    created = (body or {}).get("created")
    try:
        return datetime.fromtimestamp(created, UTC)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _written(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        raise _unread(path, error) from error


def _unread(path: Path, error: OSError) -> DataError:
    return DataError("the batch can't be read", file=str(path), got=str(error.strerror))
