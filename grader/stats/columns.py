"""The columns of the frames; docs/frames.md says what each holds, and a test holds the two together."""

from __future__ import annotations

from grader.record.flags import FLAGS

CELL = ["model", "protocol", "mode"]
TRACKS = ["formal", "located", "judge", "human"]
"""Full marks by who decided them."""
MARKS = ["earned", "full_mark", "low", "high", "earned_follow", *TRACKS]
"""In marks, added up over what a row stands for."""
COUNTED = ["responses", "failed", *FLAGS]

CELLS = [*CELL, "state", "problems", "subquestions", "missing", "answers", *MARKS, *COUNTED]
PROBLEMS = [*CELL, "problem_id", "subquestions", "answers", *MARKS]
SUBQUESTIONS = [*CELL, "problem_id", "sub_id", "position", "answers", *MARKS]
ANSWER = [*CELL, "problem_id", "sub_id", "position", "sample", "run", "response"]
ANSWERS = [*ANSWER, "cut", "error", "flags", *MARKS]
NODE = ["point_id", "place", "shape", "kind", "points"]
STANDS = ["status", "reason", "award", "award_follow", "inherited", "track", "by", "confidence"]
SAID = ["award_code", "award_judge", "award_human"]
POINTS = [*ANSWER, *NODE, *STANDS, "provisional", "flags", *SAID]
ITEMS = ["problem_id", "sub_id", "position", "full_mark", "tags", "visible_images"]
NODES = ["problem_id", "sub_id", *NODE, "text"]
RUNS = ["run", "digest", "set", "card", "provisional", "created"]
SETS = ["set", "name", "problems", "subquestions"]
