"""What is written is what the frames hold, and documented."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.report_archive import write
from grader.archive.store import open_archive
from grader.errors import SetupError
from grader.stats import columns
from grader.stats.export import FORMATS, write_frames
from grader.stats.frames import LEVELS, Frames

DOCUMENTED = Path(__file__).parents[2] / "docs" / "frames.md"


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated")
    with open_archive(str(folder / "argus.db")) as archive:
        write(archive, folder, runs=2, problems=3)
        yield Frames.of(archive)


@pytest.mark.parametrize("name", LEVELS)
def test_every_column_is_documented(name):
    lines = iter(DOCUMENTED.read_text().splitlines())
    while next(lines) != f"## {name}":
        pass
    rows = [
        line for line in takewhile(lambda line: not line.startswith("## "), lines) if line.startswith("| `")
    ]
    said = [column for row in rows for column in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(said) == sorted(getattr(columns, name.upper()))


def test_what_stands_adds_up_to_what_the_gradings_stored(frames):
    keys = ["model", "protocol", "mode", "problem_id", "sub_id"]
    added = frames.answers.groupby(keys)[columns.MARKS].sum()
    stored = frames.subquestions.set_index(keys)[columns.MARKS].sort_index()
    assert (added - stored).abs().max(axis=None) < 1e-8
    awarded = frames.points[frames.points["shape"] == "point"]
    tracks = awarded.assign(worth=awarded["points"]).groupby("track")["worth"].sum()
    assert (tracks > 0).reindex(["formal", "located", "judge", "human"]).all()


def test_every_format_holds_every_frame(frames, tmp_path):
    written = write_frames(frames, tmp_path / "new")
    assert sorted(written) == sorted((tmp_path / "new").iterdir())
    assert len(written) == len(LEVELS) * len(FORMATS)
    for name in LEVELS:
        frame = getattr(frames, name)
        parquet = pd.read_parquet(tmp_path / "new" / f"{name}.parquet")
        rows = json.loads((tmp_path / "new" / f"{name}.json").read_text())
        table = pd.read_csv(tmp_path / "new" / f"{name}.csv")
        assert len(frame) == len(parquet) == len(rows) == len(table) > 0
        assert list(frame) == list(parquet) == list(rows[0]) == list(table)
        for column in frame.select_dtypes("number"):
            for one in (
                parquet[column],
                table[column],
                pd.Series([row[column] for row in rows], dtype=float),
            ):
                assert one.astype(float).equals(frame[column].astype(float)), (name, column)


def test_tags_are_joined_in_csv_and_a_list_elsewhere(frames, tmp_path):
    write_frames(frames, tmp_path)
    assert pd.read_csv(tmp_path / "items.csv")["tags"][1] == "tag 1"
    assert list(pd.read_parquet(tmp_path / "items.parquet")["tags"][1]) == ["tag 1"]
    assert json.loads((tmp_path / "items.json").read_text())[1]["tags"] == ["tag 1"]


def test_columns_can_be_left_out(frames, tmp_path):
    write_frames(frames, tmp_path, ["csv"], without={"nodes": ("text", "no such column")})
    assert list(pd.read_csv(tmp_path / "nodes.csv")) == [one for one in columns.NODES if one != "text"]


def test_a_folder_that_is_a_file_is_said_to_be_one(frames, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match="the frames can't be written"):
        write_frames(frames, tmp_path / "file")
