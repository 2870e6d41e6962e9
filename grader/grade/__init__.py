"""The pipeline: responses -> findings and marks -> scores; the archive is its sink and its memory."""

from grader.grade.pipeline import GradeRequest, GradeResult, grade
from grader.grade.summary import summarise

__all__ = ["GradeRequest", "GradeResult", "grade", "summarise"]
