"""A model sees an image's pixels as its author saw them, and nothing else of the file."""

from __future__ import annotations

import hashlib
import io
import random
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from grader.errors import ProblemError, UsageError
from grader.problem.images import MAX_PIXELS
from grader.problem.set import ProblemSet, load_set
from grader.problem.visible import Figure, visible
from grader.protocol.pictures import Pictures, Shown, encoded, may_exceed
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


# How large it is


def _noise(width: int, height: int) -> Image.Image:
    """What no PNG makes smaller: worse than any photograph."""
    return Image.frombytes("RGB", (width, height), random.Random(5).randbytes(width * height * 3))


def test_a_drawing_is_sent_without_loss_however_large_and_a_photograph_as_a_jpeg() -> None:
    drawing = Image.new("RGB", (2048, 2048), "white")
    drawing.paste((0, 0, 0), (100, 100, 1900, 104))
    assert encoded(_file(drawing), 2048)[0].media_type == "image/png"
    photograph = Image.blend(_noise(30, 20).resize((600, 400)), _noise(600, 400), 0.08)
    limit = 300_000
    shown, sent = encoded(_file(photograph), 2048, limit)
    assert (shown.media_type, shown.width, shown.height) == ("image/jpeg", 600, 400)
    assert shown.record("Figure 1")["media_type"] == "image/jpeg"
    assert len(sent) <= limit < len(_file(photograph))
    assert shown.digest == hashlib.sha256(sent).hexdigest()
    kept = opened(sent)
    assert (kept.format, kept.mode) == ("JPEG", "RGB")
    assert max(ImageStat.Stat(ImageChops.difference(kept, photograph)).rms) < 5


def test_a_jpeg_holds_no_metadata_either() -> None:
    exif = Image.Exif()
    exif[0x010E] = "the answer"
    data = _file(_noise(40, 40), "JPEG", exif=exif, comment=b"the answer", icc_profile=b"the answer" * 20)
    shown, sent = encoded(data, 2048, most_bytes=100)
    assert shown.media_type == "image/jpeg"
    assert b"answer" not in sent
    assert not {"exif", "comment", "icc_profile"} & opened(sent).info.keys()


def test_an_image_too_large_even_so_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    valid = ValidSet(tmp_path)
    valid.images["curve.png"] = _file(_noise(60, 40))
    problems = load_set(valid.write())
    problem_id, figure = _figures(problems)["curve.png"]
    Pictures(problems, 2048).check(problem_id, figure)
    with pytest.raises(UsageError, match=r"curve\.png: an image is too large to be sent; got \d+ bytes as"):
        Pictures(problems, 2048, most_bytes=1000).check(problem_id, figure)
    # shrunk it fits
    small = Pictures(problems, 12, most_bytes=1000)
    small.check(problem_id, figure)
    assert len(small(small.of(problem_id, figure).digest)[1]) <= 1000


@settings(max_examples=30, deadline=None)
@given(width=st.integers(1, 60), height=st.integers(1, 60), most_side=st.integers(5, 60))
def test_an_image_that_is_not_looked_at_is_never_too_large(width: int, height: int, most_side: int) -> None:
    data = _file(_noise(width, height))
    limit = 4000
    if not may_exceed(data, most_side, limit):
        assert encoded(data, most_side, limit)[0].media_type == "image/png"


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
