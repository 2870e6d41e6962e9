"""A model sees an image's pixels as its author saw them, and nothing else of the file."""

from __future__ import annotations

import hashlib
import io
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from grader.errors import ProblemError
from grader.problem.images import MAX_PIXELS
from grader.problem.set import ProblemSet, load_set
from grader.problem.visible import Figure, visible
from grader.protocol.pictures import Pictures, Shown, encoded
from grader.workers import Workers
from tests.problem.valid_set import ValidSet, png, second_problem
from tests.protocol.picture_files import FORMS, bits_of, chunks, numbered, opened, pattern

BITS = 0b110100100110111000011010101110
ORIENTATIONS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera held an image, by the number that EXIF gives it."""


def _file(image: Image.Image, form: str = "PNG", **more: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **more)
    return stream.getvalue()


def _shown(data: bytes, most_side: int = 2048) -> Image.Image:
    return opened(encoded(data, most_side)[1])


# What is shown


@pytest.mark.parametrize("form", FORMS)
def test_an_image_is_sent_as_its_pixels_alone(form: str) -> None:
    data = FORMS[form](pattern(BITS), numbered())
    shown, sent = encoded(data, 2048)
    assert set(chunks(sent)) == {b"IHDR", b"IDAT", b"IEND"}
    assert b"secret" not in sent
    image = opened(sent)
    assert (image.mode, image.info, image.size) == ("RGB", {}, (shown.width, shown.height))
    assert bits_of(image) == BITS
    assert shown == Shown(hashlib.sha256(sent).hexdigest(), *pattern(BITS).size, None)


@pytest.mark.parametrize("form", ["png-rgb", "png-grey", "gif", "tiff", "bmp", "webp"])
def test_the_digest_is_that_of_the_pixels_whatever_file_they_lay_in(form: str) -> None:
    plain = encoded(_file(pattern(BITS)), 2048)
    assert encoded(FORMS[form](pattern(BITS), numbered()), 2048) == plain


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_an_image_is_upright_however_the_camera_was_held(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    held = pattern(BITS).transpose(ORIENTATIONS[orientation])
    assert bits_of(_shown(_file(held, exif=exif))) == BITS


def test_a_broken_exif_block_costs_nothing_but_itself() -> None:
    assert bits_of(_shown(_file(pattern(BITS), exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff"))) == BITS


@pytest.mark.parametrize("colour", [(0, 0, 0, 255), (255, 0, 0, 128), (0, 0, 255, 0), (10, 20, 30, 200)])
def test_what_shows_through_shows_white(colour: tuple[int, int, int, int]) -> None:
    found = _shown(_file(Image.new("RGBA", (1, 1), colour))).tobytes()
    alpha = colour[3] / 255
    expected = [value * alpha + 255 * (1 - alpha) for value in colour[:3]]
    assert all(abs(one - other) <= 1 for one, other in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("mode", "form", "values", "expected"),
    [
        ("I;16", "PNG", [0, 257, 30_000, 65_535], [0, 1, 117, 255]),
        ("I;16", "TIFF", [0, 257, 30_000, 65_535], [0, 1, 117, 255]),
        ("I;16B", "TIFF", [0, 257, 30_000, 65_535], [0, 1, 117, 255]),
        ("I", "TIFF", [0, 70_000, 140_000], [0, 128, 255]),
        ("I", "TIFF", [-5, -5], [0, 0]),
        ("F", "TIFF", [-1.0, 0.0, 1.0], [0, 128, 255]),
    ],
)
def test_more_than_eight_bits_are_scaled_and_not_cut_off(
    mode: str, form: str, values: list[float], expected: list[int]
) -> None:
    image = Image.new(mode, (len(values), 1))
    for place, value in enumerate(values):
        image.putpixel((place, 0), value)
    assert list(_shown(_file(image, form)).convert("L").tobytes()) == expected


def test_cmyk_is_shown_in_its_colours() -> None:
    cyan = Image.new("CMYK", (8, 8), (255, 0, 0, 0))
    red, green, blue = _shown(_file(cyan, "JPEG")).resize((1, 1)).tobytes()
    assert red < 10
    assert min(green, blue) > 245


@pytest.mark.parametrize(
    ("size", "most", "expected"),
    [
        ((64, 48), 64, None),
        ((65, 48), 64, (64, 47)),
        ((100, 200), 64, (32, 64)),
        ((4000, 1), 64, (64, 1)),
    ],
)
def test_an_image_is_shrunk_only_beyond_the_limit_and_says_so(
    size: tuple[int, int], most: int, expected: tuple[int, int] | None
) -> None:
    shown, _ = encoded(_file(Image.new("L", size)), most)
    assert (shown.width, shown.height) == (expected or size)
    assert shown.shrunk_from == (size if expected else None)
    record = shown.record("Figure 2")
    assert record.pop("shrunk_from", None) == (list(size) if expected else None)
    height = shown.height
    assert record == {"figure": "Figure 2", "digest": shown.digest, "width": shown.width, "height": height}


def test_the_size_that_is_recorded_is_the_upright_one() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    shown, _ = encoded(_file(Image.new("L", (200, 100)), exif=exif), 64)
    assert (shown.width, shown.height, shown.shrunk_from) == (32, 64, (100, 200))


@pytest.mark.slow
def test_an_image_of_the_most_pixels_takes_twelve_bytes_for_each() -> None:
    task = "tests.protocol.picture_files:encode_the_largest"
    with Workers(task, count=1, memory_limit=12 * MAX_PIXELS + 2**27, time_limit=60) as workers:
        done = list(chain.from_iterable(workers.run(["RGB", "RGBA", "LA", "P", "1", "I;16"])))
    assert [outcome.failure for outcome in done] == [None] * 6, [outcome.trace for outcome in done]
    assert {outcome.value for outcome in done} == {(2048, 1024)}


# How it is kept


def _set(folder: Path) -> ProblemSet:
    """Two problems with a figure of the same bytes, and another one."""
    valid = ValidSet(folder)
    valid.problems[1] = second_problem() | {"header_images": [{"file": "twin.png"}, {"file": "other.png"}]}
    valid.put("tasks/base-1/images/twin.png", valid.images["curve.png"])
    valid.put("tasks/base-1/images/other.png", png(shade=40))
    return load_set(valid.write())


def _figures(problems: ProblemSet) -> dict[str, tuple[str, Figure]]:
    shown = {name: visible(problem).figures for name, problem in problems.problems.items()}
    return {one.file: (name, one) for name, figures in shown.items() for one in figures}


def test_an_image_that_two_problems_show_is_one(tmp_path: Path) -> None:
    problems = _set(tmp_path)
    figures, pictures = _figures(problems), Pictures(problems, 2048)
    first = pictures.of(*figures["curve.png"])
    problems.image("base-1", "twin.png").path.unlink()
    assert pictures.of(*figures["twin.png"]) is first
    assert pictures(first.digest) == ("image/png", encoded(png(), 2048)[1])


def test_a_kept_image_is_neither_read_nor_encoded_again(tmp_path: Path) -> None:
    problems = _set(tmp_path)
    figures, pictures = _figures(problems), Pictures(problems, 2048)
    digest = pictures.of(*figures["curve.png"]).digest
    problems.image("acid-1", "curve.png").path.unlink()
    assert hashlib.sha256(pictures(digest)[1]).hexdigest() == digest


@pytest.mark.parametrize("kept", [0, 100, 200])
def test_what_memory_has_no_room_for_is_encoded_anew_to_the_same_bytes(tmp_path: Path, kept: int) -> None:
    problems = _set(tmp_path)
    figures, pictures = _figures(problems), Pictures(problems, 2048, kept)
    digests = {pictures.of(*figures[name]).digest for name in ("curve.png", "other.png")}
    assert len(digests) == 2
    for _ in range(3):
        assert {hashlib.sha256(pictures(digest)[1]).hexdigest() for digest in digests} == digests


def test_what_was_used_last_is_kept(tmp_path: Path) -> None:
    problems = _set(tmp_path)
    figures = _figures(problems)
    size = len(encoded(png(), 2048)[1])
    pictures = Pictures(problems, 2048, size)
    curve, other = (pictures.of(*figures[name]).digest for name in ("curve.png", "other.png"))
    problems.image("base-1", "other.png").path.unlink()
    assert pictures(other)[1]
    problems.image("acid-1", "curve.png").path.unlink()
    with pytest.raises(ProblemError, match="can't be read any more"):
        pictures(curve)


def test_an_image_that_changed_under_a_run_is_refused(tmp_path: Path) -> None:
    problems = _set(tmp_path)
    problems.image("acid-1", "curve.png").path.write_bytes(png(shade=1))
    with pytest.raises(ProblemError, match="has changed since the set was loaded"):
        Pictures(problems, 2048).of(*_figures(problems)["curve.png"])


def test_an_image_that_nobody_was_shown_has_no_bytes(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        Pictures(_set(tmp_path), 2048)("0" * 64)
