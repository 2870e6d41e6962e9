"""The reader and writer of run.jsonl, through which responses enter and leave."""

from __future__ import annotations

import codecs
import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.errors import Fault, RunError, shown
from grader.record.values import Mode, Protocol, Response

SCHEMA_VERSION = 1
MAX_LINE = 4 * 1024 * 1024
"""Bytes a line may have: a longer one isn't a model's reply, and a stream must stay flat in memory."""

Catalogue = Mapping[str, Sequence[str]]
"""The sub_ids of each problem_id of a set, in order."""


class RunHeader(BaseModel):
    """The optional first line of a run.jsonl: what holds for every response unless its line differs."""

    model_config = ConfigDict(extra="allow", frozen=True)

    schema_version: int
    model: str | None = None
    protocol: Protocol | None = None
    mode: Mode | None = None
    problems: str | None = None
    """The problem set's folder, relative to the run file."""
    visible_hash: str | None = None
    """What the models could see; the run is bound to it."""
    prompt_profile: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)


class ResponseLine(BaseModel):
    """One line of a run.jsonl. Only ``text`` and one of ``problem_id`` and ``sub_id`` must be there."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    model: str | None = Field(default=None, min_length=1)
    problem_id: str | None = Field(default=None, min_length=1)
    sub_id: str | None = Field(default=None, min_length=1)
    protocol: Protocol | None = None
    mode: Mode | None = None
    sample: int = Field(default=0, ge=0, le=2**31 - 1)
    text: str | None
    """What the model said; null only beside an ``error``."""
    finish_reason: str | None = None
    error: str | dict[str, Any] | None = None
    """Why the call failed. A failed call is undetermined, never a zero."""
    files: list[str] | None = None
    usage: dict[str, Any] | None = None
    cost: float | None = None
    input: dict[str, Any] | None = None
    """What the model was shown in this turn: ``message``, ``images``, ``granted``, ``ungranted``."""
    reader_calls: list[dict[str, Any]] | None = None
    carried: list[dict[str, Any]] | None = None
    """What later turns of the conversation see of this one, where that is more than its text."""
    reasoning: str | None = None
    """Kept, and shown to nobody."""
    timing: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    """Anything else worth keeping."""


_GRADED = {"model", "problem_id", "sub_id", "protocol", "mode", "sample", "text", "finish_reason", "error"}


class RunReader:
    """A run.jsonl as a stream: iterating yields ``(line number, Response)``.

    A broken line raises RunError with its number; with ``keep_going`` it is
    kept in ``skipped`` and reading goes on. Fields the format doesn't name are
    kept with the response and listed once in ``notes``. A byte order mark and
    CRLF line ends are read as what they are. ``RunReader(...)`` itself reads
    the header, so a missing file fails at once.
    """

    def __init__(self, path: Path, catalogue: Catalogue | None = None, *, keep_going: bool = False) -> None:
        self.path = path
        self.catalogue = catalogue
        self.keep_going = keep_going
        self.skipped: list[Fault] = []
        self.notes: dict[str, int] = {}
        """Unknown fields and the line where each was first seen."""
        self._problem_of = {sub: problem for problem, subs in (catalogue or {}).items() for sub in subs}
        self._seen: dict[int, int] = {}
        with self._open() as stream:
            self.header, self._first = self._read_header(stream)

    def __iter__(self) -> Iterator[tuple[int, Response]]:
        self._seen.clear()
        self.skipped.clear()
        with self._open() as stream:
            for number, raw in _lines(stream):
                if number < self._first or not raw.strip():
                    continue
                try:
                    yield number, self._response(number, raw)
                except RunError as error:
                    if not self.keep_going:
                        raise
                    self.skipped.extend(error.faults)

    def _open(self) -> BinaryIO:
        try:
            if self.path.exists() and not self.path.is_file():  # it is read more than once
                raise RunError("the run is not a file", file=str(self.path), do="Save it to a file first.")
            return self.path.open("rb")
        except OSError as error:
            raise RunError(
                f"can't read the run: {error.strerror}", file=str(self.path), do="Check the path."
            ) from None

    def _read_header(self, stream: BinaryIO) -> tuple[RunHeader, int]:
        for number, raw in _lines(stream):
            if not raw.strip():
                continue
            try:
                value = json.loads(raw)
            except (ValueError, RecursionError):
                break  # the loop over responses reports it, with its number
            if not isinstance(value, dict) or "schema_version" not in value or "text" in value:
                break
            try:
                header = RunHeader.model_validate(value)
            except ValidationError as error:
                raise self._invalid(number, error) from None
            if header.schema_version > SCHEMA_VERSION:
                raise self._error(
                    number,
                    "the run was written in a later format",
                    pointer="/schema_version",
                    got=str(header.schema_version),
                    expected=f"at most {SCHEMA_VERSION}",
                    do="Update Argus.",
                )
            return header, number + 1
        return RunHeader(schema_version=SCHEMA_VERSION), 1

    def _response(self, number: int, raw: bytes) -> Response:
        line = self._parse(number, raw)
        if line.model_extra:
            self._note_extras(number, line.model_extra)
        error = line.error if line.error is None or isinstance(line.error, str) else json.dumps(line.error)
        if error is None and line.finish_reason == "error":
            error = "finish_reason is error"
        if line.text is None and error is None:
            raise self._error(
                number,
                "a response without text",
                pointer="/text",
                got="null",
                expected="a string, or null beside an 'error' that says why the call failed",
            )
        problem_id = self._problem_id(number, line)
        response = Response(
            model=line.model or self.header.model or self.path.stem,
            problem_id=problem_id,
            sub_id=line.sub_id,
            protocol=self._protocol(number, line),
            mode=line.mode or self.header.mode or "unstated",
            sample=line.sample,
            text=line.text or "",
            finish_reason=line.finish_reason,
            error=error,
            meta=line.model_dump(exclude=_GRADED, exclude_none=True),
        )
        self._once(number, response)
        return response

    def _parse(self, number: int, raw: bytes) -> ResponseLine:
        if len(raw) > MAX_LINE:
            raise self._error(
                number,
                "the line is too long",
                got=f"more than {MAX_LINE // 2**20} MiB",
                expected="one model response",
                do="Cut the line or move what isn't text out of the run.",
            )
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._error(
                number,
                "the line is not UTF-8",
                got=f"byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line",
                do="Save the run as UTF-8.",
            ) from None
        try:
            value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        except (ValueError, RecursionError) as error:
            raise self._error(number, "not JSON", got=str(error), expected="one JSON object a line") from None
        if not isinstance(value, dict):
            raise self._error(number, "not an object", got=shown(value), expected="one JSON object a line")
        try:
            return ResponseLine.model_validate(value)
        except ValidationError as error:
            raise self._invalid(number, error) from None

    def _problem_id(self, number: int, line: ResponseLine) -> str:
        if line.problem_id is None and line.sub_id is None:
            raise self._error(number, "neither 'problem_id' nor 'sub_id' is given", do="Give one of them.")
        if self.catalogue is None:
            if line.problem_id is None:
                raise self._error(number, "no 'problem_id' and no problem set to find it in")
            return line.problem_id
        if line.sub_id is not None and line.sub_id not in self._problem_of:
            raise self._unknown(number, "/sub_id", line.sub_id, self._problem_of)
        if line.problem_id is not None and line.problem_id not in self.catalogue:
            raise self._unknown(number, "/problem_id", line.problem_id, self.catalogue)
        owner = self._problem_of[line.sub_id] if line.sub_id is not None else line.problem_id
        assert owner is not None
        if line.problem_id is not None and line.problem_id != owner:
            raise self._error(
                number,
                "the subquestion belongs to another problem",
                pointer="/problem_id",
                got=shown(line.problem_id),
                expected=shown(owner),
            )
        return owner

    def _protocol(self, number: int, line: ResponseLine) -> Protocol:
        protocol = line.protocol or self.header.protocol
        if protocol is None:
            return "full_problem" if line.sub_id is None else "unstated"
        if (protocol == "full_problem") != (line.sub_id is None) and protocol != "unstated":
            rule = (
                "no sub_id under full_problem" if line.sub_id is not None else "a sub_id unless full_problem"
            )
            raise self._error(
                number, f"protocol {protocol} and sub_id don't fit", pointer="/sub_id", expected=rule
            )
        return protocol

    def _once(self, number: int, response: Response) -> None:
        # 64 bits of a hash instead of the key itself keep 300,000 responses flat in memory
        key = int.from_bytes(hashlib.blake2b(repr(response.key).encode(), digest_size=8).digest())
        before = self._seen.setdefault(key, number)
        if before != number:
            raise self._error(
                number,
                "a second response for the same model, problem, subquestion, protocol, mode and sample",
                got=shown(response.key, 200),
                expected=f"one; the first is on line {before}",
                do="Give repeated answers different 'sample' numbers.",
            )

    def _note_extras(self, number: int, extras: Mapping[str, Any]) -> None:
        for name in extras:
            if name in self.notes:
                continue
            near = difflib.get_close_matches(name, ResponseLine.model_fields, n=1, cutoff=0.8)
            if near:
                raise self._error(
                    number,
                    "unknown field",
                    pointer=f"/{name}",
                    got=shown(name),
                    do=f"Did you mean '{near[0]}'? Put anything else under 'meta'.",
                )
            self.notes[name] = number

    def _unknown(self, number: int, pointer: str, got: str, known: Iterable[str]) -> RunError:
        names = list(known)
        near = difflib.get_close_matches(got, names, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"the set has {len(names)}"
        return self._error(
            number,
            f"unknown {pointer[1:]}",
            pointer=pointer,
            got=shown(got),
            expected=f"an id of the set; {hint}",
        )

    def _invalid(self, number: int, error: ValidationError) -> RunError:
        faults = []
        for item in error.errors(include_url=False):
            pointer = "".join(f"/{part}" for part in item["loc"])
            got = None if item["type"] == "missing" else shown(item["input"])
            faults.append(Fault(item["msg"], str(self.path), number, pointer or None, got))
        return RunError(faults)

    def _error(self, number: int, what: str, **where: str | None) -> RunError:
        return RunError(what, file=str(self.path), line=number, **where)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names occur once: a reader that takes the last would hide the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} occurs twice in one object")
    return found


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a stream with their 1-based numbers, each read no further than the limit."""
    number = 0
    while raw := stream.readline(MAX_LINE + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        rest = raw
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE + 1)  # skip what is left of an overlong line
        yield number, raw


def write_run(path: Path, header: RunHeader, responses: Iterable[Response]) -> None:
    """Write a run.jsonl: the header, then one line a response; defaults are left out."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(header.model_dump_json(exclude_defaults=True) + "\n")
        for response in responses:
            stream.write(response_line(response) + "\n")


def response_line(response: Response) -> str:
    """One response as a line of run.jsonl, without the line end."""
    fields = {
        name: getattr(response, name)
        for name in (
            "model",
            "problem_id",
            "sub_id",
            "protocol",
            "mode",
            "sample",
            "text",
            "finish_reason",
            "error",
        )
    }
    kept = {name: value for name, value in fields.items() if value is not None and value != "unstated"}
    return json.dumps(kept | dict(response.meta), ensure_ascii=False)
