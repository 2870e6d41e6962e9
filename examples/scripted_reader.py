"""A scripted reader for the demo set. No model is asked: it repeats what the set's author says of a figure.

    python3 examples/scripted_reader.py problems/demo

answers JSON lines, each of an image and a question, as docs/solvers.md says. It goes by nothing but the
image, which it knows by its size. It has one fault: it takes the two faces of an alkene for one another.
"""

from __future__ import annotations

import base64
import json
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

MIXED_UP = ("D-(-)-tartrate", "L-(+)-tartrate")
"""What delivers to the top face, and what to the bottom face."""

Size = tuple[int, int]


class Reader:
    """A reader of the figures of a set."""

    def __init__(self, folder: Path) -> None:
        self._descriptions = dict(_described(folder))

    def reply(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """What it says of the image that it is shown, whatever it is asked."""
        image = next(part for part in messages[-1]["content"] if part["type"] == "image_url")
        data = image["image_url"]["url"].partition(",")[2]
        return _mixed_up(self._descriptions[_size(base64.b64decode(data))])


def _described(folder: Path) -> Iterator[tuple[Size, str]]:
    """Size and description of each figure that a model may see."""
    for path in folder.glob("tasks/*/problem.json"):
        problem = json.loads(path.read_text("utf-8"))
        own = [image for sub in problem["subquestions"] for image in sub["text_images"]]
        for image in [*problem["header_images"], *own]:
            yield _size((path.parent / "images" / image["file"]).read_bytes()), image["description"]


def _size(png: bytes) -> Size:
    """Width and height stand at the same place in every PNG."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _mixed_up(description: str) -> str:
    first, second = MIXED_UP
    parts = [part.replace(second, first) for part in description.split(first)]
    return second.join(parts)


def main() -> None:
    """Answer lines."""
    reader = Reader(Path(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        text = reader.reply(request["messages"])
        print(json.dumps({"request": request["request"], "text": text}), flush=True)


if __name__ == "__main__":
    main()
