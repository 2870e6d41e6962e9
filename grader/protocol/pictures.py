"""Images as a model sees them: pixels on white, upright, without metadata or file name, of a stated size.

Models differ in what they make of transparency, palettes, 16 bits or a first
frame. All get the same: 8-bit RGB. A colour profile is dropped with the other
metadata, and the numbers of the pixels are kept.
"""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.problem.images import FORMATS, SetFile
from grader.problem.set import ProblemSet
from grader.problem.visible import Figure

if TYPE_CHECKING:
    from PIL.Image import Image

MEDIA_TYPE = "image/png"
"""Lossless: a thin line or a subscript must not blur."""
KEPT_BYTES = 64 * 2**20
"""Of encoded images in memory; what is beyond is encoded anew when it is sent again."""


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

    An image that several problems show is one.
    """

    def __init__(self, problems: ProblemSet, most_side: int, kept_bytes: int = KEPT_BYTES) -> None:
        self._problems = problems
        self._most_side = most_side
        self._shown: dict[str, Shown] = {}  # by the digest of the file
        self._files: dict[str, SetFile] = {}  # by the digest of what is sent
        self._kept = _Recent(kept_bytes)

    def of(self, problem_id: str, figure: Figure) -> Shown:
        """A figure of a problem."""
        file = self._problems.image(problem_id, figure.file)
        if file.digest not in self._shown:
            shown, png = self._encoded(file)
            self._shown[file.digest], self._files[shown.digest] = shown, file
            self._kept.add(shown.digest, png)
        return self._shown[file.digest]

    def __call__(self, digest: str) -> tuple[str, bytes]:
        """The media type and the bytes of an image; KeyError for one that nobody was shown."""
        png = self._kept.get(digest)
        if png is None:
            _, png = self._encoded(self._files[digest])
            self._kept.add(digest, png)
        return MEDIA_TYPE, png

    def _encoded(self, file: SetFile) -> tuple[Shown, bytes]:
        return encoded(file.read(), self._most_side)


class _Recent:
    """The values that were used last, up to a number of bytes in all."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._values: OrderedDict[str, bytes] = OrderedDict()

    def get(self, name: str) -> bytes | None:
        if name in self._values:
            self._values.move_to_end(name)
        return self._values.get(name)

    def add(self, name: str, value: bytes) -> None:
        if self.get(name) is not None:
            return
        self._values[name] = value
        self._left -= len(value)
        while self._left < 0:
            _, oldest = self._values.popitem(last=False)
            self._left += len(oldest)


def encoded(data: bytes, most_side: int) -> tuple[Shown, bytes]:
    """An image file's pixels (its first frame's) as a PNG, its longer side at most ``most_side`` pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        _turn_upright(opened)
        size = opened.size
        image = _on_white(_eight_bit(opened))
    if max(size) > most_side:
        image.thumbnail((most_side, most_side), Image.Resampling.LANCZOS)
    image.info.clear()  # Pillow would write a profile or a transparent colour from here
    stream = io.BytesIO()
    image.save(stream, "PNG")
    png = stream.getvalue()
    digest = hashlib.sha256(png).hexdigest()
    return Shown(digest, *image.size, size if image.size != size else None), png


def _turn_upright(image: Image) -> None:
    from PIL import ImageOps

    try:
        ImageOps.exif_transpose(image, in_place=True)
    except Exception:  # whatever a malformed EXIF block leads Pillow's reader to: it turns nothing
        return


def _eight_bit(image: Image) -> Image:
    """One channel of more than 8 bits as 8, over its whole range; other images as they are."""
    if image.mode not in ("I", "F") and not image.mode.startswith("I;16"):
        return image
    low, high = (0, 2**16 - 1) if image.mode.startswith("I;16") else image.getextrema()
    scale = 255 / ((high - low) or 1)  # type: ignore[operator]  # one channel has one pair
    deep = image if image.mode == "F" else image.convert("I")
    grey = deep.point(lambda value: value * scale + (0.5 - low * scale)).convert("L")  # type: ignore[operator]
    grey.info.clear()  # a transparent colour would be one of the old range
    return grey


def _on_white(image: Image) -> Image:
    """RGB; what shows through shows white, as on a page."""
    from PIL import Image

    if not image.has_transparency_data:
        return image if image.mode == "RGB" else image.convert("RGB")
    layer = image.convert("RGBA")
    page = Image.new("RGB", layer.size, "white")
    page.paste(layer, mask=layer)
    return page
