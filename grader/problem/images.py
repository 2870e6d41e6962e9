"""The files a set refers to: inside the set, not empty, and, if images, decodable and not huge."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from grader.errors import Fault, ProblemError
from grader.problem.layout import Layout
from grader.problem.place import Place

MAX_PIXELS = 50_000_000
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
"""What is decoded: the formats of figures. Others (PostScript) would run programs."""

Kind = Literal["images", "files"]


@dataclass(frozen=True, slots=True)
class SetFile:
    """A file of a set, addressed by its content."""

    name: str
    path: Path
    digest: str
    """SHA-256 of its bytes, in hex."""

    def read(self) -> bytes:
        """Its bytes, read anew each time: a set may hold more than memory.

        Raises ProblemError where they aren't those that the set was loaded with.
        """
        try:
            data = self.path.read_bytes()
        except OSError as error:
            what, got = "the file can't be read any more", error.strerror
        else:
            if hashlib.sha256(data).hexdigest() == self.digest:
                return data
            what, got = "the file has changed since the set was loaded", None
        raise ProblemError(what, file=str(self.path), got=got, do="Begin anew.")


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a problem that names a file."""

    place: Place
    kind: Kind
    name: str


def references(raw: Mapping[str, Any], place: Place) -> Iterator[Reference]:
    """Every file that a raw problem names, as far as its structure allows to see."""
    yield from _images(raw, "header_images", place)
    subs = raw.get("subquestions")
    for index, sub in enumerate(subs if isinstance(subs, list) else []):
        if isinstance(sub, dict):
            here = place.at("subquestions", index)
            for field in ("text_images", "rubric_images"):
                yield from _images(sub, field, here)
            for field in ("files", "rubric_files"):
                yield from _files(sub, field, here)


def _images(owner: Mapping[str, Any], field: str, place: Place) -> Iterator[Reference]:
    items = owner.get(field)
    for index, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict) and isinstance(item.get("file"), str) and item["file"]:
            yield Reference(place.at(field, index, "file"), "images", item["file"])


def _files(owner: Mapping[str, Any], field: str, place: Place) -> Iterator[Reference]:
    items = owner.get(field)
    for index, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, str) and item:
            yield Reference(place.at(field, index), "files", item)


def locate(
    reference: Reference, layout: Layout, problem_id: str, *, decode: bool
) -> tuple[SetFile | None, Fault | None]:
    """The file that a reference means, or why it can't be used.

    ``decode`` also decodes every pixel of an image.
    """
    place, name = reference.place, reference.name
    if _leads_out(name):
        return None, _outside(place, name)
    folders = layout.places_of(problem_id, reference.kind)
    path = next((folder / name for folder in folders if _exists(folder / name)), None)
    if path is None:
        expected = " or ".join(str(folder / name) for folder in folders)
        return None, place.fault("the file is missing", got=repr(name), expected=expected)
    if not path.resolve().is_relative_to(layout.root.resolve()):
        return None, _outside(place, name)
    return _read(reference, path, decode=decode)


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or (len(name) > 1 and name[1] == ":")


def _outside(place: Place, name: str) -> Fault:
    expected = "a file name below the folder of images or files"
    return place.fault("the file lies outside the set", got=repr(name), expected=expected)


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long for the file system, or with a NUL
        return False


def _read(reference: Reference, path: Path, *, decode: bool) -> tuple[SetFile | None, Fault | None]:
    try:
        data = path.read_bytes()
    except OSError as error:
        return None, reference.place.fault("the file can't be read", got=error.strerror)
    if not data:
        return None, reference.place.fault("the file is empty", got=repr(reference.name))
    file = SetFile(reference.name, path, hashlib.sha256(data).hexdigest())
    if decode and reference.kind == "images" and (wrong := _undecodable(data)):
        what, got, expected = wrong
        return None, reference.place.fault(what, got=f"{reference.name!r}: {got}", expected=expected)
    return file, None


def _undecodable(data: bytes) -> tuple[str, str, str] | None:
    """Why an image can't be shown: what, got, expected."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
                if opened.width * opened.height > MAX_PIXELS:
                    return _huge(f"{opened.width} x {opened.height}")
                opened.verify()
            with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
                opened.load()
    except Image.DecompressionBombError as error:
        return _huge(str(error))
    except Exception as error:  # Pillow's readers raise whatever a malformed file leads them to
        return "the image can't be decoded", _first_line(error), "one of " + ", ".join(FORMATS)
    return None


def _huge(got: str) -> tuple[str, str, str]:
    return "the image has too many pixels", got, f"at most {MAX_PIXELS // 1_000_000} megapixels"


def _first_line(error: Exception) -> str:
    if type(error).__name__ == "UnidentifiedImageError":
        return "not an image"  # Pillow's message names a memory address
    return (str(error).splitlines() or [type(error).__name__])[0]
