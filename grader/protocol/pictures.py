"""Images as a model sees them: pixels on white, upright, without metadata or file name, of a stated size.

Models differ in what they make of transparency, palettes, 16 bits or a first
frame. All get the same: 8-bit RGB. A colour profile is dropped with the other
metadata, and the numbers of the pixels are kept. They are sent without loss:
a thin line or a subscript must not blur. Only what is too large for that,
which no drawing is, is sent as a JPEG.
"""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.errors import UsageError
from grader.problem.images import FORMATS, SetFile
from grader.problem.set import ProblemSet
from grader.problem.visible import Figure

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 3_750_000
"""Of an image as it is sent. Anthropic takes 5 MB in base64, Bedrock 3.75 MB, others more."""
JPEG = {"quality": 95, "subsampling": 0}
"""Colours as fine as brightness, so that coloured lines stay what they are."""
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
    media_type: str = "image/png"

    def record(self, name: str) -> dict[str, Any]:
        """As run.jsonl keeps it, under the figure's neutral name."""
        kept: dict[str, Any] = {
            "figure": name,
            "digest": self.digest,
            "width": self.width,
            "height": self.height,
        }
        if self.shrunk_from:
            kept["shrunk_from"] = list(self.shrunk_from)
        if self.media_type != "image/png":
            kept["media_type"] = self.media_type
        return kept


class Pictures:
    """The images of a set as they are sent, by figure or by digest; fulfils ``grader.model.body.Images``.

    An image that several problems show is one.
    """

    def __init__(
        self,
        problems: ProblemSet,
        most_side: int,
        kept_bytes: int = KEPT_BYTES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._problems = problems
        self._most_side = most_side
        self._most_bytes = most_bytes
        self._shown: dict[str, Shown] = {}  # by the digest of the file
        self._files: dict[str, tuple[SetFile, str]] = {}  # by the digest of what is sent, with its type
        self._kept = _Recent(kept_bytes)

    def check(self, problem_id: str, figure: Figure) -> None:
        """Raises UsageError for a figure that is too large to be sent."""
        file = self._problems.image(problem_id, figure.file)
        if file.digest not in self._shown and may_exceed(file.read(), self._most_side, self._most_bytes):
            self.of(problem_id, figure)

    def of(self, problem_id: str, figure: Figure) -> Shown:
        """A figure of a problem."""
        file = self._problems.image(problem_id, figure.file)
        if file.digest not in self._shown:
            shown, data = self._encoded(file)
            self._shown[file.digest], self._files[shown.digest] = shown, (file, shown.media_type)
            self._kept.add(shown.digest, data)
        return self._shown[file.digest]

    def __call__(self, digest: str) -> tuple[str, bytes]:
        """The media type and the bytes of an image; KeyError for one that nobody was shown."""
        file, media_type = self._files[digest]
        data = self._kept.get(digest)
        if data is None:
            _, data = self._encoded(file)
            self._kept.add(digest, data)
        return media_type, data

    def _encoded(self, file: SetFile) -> tuple[Shown, bytes]:
        shown, data = encoded(file.read(), self._most_side, self._most_bytes)
        if len(data) > self._most_bytes:
            raise UsageError(
                "an image is too large to be sent",
                file=str(file.path),
                got=f"{len(data)} bytes as {shown.media_type}",
                expected=f"at most {self._most_bytes}",
                do="Shrink it: give less pixels by --most-side.",
            )
        return shown, data


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


def encoded(data: bytes, most_side: int, most_bytes: int = MOST_BYTES) -> tuple[Shown, bytes]:
    """An image file's pixels (its first frame's), its longer side at most ``most_side`` pixels.

    As a PNG, or as a JPEG where that would have more than ``most_bytes``.
    """
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        _turn_upright(opened)
        size = opened.size
        image = _on_white(_eight_bit(opened))
    if max(size) > most_side:
        image.thumbnail((most_side, most_side), Image.Resampling.LANCZOS)
    image.info.clear()  # Pillow would write a profile or a transparent colour from here
    sent, media_type = _saved(image, "PNG"), "image/png"
    if len(sent) > most_bytes:
        sent, media_type = _saved(image, "JPEG", **JPEG), "image/jpeg"
    digest = hashlib.sha256(sent).hexdigest()
    return Shown(digest, *image.size, size if image.size != size else None, media_type), sent


def _saved(image: Image, form: str, **how: int) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **how)
    return stream.getvalue()


def may_exceed(data: bytes, most_side: int, most_bytes: int) -> bool:
    """Whether an image could be too large, by its pixels: most can't, and needn't be encoded to see it."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        width, height = opened.size
    shrunk = min(1.0, most_side / max(width, height))
    # three bytes a pixel, and room for what PNG puts around them
    return width * height * shrunk**2 * 4 > most_bytes


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
