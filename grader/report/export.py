"""The frames of a report as files: CSV and Parquet, a pair a level."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from grader.errors import SetupError
from grader.report.document import Levels

LEVELS = ("cells", "problems", "subquestions", "answers", "points", "items", "nodes", "runs")
PRIVATE = {"points": ("kind", "by"), "nodes": ("kind", "text")}
"""Columns that say what a rubric says, or how it is checked."""


def export_frames(levels: Levels, folder: Path, *, public: bool = False) -> None:
    """Write every frame into a folder. SetupError if that can't be done.

    ``public``: without the columns in which a rubric shows.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in LEVELS:
            frame: pd.DataFrame = getattr(levels, name)
            if public:
                frame = frame.drop(columns=[one for one in PRIVATE.get(name, ()) if one in frame])
            write(frame, folder / name)
    except OSError as error:
        raise SetupError("the frames can't be written", file=str(folder), got=error.strerror) from error


def write(frame: pd.DataFrame, path: Path) -> None:
    """A frame as CSV and as Parquet; in CSV several values in a cell are joined by ``;``."""
    frame.to_parquet(path.with_suffix(".parquet"), index=False)
    lists = [name for name in frame if frame[name].map(lambda one: isinstance(one, tuple)).any()]
    joined = {str(name): frame[name].map(lambda one: ";".join(map(str, one))) for name in lists}
    frame.assign(**joined).to_csv(path.with_suffix(".csv"), index=False)
