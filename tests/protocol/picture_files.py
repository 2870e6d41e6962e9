"""Image files in many encodings, with metadata, each holding a pattern that can be read back from pixels."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image, PngImagePlugin

ACROSS, DOWN, CELL = 6, 5, 4
SIZE = (ACROSS * CELL, DOWN * CELL)
DARK, LIGHT = 30, 225
HIDDEN = (255, 0, 255)
"""The colour of pixels that are transparent: an image that drops its transparency shows it."""

Secret = Callable[[], str]
"""A new text for metadata, which must not leave."""


def pattern(bits: int) -> Image.Image:
    """The grey image of a number of 30 bits: one cell a bit, dark or light."""
    image = Image.new("L", (ACROSS, DOWN))
    image.putdata([LIGHT if bits >> place & 1 else DARK for place in range(ACROSS * DOWN)])
    return image.resize(SIZE, Image.Resampling.NEAREST)


def bits_of(image: Image.Image) -> int:
    """The number that an image shows."""
    small = image.convert("L").resize((ACROSS, DOWN), Image.Resampling.BOX)
    return sum((value > 128) << place for place, value in enumerate(small.tobytes()))


def opened(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        return image


def chunks(png: bytes) -> list[bytes]:
    """The names of a PNG's chunks, and what stands behind them, if anything does."""
    names: list[bytes] = []
    at = 8
    while at < len(png) and names[-1:] != [b"IEND"]:
        length, name = struct.unpack(">I4s", png[at : at + 8])
        names.append(name)
        at += length + 12
    return names + ([png[at:]] if at < len(png) else [])


def _saved(image: Image.Image, form: str, **more: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **more)
    return stream.getvalue()


def _exif(secret: Secret, orientation: int = 1) -> Image.Exif:
    exif = Image.Exif()
    exif[0x010E], exif[0x9286], exif[0x0112] = secret(), secret(), orientation
    return exif


def _png(image: Image.Image, secret: Secret) -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Title", secret())
    info.add_text("Comment", secret(), zip=True)
    info.add_itxt("Description", secret(), "en", secret())
    profile = b"profile " + secret().encode()
    data = _saved(image, "PNG", pnginfo=info, exif=_exif(secret), icc_profile=profile, dpi=(72, 72))
    return data + secret().encode()


def _jpeg(image: Image.Image, secret: Secret, orientation: int = 1) -> bytes:
    exif = _exif(secret, orientation)
    more: dict[str, Any] = {"comment": secret(), "xmp": f"<x>{secret()}</x>".encode()}
    return _saved(image, "JPEG", quality=95, exif=exif, icc_profile=secret().encode(), **more)


def _gif(image: Image.Image, secret: Secret) -> bytes:
    """Two frames; the second shows the first one's reverse."""
    second = image.point(lambda value: 255 - value)
    more: dict[str, Any] = {"save_all": True, "append_images": [second], "duration": 100}
    return _saved(image, "GIF", comment=secret().encode(), **more)


def _see_through(image: Image.Image, mode: str) -> Image.Image:
    """The dark cells; the light ones are transparent, and hold something else."""
    dark = image.point(lambda value: 255 if value == DARK else 0)
    layer = Image.new("RGBA", image.size, (*HIDDEN, 0))
    layer.paste((DARK, DARK, DARK, 255), mask=dark)
    return layer.convert(mode)


def _palette(image: Image.Image) -> Image.Image:
    """Colours in a palette, one of them transparent."""
    indexed = image.point(lambda value: int(value == LIGHT)).convert("L")
    indexed.putpalette([DARK, DARK, DARK, *HIDDEN] + [0] * 762)
    indexed.info["transparency"] = 1
    return indexed


def _sixteen(image: Image.Image) -> Image.Image:
    return image.convert("I").point(lambda value: value * 257).convert("I;16")


FORMS: dict[str, Callable[[Image.Image, Secret], bytes]] = {
    "png-rgb": lambda image, secret: _png(image.convert("RGB"), secret),
    "png-grey": _png,
    "png-1": lambda image, secret: _png(image.convert("1", dither=Image.Dither.NONE), secret),
    "png-16": lambda image, secret: _png(_sixteen(image), secret),
    "png-palette": lambda image, secret: _png(_palette(image), secret),
    "png-la": lambda image, secret: _png(_see_through(image, "LA"), secret),
    "png-rgba": lambda image, secret: _png(_see_through(image, "RGBA"), secret),
    "jpeg": lambda image, secret: _jpeg(image.convert("RGB"), secret),
    "jpeg-grey": _jpeg,
    "jpeg-cmyk": lambda image, secret: _jpeg(image.convert("CMYK"), secret),
    "jpeg-turned": lambda image, secret: _jpeg(image.transpose(Image.Transpose.ROTATE_90), secret, 6),
    "gif": _gif,
    "webp": lambda image, secret: _saved(
        image.convert("RGB"), "WEBP", lossless=True, exif=_exif(secret), xmp=secret().encode()
    ),
    "tiff": lambda image, secret: _saved(image, "TIFF", description=secret(), software=secret()),
    "bmp": lambda image, secret: _saved(image.convert("RGB"), "BMP") + secret().encode(),
}
"""Every encoding that figures come in, by name."""


def numbered() -> Secret:
    """Texts that are easy to find again."""
    numbers: Iterator[int] = iter(range(10**6))
    return lambda: f"secret-{next(numbers)}"


def encode_the_largest(mode: str) -> tuple[int, int]:
    """For a process of limited memory: the size at which an image of the most pixels is shown."""
    from grader.problem.images import MAX_PIXELS
    from grader.protocol.pictures import encoded

    data = _saved(Image.new(mode, (MAX_PIXELS // 5_000, 5_000)), "PNG")
    shown, _ = encoded(data, 2048)
    return shown.width, shown.height
