"""Writes an archive as gradings of many models leave it: findings, quotes, verdicts, marks, summaries.

    python -m benchmarks.report_archive FOLDER [--runs 25] [--problems 191]

Nothing is decided and nobody is asked: outcomes are drawn and written through the
archive's own methods, so that 61,500 answers with 246,000 points take about two minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.archive.entry import (
    AnswerSpan,
    Engine,
    FindingEntry,
    Received,
    VerdictEntry,
    response_digest,
)
from grader.archive.store import Archive, open_archive
from grader.grade.entries import set_entry
from grader.grade.plan import Plan, PlannedSubquestion, plan
from grader.grade.summary import Flagged, summarise
from grader.problem.set import load_set
from grader.record import (
    PROTOCOLS,
    Evidence,
    Finding,
    Protocol,
    Reason,
    Response,
    Status,
    Verdict,
    Vote,
    digest,
)

SUBQUESTIONS = 820
"""Of 191 problems."""
BATCH = 500
CARD = "bench@0123456789ab"
CODE = Engine("formal:choice@1")
LOCATED = Engine("formal:choice@1", {"locator": CARD})
HELP = {"full_problem": 0.0, "sequential_carry": 0.1, "oracle_scaffolded": 0.25}
"""What each protocol adds to the chance of a right answer."""
REASONING = "The usual argument applies, and nothing in it depends on the medium. " * 6


def sizes(problems: int) -> list[int]:
    """How many subquestions each problem has: as many in all as its share of 820."""
    total = round(SUBQUESTIONS * problems / 191)
    return [total // problems + (n < total % problems) for n in range(problems)]


def write_set(folder: Path, problems: int) -> None:
    """Problems of two formal points, a flexible one and one in a group, per subquestion."""
    for number, size in enumerate(sizes(problems)):
        name = f"p{number:03}"
        subs = [_subquestion(f"{name}-{place + 1}", (number + place) % 9) for place in range(size)]
        task = folder / "tasks" / name
        task.mkdir(parents=True)
        problem = {"problem_id": name, "header": "Letters.", "subquestions": subs}
        (task / "problem.json").write_text(json.dumps(problem))


def _subquestion(sub_id: str, tag: int) -> dict[str, Any]:
    def letter(label: int, points: float) -> dict[str, Any]:
        check = {"kind": "choice", "expected": "B", "choices": list("ABCD"), "asked": [f"label {label}"]}
        return {"id": f"{sub_id}#{label}", "points": points, "text": f"label {label} is B", "check": check}

    reasons = {"id": f"{sub_id}#3", "points": 2, "text": "why it is so", "partial": True}
    return {
        "sub_id": sub_id,
        "tags": [f"tag {tag}"],
        "text_open": "Which letters, and why?",
        "full_mark": 5,
        "standard_result": "The letters are known.",
        "rubric": [letter(1, 1), letter(2, 2), reasons, _loss(sub_id)],
    }


def _loss(sub_id: str) -> dict[str, Any]:
    return {"id": f"{sub_id}#4", "points": -1, "text": "a contradiction"}


def responses(model: int, planned: Plan) -> Iterator[Received]:
    """A model's responses with their answers, protocol by protocol."""
    line = 1
    for protocol in PROTOCOLS:
        if protocol not in HELP:
            continue
        for problem_id, subs in planned.subquestions.items():
            for some in [subs] if protocol == "full_problem" else [[sub] for sub in subs]:
                line += 1
                yield _received(line, f"model-{model:02}", protocol, problem_id, list(some))


