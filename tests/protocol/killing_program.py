"""A program that answers JSON lines, and sends whoever asks a signal at the request of an ordinal.

``killing_program.py LOG ORDINAL SIGNAL``: each request that is answered is written to LOG before. Ordinals
count the lines of LOG, so they go on where an earlier process ended. Imports nothing of the package.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys


def main() -> None:
    log, ordinal, number_of_it = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(log, "a+") as stream:  # noqa: PTH123  # pathlib takes time to load
        stream.seek(0)
        number = sum(1 for _ in stream)
        for raw in sys.stdin:
            line = json.loads(raw)
            number += 1
            if number == ordinal:
                os.kill(os.getppid(), number_of_it)
                return
            text = hashlib.sha256(json.dumps(line["messages"]).encode()).hexdigest()
            stream.write(line["request"] + "\n")
            stream.flush()
            print(json.dumps({"request": line["request"], "text": text, "cost": 0.5}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
