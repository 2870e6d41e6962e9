"""The verdicts that a report's differences hang on, which people are to look at before all else."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ValidationError

from grader.archive.store import Archive
from grader.errors import DataError
from grader.grade.routes import Place

_DO = "Write one: argus report --section fragility --format json --out FILE."


class _Reversal(BaseModel):
    response: str
    sub_id: str
    point_id: str


class _Hanging(BaseModel):
    reversals: list[_Reversal]


class _Sections(BaseModel):
    fragility: _Hanging


class _Report(BaseModel):
    sections: _Sections


def fragile_places(archive: Archive, report: Path) -> frozenset[Place]:
    """The points whose verdicts a report lists as those that would overturn a difference.

    DataError for a file that is no such report, and for one on another archive.
    """
    try:
        found = _Report.model_validate_json(report.read_bytes()).sections.fragility.reversals
    except OSError as error:
        raise DataError(f"can't read the report: {error.strerror}", file=str(report)) from None
    except ValidationError:
        what = "no report as JSON that says what differences hang on; public ones don't"
        raise DataError(what, file=str(report), do=_DO) from None
    places = frozenset((one.response, one.sub_id, one.point_id) for one in found)
    if places and not archive.responses({place[0] for place in places}):
        raise DataError("the archive holds none of the report's responses", file=str(report), do=_DO)
    return places
