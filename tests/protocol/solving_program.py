"""A program that answers JSON lines, and fails on purpose.

``solving_program.py LOG``: each request is written to LOG as it came. ``LOG.fault`` holds the name of a
fault and the ordinal (1-based, of this process) of the request that meets it. Imports nothing of the package.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

Line = dict[str, Any]


def main() -> None:
    log = sys.argv[1]
    with open(log + ".fault") as stream:  # noqa: PTH123  # pathlib takes time to load
        fault, number_of_it = stream.read().split()
    ordinal = int(number_of_it)
    held: list[Line] = []
    for number, raw in enumerate(sys.stdin, start=1):
        with open(log, "a") as stream:  # noqa: PTH123
            stream.write(raw)
        line = json.loads(raw)
        if fault == "gather":
            held.append(line)
            if len(held) == ordinal:
                for one in reversed(held):
                    say(answer(one))
                held.clear()
        elif fault == "error" or number == ordinal:
            FAULTS[fault](line)
        else:
            say(answer(line))


def answer(line: Line) -> Line:
    """Something that tells which messages it answers."""
    said = [one["content"] for one in line["messages"]]
    return {"request": line["request"], "text": f"answer to {said[-1]!r} after {len(said) - 1} messages"}


def say(reply: Line) -> None:
    print(json.dumps(reply), flush=True)  # noqa: T201


def tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def twice(line: Line) -> None:
    say(answer(line))
    say(answer(line))


def close(line: Line) -> None:
    os.close(1)
    time.sleep(60)


def linger(line: Line) -> None:
    """Answer, and outlive both the end of the input and the request to end, with a child that does too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    alive = os.open(sys.argv[1] + ".alive", os.O_WRONLY)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[alive])
    os.write(alive, b"two")
    say(answer(line))
    time.sleep(600)


def use_reader(line: Line) -> None:
    """Ask about the first figure, and answer with what is told."""
    figure = line["tools"][0]["function"]["parameters"]["properties"]["figure"]["enum"][0]
    arguments = json.dumps({"figure": figure, "question": "What colour?"})
    call = {"id": "c1", "type": "function", "function": {"name": "read_image", "arguments": arguments}}
    say({"request": line["request"], "tool_calls": [call]})


def in_full(line: Line) -> None:
    """Answer with all that a reply may hold."""
    sys.stderr.write("thinking aloud\n")
    usage = {
        "prompt_tokens": 11,
        "completion_tokens": 5,
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    rest = {"reasoning": "because", "finish_reason": "length", "usage": usage, "cost": 0.25}
    say({"request": line["request"], "text": "short", "files": ["answers/a.mol"], **rest})


FAULTS = {
    "none": lambda line: say(answer(line)),
    "exit": lambda line: sys.exit(3),
    "crash": lambda line: os.kill(os.getpid(), signal.SIGKILL),
    "chatter": lambda line: tell("Loading weights..."),
    "array": lambda line: tell("[1]"),
    "nan": lambda line: tell(f'{{"request": "{line["request"]}", "text": "", "cost": NaN}}'),
    "wrong_field": lambda line: say({"request": line["request"], "answer": "42"}),
    "silent": lambda line: say({"request": line["request"], "text": None}),
    "stranger": lambda line: say({"request": "0" * 64, "text": "42"}),
    "twice": twice,
    "endless": lambda line: tell("x" * (5 * 2**20)),
    "deep": lambda line: tell("[" * 100_000),
    "close": close,
    "hang": lambda line: time.sleep(60),
    "error": lambda line: say({"request": line["request"], "error": "the agent is out of steps"}),
    "overflow": lambda line: say({"request": line["request"], "error": "the prompt is too long"}),
    "linger": linger,
    "reader": use_reader,
    "full": in_full,
}

if __name__ == "__main__":
    main()
