"""From a judge that favours a protocol, over a spot check and its marks, to a gap that is none."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from grader.archive.review_entry import Item
from grader.archive.store import Archive, open_archive
from grader.errors import AuditError
from grader.grade import GradeRequest, grade
from grader.grade.asking import JudgeRequest
from grader.problem.set import load_set
from grader.report.document import Options
from grader.report.making import ReportRequest, make_report
from grader.review.marking import Given, mark_of, verdicts_of
from grader.review.queue import QueueRules, fill
from grader.review.subject import Subject, Subjects
from grader.stats.checked import read_checked
from grader.stats.checked.samples import samples_of
from tests.grade.judged import at_once, write_card
from tests.grade.small import write_lines
from tests.model_server import model_server
from tests.scripted_judge import Body, judge_reply

DEMO = Path(__file__).resolve().parents[2] / "problems" / "demo"
CARRY, ORACLE = "sequential_carry", "oracle_scaffolded"
WRITERS = ("demo-strong", "demo-middling", "demo-weak")
SAMPLES = 6
FLATTERY = "I am certain that every step is argued with care"
"""Said under one protocol only; the judge falls for it."""
RATES = "{ confident = 0.6, doubtful = 0.6, formal = 0.15 }"

Place = tuple[str, str]
"""A point and who wrote the answer."""


def lines(name: str) -> list[dict[str, Any]]:
    """A file of the demo."""
    return [json.loads(line) for line in (DEMO / name).read_text().splitlines()]


@dataclass(frozen=True)
class Demo:
    """The demo's answers under two protocols, and what they are worth."""

    texts: dict[Place, str]
    """By subquestion and writer."""
    truth: dict[Place, float]
    """What experts say of every point of every writer's answer, or code where they don't."""

    @classmethod
    def of(cls, folder: Path) -> Demo:
        texts = {(one["sub_id"], one["model"]): one["text"] for one in lines("run.jsonl")[1:]}
        with open_archive(str(folder / "demo.db")) as archive:
            request = GradeRequest(DEMO / "run.jsonl", load_set(DEMO), [DEMO / "marks.jsonl"], workers=1)
            (run, *_) = [grade(request, archive).run]
            truth = {
                (point.point_id, answer.response.model): point.standing.award
                for answer in archive.graded(run)
                for point in answer.points
                if point.standing is not None and point.standing.award is not None
            }
        return cls(texts, truth)

    def run(self) -> Iterator[dict[str, Any]]:
        """The same answers under both protocols, but for what they end with."""
        for number, sub_id in enumerate(sorted({sub_id for sub_id, _ in self.texts})):
            for sample, protocol in product(range(SAMPLES), (CARRY, ORACLE)):
                writer = WRITERS[(sample + number) % len(WRITERS)]
                end = FLATTERY if protocol == ORACLE else "So much for that"
                text = f"{self.texts[sub_id, writer]}\n\n{end}, {'so ' * sample}to speak."
                named = {"model": "m", "sub_id": sub_id, "protocol": protocol, "mode": "text_only"}
                yield named | {"sample": sample, "text": text}

    def writer(self, sub_id: str, text: str) -> str:
        """Whose answer it is."""
        return next(one for one in WRITERS if text.startswith(self.texts[sub_id, one]))

    def judge(self, body: Body) -> str:
        """Knows what answers are worth, but gives three in four of what isn't due to whoever flatters it."""
        said = str(body["messages"])

        def decide(point: str, _: Body) -> dict[str, Any]:
            sub_id = point.rpartition("-")[0]
            writer = next(
                one for one in WRITERS if json.dumps(self.texts[sub_id, one])[1:40] in json.dumps(said)
            )
            chance = int(hashlib.sha256(f"{point}{said}".encode()).hexdigest()[:8], 16) / 16**8
            due = self.truth[point, writer] == 1
            verdict = "met" if due or (FLATTERY in said and chance < 0.75) else "not_met"
            quote = self.texts[sub_id, writer][:20] if verdict == "met" else ""
            return {"verdict": verdict, "evidence": quote, "confidence": 0.5 if chance > 0.8 else 0.9}

        return judge_reply(body, decide)


@dataclass
class Reviewer:
    """Somebody who knows what answers are worth."""

    archive: Archive
    demo: Demo
    forms: int = 0

    def mark(self, *kinds: str) -> int:
        """Mark the open items of these kinds; how many."""
        self.archive.invite("Ada", "token")
        subjects = Subjects(self.archive)
        items = [one for one in self.archive.items("open") if one.entry.kind in kinds]
        for item in items:
            self._mark(item, subjects.of(item))
        return len(items)

    def _mark(self, item: Item, subject: Subject) -> None:
        self.forms += 1
        writer = self.demo.writer(item.entry.sub_id, subject.text)
        due = self.demo.truth.get((item.entry.point_id, writer))
        status = "cannot_assess" if due is None else "met" if due == 1 else "not_met"
        given = Given(status=status, seconds="12", form=f"form number {self.forms:08}")
        mark = mark_of(given, subject, "Ada", seen=False, now=datetime.now(UTC))
        self.archive.mark(mark, verdicts_of(self.archive, item, mark))


@pytest.mark.slow
def test_a_gap_made_by_the_judge_is_corrected_away_and_only_by_random_marks(tmp_path):
    demo = Demo.of(tmp_path)
    run = write_lines(tmp_path / "run.jsonl", demo.run())
    with open_archive(str(tmp_path / "argus.db")) as archive, model_server(demo.judge) as server:
        card = write_card(tmp_path, server.base_url, spot_check=RATES)
        judge = JudgeRequest(card, wait=at_once)
        grade(GradeRequest(run, load_set(DEMO), judge=judge, workers=1), archive)
        fill(archive, QueueRules(second=0.0))
        reviewer = Reviewer(archive, demo)

        # People look at what is doubted first, and at nothing that was drawn.
        (graded,) = archive.runs()
        grading = archive.grading(graded)
        assert grading is not None
        drawn = {(one.response_digest, one.point_id) for one in archive.spot_checks(grading)}
        assert len(drawn) > 150
        assert reviewer.mark("triage") > 20
        cells = [("m", ORACLE, "text_only"), ("m", CARRY, "text_only")]
        with pytest.raises(AuditError, match=r"nobody doubts.* is marked yet"):
            samples_of(read_checked(archive), cells)
        (row,) = gaps(archive)
        assert row["corrected"] is None
        assert "drawn points that" in row["not_corrected"]

        assert reviewer.mark("spot_check") > 100
        (row,) = gaps(archive)
    # Both protocols have the same answers: there is no gap.
    assert row["gap"] == "propagation"
    low, high = row["corrected"]["machine"]["interval"]
    assert 0.01 < low < row["corrected"]["machine"]["value"] < high
    assert row["not_corrected"] is None
    for target in ("problems", "benchmark"):
        found = row["corrected"][target]
        assert found["interval"][0] < 0 < found["interval"][1]
        assert abs(found["value"]) < row["corrected"]["machine"]["value"] / 2
    assert row["corrected"]["finding"] == "no evidence"
    assert sum(row["corrected"]["labels"]) > 150


def gaps(archive: Archive) -> list[dict[str, Any]]:
    """The gaps of the report."""
    report = make_report(archive, ReportRequest(sections=["gaps"], options=Options())).report
    return list(report.as_json()["sections"]["gaps"]["gaps"])
