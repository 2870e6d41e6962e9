"""Bounded-time, bounded-memory work in child processes.

Hostile input can send any chemistry library into an endless loop or out of
memory. So a check runs in a supervised child: when it takes too long, or takes
the child down with it, that one task fails, the child is replaced, and the
other tasks go on. A bare ProcessPoolExecutor would be broken by the first
killed child.

Children are started as fresh interpreters, never forked, and die with their
parent because their pipe ends.
"""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from multiprocessing.connection import Connection, Pipe, wait
from tempfile import TemporaryFile
from typing import Any, Literal

Failure = Literal["time_limit", "memory_limit", "died", "raised"]

BATCH = 32
"""Tasks sent at a time: enough to hide the pipe's cost, few enough to share out the end of a run."""
MOST_AT_ONCE = 256
"""Tasks decided in this process before what has ended is handed on."""
PATIENCE = 0.02
"""Seconds a child may keep replies back to send them together: a message costs more than a quick task."""
MOST = 8
"""Children by default at most: each holds its own copy of the libraries, and the archive takes no more."""
START_LIMIT = 120.0
"""Seconds a child may take to import what it needs, on a busy machine."""
WALL_FACTOR = 10.0
"""The wall-clock limit as a multiple of the CPU limit: it only catches a child that sleeps."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one task: its value, or why there is none."""

    task: Any
    value: Any = None
    failure: Failure | None = None
    trace: str = ""
    """The child's traceback where the task raised."""


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    pipe: Connection
    progress: mmap.mmap
    """Shared with the child: how many tasks of its batch it has begun."""
    received: int = 0
    """How many replies to its batch have come back."""
    tasks: deque[Any] = field(default_factory=deque)
    deadline: float = 0.0
    ready: bool = False


class Workers:
    """A team of child processes that apply one function to many tasks.

    ``function`` is ``"package.module:name"``; the children import it. ``count``
    is one a core, up to ``MOST``, unless it is given.
    ``time_limit`` is CPU seconds a task, ``memory_limit`` is bytes of address
    space a child may add to what its imports take. ``at_once`` is asked in this process for the value of a
    task that is known sooner than it is sent; it returns None for the others. Use as a context manager.
    """

    def __init__(
        self,
        function: str,
        *,
        count: int | None = None,
        time_limit: float = 2.0,
        memory_limit: int = 2 * 2**30,
        at_once: Callable[[Any], Any] | None = None,
    ) -> None:
        self._function = function
        self._at_once = at_once
        self._count = count or min(MOST, os.cpu_count() or 1)
        self._time_limit = time_limit
        self._memory_limit = memory_limit
        self._children: list[_Child] = []
        self._suspects: list[Any] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            _stop(child)
        self._children.clear()

    def run(self, tasks: Iterable[Any]) -> Iterator[list[Outcome]]:
        """Yield an Outcome a task, in lists of those that ended since the last; tasks are drawn as needed.

        The slower the caller works off a list, the longer the next: one that
        writes each list to a disk is never what the children wait for.
        """
        source = iter(tasks)
        again: deque[Any] = deque()  # tasks that a lost child had not begun
        while True:
            ended: list[Outcome] = []
            self._hand_out(source, again, ended)
            busy = {child.pipe: child for child in self._children if child.tasks}
            if not busy and not ended:
                return
            patience = min((child.deadline for child in busy.values()), default=0.0) - time.monotonic()
            for pipe in wait(list(busy), timeout=0.0 if ended else max(0.0, patience)):
                ended.extend(self._collect(busy[pipe], again))  # type: ignore[index]
            now = time.monotonic()
            for child in [c for c in self._children if c.tasks and c.deadline <= now]:
                child.process.kill()
                ended.extend(self._lost(child, again, "time_limit"))
            if ended:
                yield ended

    def _hand_out(self, source: Iterator[Any], again: deque[Any], ended: list[Outcome]) -> None:
        for slot in range(self._count):
            child = self._children[slot] if slot < len(self._children) else None
            if child is not None and child.tasks:
                continue
            batch = [again.popleft() for _ in range(min(BATCH, len(again)))] or self._drawn(source, ended)
            if not batch:
                return
            if child is None:
                child = self._start()
                self._children.append(child)
            child.tasks.extend(batch)
            child.received = 0
            child.progress[:] = bytes(len(child.progress))
            child.deadline = time.monotonic() + (self._wall_limit if child.ready else START_LIMIT)
            # a dead child shows itself when its pipe is read
            with suppress(BrokenPipeError, ConnectionResetError):
                child.pipe.send(batch)

    def _drawn(self, source: Iterator[Any], ended: list[Outcome]) -> list[Any]:
        """A batch for a child; what is known at once has ended instead."""
        if self._at_once is None:
            return list(islice(source, BATCH))
        batch: list[Any] = []
        for task in source:
            value = self._at_once(task)
            if value is None:
                batch.append(task)
            else:
                ended.append(Outcome(task, value))
            if len(batch) == BATCH or len(ended) == MOST_AT_ONCE:
                break
        return batch

    def _collect(self, child: _Child, again: deque[Any]) -> Iterator[Outcome]:
        while child.tasks and child.pipe.poll():
            try:
                replies = child.pipe.recv()
            except (EOFError, ConnectionResetError):
                yield from self._lost(child, again, None)
                return
            child.deadline = time.monotonic() + self._wall_limit
            child.ready = True
            child.received += len(replies)
            for failure, value in replies:
                task = child.tasks.popleft()
                if failure is None:
                    yield Outcome(task, value)
                else:
                    yield Outcome(task, failure=failure, trace=value)

    def _lost(self, child: _Child, again: deque[Any], failure: Failure | None) -> Iterator[Outcome]:
        """The task in hand took the child down; the others are handed out again."""
        status = child.process.wait()
        child.pipe.close()
        self._children.remove(child)
        if not child.ready:
            raise RuntimeError(f"a worker for {self._function} could not start (exit status {status})")
        # the replies to what it had done before the task in hand are lost with it
        done = max(0, int.from_bytes(child.progress, "little") - 1 - child.received)
        task = child.tasks[done]
        del child.tasks[done]
        again.extend(child.tasks)
        if failure is None and status == -signal.SIGPROF:
            failure = "time_limit"
        if failure is None and not any(task is suspect for suspect in self._suspects):
            self._suspects.append(task)  # someone else may have killed the child: one more chance
            again.append(task)
            return
        yield Outcome(task, failure=failure or "died")

    @property
    def _wall_limit(self) -> float:
        return max(30.0, self._time_limit * WALL_FACTOR)

    def _start(self) -> _Child:
        ours, theirs = Pipe()
        with TemporaryFile() as shared:
            shared.truncate(4)
            arguments = [
                theirs.fileno(),
                shared.fileno(),
                self._function,
                self._time_limit,
                self._memory_limit,
            ]
            process = subprocess.Popen(
                # -P: the user's folder is no place to import from
                [sys.executable, "-P", "-m", "grader.workers", *map(str, arguments)],
                pass_fds=[theirs.fileno(), shared.fileno()],
                stdin=subprocess.DEVNULL,
            )
            theirs.close()
            return _Child(process, ours, mmap.mmap(shared.fileno(), 4))


