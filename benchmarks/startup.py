"""What `argus --help` costs beside a bare typer app, in CPU seconds of the same minute.

    python benchmarks/startup.py [--rounds 21]

Prints both medians and their ratio; exits 1 if the ratio is above 1.5.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.5

BARE = '''\
from typing import Annotated
import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)

@app.command()
def one(name: Annotated[str, typer.Argument(help="A name.")]) -> None:
    """Do one thing."""

@app.command()
def two(name: Annotated[str, typer.Option(help="A name.")] = "") -> None:
    """Do another."""

app()
'''


def cpu_seconds(command: list[str]) -> float:
    """User and system seconds of one run of a command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} exited {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        commands = {
            "argus --help": [str(Path(sys.executable).with_name("argus")), "--help"],
            "bare typer app": [sys.executable, str(bare), "--help"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):  # interleaved, so that a busy minute hits both
            for name, command in commands.items():
                times[name].append(cpu_seconds(command))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:16} {median * 1000:6.0f} ms CPU")
    ratio = medians["argus --help"] / medians["bare typer app"]
    print(f"{'ratio':16} {ratio:6.2f} (at most {LIMIT})")
    sys.exit(ratio > LIMIT)


if __name__ == "__main__":
    main()
