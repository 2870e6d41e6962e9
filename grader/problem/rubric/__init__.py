"""Native rubrics: lines of text with marks, read as a whole into scoring nodes."""

from grader.problem.rubric.agreement import Agreement, agreement
from grader.problem.rubric.nodes import NativeNode, NativeRubric
from grader.problem.rubric.read import read_rubric
from grader.problem.rubric.scoring import scoring_nodes

__all__ = ["Agreement", "NativeNode", "NativeRubric", "agreement", "read_rubric", "scoring_nodes"]
