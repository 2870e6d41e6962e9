"""The frames of a report as files."""

from __future__ import annotations

from pathlib import Path

from grader.stats.export import write_frames
from grader.stats.frames import Frames

PRIVATE = {"points": ("kind", "by"), "nodes": ("kind", "text")}
"""Columns that say what a rubric says, or how it is checked."""


def export_frames(frames: Frames, folder: Path, *, public: bool = False) -> int:
    """Write every frame into a folder, as CSV, Parquet and JSON; how many files. SetupError if that fails.

    ``public``: without the columns in which a rubric shows.
    """
    return len(write_frames(frames, folder, without=PRIVATE if public else None))