def _stop(child: _Child) -> None:
    child.pipe.close()
    if child.tasks:
        child.process.kill()
    try:
        child.process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.process.kill()
        child.process.wait()


def _serve(pipe: Connection, progress: mmap.mmap, name: str, time_limit: float, memory_limit: int) -> None:
    """The child's life: import the function, then answer batches until the parent hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    function = _resolve(name)
    _limit_memory(memory_limit)
    pipe.send([])  # ready
    while True:
        try:
            batch = pipe.recv()
        except EOFError:
            return
        replies = []
        sent = time.monotonic()
        for begun, task in enumerate(batch, 1):
            progress[:] = begun.to_bytes(4, "little")
            _limit_time(time_limit)
            replies.append(_perform(function, task))
            if time.monotonic() - sent > PATIENCE:
                pipe.send(replies)
                replies = []
                sent = time.monotonic()
        pipe.send(replies)


def _perform(function: Callable[[Any], Any], task: Any) -> tuple[Failure | None, Any]:
    try:
        return None, function(task)
    except MemoryError:
        return "memory_limit", ""
    except Exception:
        return "raised", traceback.format_exc()


def _resolve(name: str) -> Callable[[Any], Any]:
    module, _, attribute = name.partition(":")
    found: Callable[[Any], Any] = getattr(import_module(module), attribute)
    return found


def _limit_time(seconds: float) -> None:
    # CPU time, so that a busy machine never changes a finding; past it the kernel sends SIGPROF.
    # Set anew for each task: a limit on the process would add up what the kernel's ticks misjudge.
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(extra: int) -> None:
    import resource

    if not sys.platform.startswith("linux"):
        return  # other systems don't honour a limit on address space
    with open("/proc/self/statm") as statm:  # noqa: PTH123 (a pseudo-file)
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + extra
    # the hard limit stays: a child's own child may lift it, such as a JVM, which bounds its heap itself
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    try:
        _serve(
            Connection(int(sys.argv[1])),
            mmap.mmap(int(sys.argv[2]), 4),
            sys.argv[3],
            float(sys.argv[4]),
            int(sys.argv[5]),
        )
    except (BrokenPipeError, ConnectionResetError):
        sys.exit(0)
