"""What the worker tests run in children."""

from __future__ import annotations

import os
import signal


def double(n: int) -> int:
    return 2 * n


def spin_on_13(n: int) -> int:
    while n == 13:
        pass
    return n


def die_on_7(n: int) -> int:
    if n == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def gorge_on_3(n: int) -> int:
    return len(bytearray(2 * 2**30)) if n == 3 else n


def fail(task: object) -> None:
    raise ValueError(task)
