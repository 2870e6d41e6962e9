"""Frames as files, for whoever goes on with them elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import pandas as pd

from grader.errors import SetupError
from grader.stats.frames import LEVELS, Frames

Format = Literal["csv", "parquet", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)


def write_frames(
    frames: Frames,
    folder: Path,
    formats: Sequence[Format] = FORMATS,
    *,
    without: Mapping[str, Collection[str]] | None = None,
) -> list[Path]:
    """Write every frame into a folder, as ``<frame>.<format>``; the files written.

    ``without`` names columns of a frame to leave out. JSON is a list of objects,
    as ``pandas.read_json`` takes it; in CSV the tags of an item are joined by ``;``.
    SetupError where the folder can't be written.
    """
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in LEVELS:
            frame: pd.DataFrame = getattr(frames, name)
            kept = frame.drop(columns=[one for one in (without or {}).get(name, ()) if one in frame])
            for form in formats:
                written.append(folder / f"{name}.{form}")
                _write(kept, written[-1], form)
    except OSError as error:
        raise SetupError("the frames can't be written", file=str(folder), got=error.strerror) from error
    return written


def _write(frame: pd.DataFrame, path: Path, form: Format) -> None:
    if form == "parquet":
        frame.to_parquet(path, index=False)
    elif form == "json":
        frame.to_json(path, orient="records", date_format="iso", double_precision=15, index=False)
    elif "tags" in frame:
        frame.assign(tags=frame["tags"].map(";".join)).to_csv(path, index=False)
    else:
        frame.to_csv(path, index=False)
