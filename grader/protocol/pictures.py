"""Images as a model sees them: anew encoded, without metadata or file name, no larger than a stated limit."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import Any

from grader.problem.set import ProblemSet
from grader.problem.visible import Figure

MEDIA_TYPE = "image/png"
"""Lossless: a thin line or a subscript must not blur."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An image as it is sent."""

    digest: str
    """SHA-256, in hex, of the bytes that are sent."""
    width: int
    height: int
    shrunk_from: tuple[int, int] | None
    """Its own size where that was over the limit."""

    def record(self, name: str) -> dict[str, Any]:
        """As run.jsonl keeps it, under the figure's neutral name."""
        kept: dict[str, Any] = {
            "figure": name,
            "digest": self.digest,
            "width": self.width,
            "height": self.height,
        }
        return kept | ({"shrunk_from": list(self.shrunk_from)} if self.shrunk_from else {})


class Pictures:
    """The images of a set as they are sent, by figure or by digest; fulfils ``grader.model.body.Images``.

    Bytes are made anew when they are asked for: a set may hold more than memory.
    """

    def __init__(self, problems: ProblemSet, most_side: int) -> None:
        self._problems = problems
        self._most_side = most_side
        self._sources: dict[str, tuple[str, str]] = {}
        self._shown: dict[tuple[str, str], Shown] = {}

    def of(self, problem_id: str, figure: Figure) -> Shown:
        """A figure of a problem."""
        source = (problem_id, figure.file)
        if source not in self._shown:
            data = self._problems.image(*source).read()
            self._shown[source] = shown = encoded(data, self._most_side)[0]
            self._sources[shown.digest] = source
        return self._shown[source]

    def __call__(self, digest: str) -> tuple[str, bytes]:
        """The media type and the bytes of an image; KeyError for one that nobody was shown."""
        return MEDIA_TYPE, self._bytes(self._sources[digest])

    def _bytes(self, source: tuple[str, str]) -> bytes:
        return encoded(self._problems.image(*source).read(), self._most_side)[1]


def encoded(data: bytes, most_side: int) -> tuple[Shown, bytes]:
    """An image's pixels as a PNG of their own, upright, its longer side at most ``most_side`` pixels."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data)) as opened:
        upright = ImageOps.exif_transpose(opened)
        size = upright.size
        image = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    if max(size) > most_side:
        image.thumbnail((most_side, most_side), Image.Resampling.LANCZOS)
    bare = Image.frombytes(image.mode, image.size, image.tobytes())  # no text chunk, no profile comes along
    stream = io.BytesIO()
    bare.save(stream, "PNG")
    png = stream.getvalue()
    digest = hashlib.sha256(png).hexdigest()
    return Shown(digest, *image.size, size if image.size != size else None), png
