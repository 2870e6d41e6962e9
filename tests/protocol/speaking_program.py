"""A program that answers as ``tests.protocol.wire.Speaker`` does, and keeps every byte that it is told.

``speaking_program.py LOG``: LOG gets the lines as they came; LOG.said, when the input ends, what was said.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.protocol.wire import Speaker, told_to_program


def main() -> None:
    """Answer lines."""
    log, speaker = Path(sys.argv[1]), Speaker()
    with log.open("ab") as kept:
        for line in sys.stdin.buffer:
            kept.write(line)
            message = speaker(told_to_program(line).body)
            text, calls = message.get("content"), message.get("tool_calls", [])
            reply = {"request": json.loads(line)["request"], "text": text, "tool_calls": calls}
            print(json.dumps(reply), flush=True)  # noqa: T201
    log.with_suffix(".said").write_text(json.dumps([speaker.said, speaker.asked]))


if __name__ == "__main__":
    main()