def _received(
    line: int, model: str, protocol: Protocol, problem_id: str, subs: list[PlannedSubquestion]
) -> Received:
    texts = [f"{REASONING}({model} {protocol} {sub.sub_id})\n\n**Answer: B**\n\n" for sub in subs]
    draw = random.Random(texts[0])
    error = "gave up" if draw.random() < 0.005 else None
    spans, start = [], 0
    for sub, text in zip(subs, texts, strict=True):
        spans.append(AnswerSpan(sub.sub_id, start, start + len(text), digest(text), True))
        start += len(text)
    sub_id = None if protocol == "full_problem" else subs[0].sub_id
    text = "".join(texts)
    return Received(
        line, Response(model, problem_id, sub_id, protocol, "text_only", 0, text, error=error), spans
    )


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came of a batch."""

    findings: list[FindingEntry]
    verdicts: list[VerdictEntry]


def outcomes(batch: list[Received], planned: Plan, chance: float) -> Outcomes:
    """Draw what code finds, where a judge quotes or gives, and what a person says of a few."""
    made = Outcomes([], [])
    for one in batch:
        subs = {sub.sub_id: sub for sub in planned.subquestions[one.response.problem_id]}
        for span in one.answers:
            draw = random.Random(span.answer_hash)
            for point in subs[span.sub_id].points:
                right = draw.random() < chance + HELP[one.response.protocol]
                if point.check is not None:
                    made.findings.extend(_found(point.point_hash, span, draw.random(), right))
                else:
                    made.verdicts.extend(_said(one.response, span, point, draw.random(), right))
    return made


def _found(point_hash: str, span: AnswerSpan, drawn: float, right: bool) -> Iterator[FindingEntry]:
    decided = _finding(Status.MET if right else Status.NOT_MET)
    if drawn < 0.9:
        yield FindingEntry(point_hash, span.answer_hash, CODE.key, decided)
        return
    yield FindingEntry(point_hash, span.answer_hash, CODE.key, _finding(Status.UNDETERMINED))
    if drawn < 0.98:
        yield FindingEntry(point_hash, span.answer_hash, LOCATED.key, decided)


def _finding(status: Status) -> Finding:
    if status is Status.UNDETERMINED:
        return Finding(status, CODE.by, "no letter is stated", Reason.NO_CANDIDATE)
    return Finding(status, CODE.by, "compared B with B", found="B", evidence=Evidence("Answer: B", 0, 9))


def _said(
    response: Response, span: AnswerSpan, point: Any, drawn: float, right: bool
) -> Iterator[VerdictEntry]:
    status, award = (Status.MET, 1.0) if right else (Status.NOT_MET, 0.0)
    place = (response_digest(response), response.problem_id, span.sub_id, point.point_hash, span.answer_hash)
    if drawn < 0.98:
        vote = Vote(CARD, 0, span.answer_hash, status, award, 0.9)
        quote = Evidence("The usual argument applies", span.start, span.start + 26)
        rationale = "The answer says so in its first sentence, and nothing later contradicts it."
        yield VerdictEntry(
            *place,
            Verdict(
                *(point.node.id, status, f"judge:{CARD}", award),
                rationale=rationale,
                evidence=quote,
                confidence=round(0.5 + drawn / 2, 3),
                votes=(vote,),
            ),
        )
    if drawn > 0.96:
        yield VerdictEntry(*place, Verdict(point.node.id, Status.NOT_MET, "human:Ada", 0.0))


def write(archive: Archive, folder: Path, runs: int, problems: int) -> None:
    """A set, and a graded run a model."""
    if not (folder / "tasks").exists():
        write_set(folder, problems)
    loaded = load_set(folder)
    planned = plan(loaded.problems, str(folder))
    set_digest = archive.put_set(set_entry(loaded, planned))
    for model in range(runs):
        name = f"run-{model:02}"
        run = archive.put_run(digest(name), name, {"schema_version": 1})
        grading = archive.begin_grading(run, set_digest, [CODE, LOCATED], CARD)
        received, flagged = list(responses(model, planned)), Flagged()
        for start in range(0, len(received), BATCH):
            batch = received[start : start + BATCH]
            archive.put_responses(run, batch)
            made = outcomes(batch, planned, 0.3 + 0.015 * model)
            archive.put_findings(made.findings)
            archive.put_verdicts(made.verdicts)
        for _ in flagged.counting((one.line, one.response) for one in received):
            pass
        state = archive.state()
        summary = summarise(archive, run, planned, flagged).as_json(planned)
        judge = {"card": CARD, "provisional": False, "kin": {}, "open_answers": 0}
        more = {"run": {"name": name, "digest": run.digest}, "judge": judge, "rules": "", "marks": []}
        archive.put_summary(grading, state, {**summary, **more, "skipped": [], "notes": []})


def main() -> None:
    """Write the archive and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--problems", type=int, default=191)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    with open_archive(str(given.folder / "argus.db")) as archive:
        write(archive, given.folder, given.runs, given.problems)
        counts = archive.counts()
    print(f"{counts['answers']} answers, written in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
