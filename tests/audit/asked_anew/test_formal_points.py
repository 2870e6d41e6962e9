"""Formal points before a judge: what it is told, what it is found out in, what is left out, what it costs."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from grader.archive.audit_journal import AuditJournal
from grader.archive.store import Archive, open_archive
from grader.audit.asked_anew.before_judge import hear
from grader.audit.asked_anew.formal_points import FILES, LOCATED, formal_points
from grader.audit.asked_anew.picking import Answers
from grader.audit.asked_anew.plan import Plan, plan
from grader.audit.asked_anew.pricing import Priced, priced
from grader.audit.asked_anew.results import asked_of_code
from grader.audit.asked_anew.suite import Formal, Suite
from grader.audit.asked_anew.tasks import task_of
from grader.audit.asked_anew.variants import Variant
from grader.audit.card.advice import advice
from grader.audit.card.card import ReportCard
from grader.audit.card.collect import report_card
from grader.audit.from_archive.conflicts import conflicts
from grader.audit.result import Audit
from grader.grade.asking import JudgeRequest
from grader.judge.cards import LoadedCard
from grader.model.archived import Archived
from grader.record import Reason
from grader.stats.checked import read_checked
from tests.audit.asking import done, measure
from tests.audit.audited import answer_in, audited, graded, points_in, write_card, write_suite
from tests.audit.made_card import card
from tests.grade.small import line, point, write_lines, write_set
from tests.model_server import model_server
from tests.scripted_judge import judge_reply

SUITE = "seed = 2\n[formal]\npoints = {points}\n"
CONFLICT, FORMAL = "conflict of code and judge", "formal points"
HANDS = [
    ("CC[C@H](C)O", "CC[C@@H](C)O"),
    ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"),
    ("CC[C@@H](C)Br", "CC[C@H](C)Br"),
    ("C[C@H](O)c1ccccc1", "C[C@@H](O)c1ccccc1"),
    ("C[C@@H](Cl)CC=C", "C[C@H](Cl)CC=C"),
    ("CC[C@H](F)CO", "CC[C@@H](F)CO"),
]
"""Chiral products and their mirror images."""
SAID = {"s": "The product", "n": "The number of isomers", "why": "Says that the attack is from behind"}


def write_run(folder, *, flexible=True):
    """Six problems, three models: one is right, one draws the mirror image, one counts wrongly; and one
    answer of a fourth, which code can't decide in one point.
    """
    lines = []
    for number, (right, mirror) in enumerate(HANDS):
        count = number + 2
        rubric = [
            point("s", 2, kind="smiles", expected=right),
            point("n", 1, kind="integer", expected=count, asked=["isomers"]),
            *([point("why", 1)] if flexible else []),
        ]
        rubric = [one | {"text": SAID[one["id"]]} for one in rubric]
        sub = {"sub_id": f"q{number}-1", "text_open": "Draw it, and count.", "full_mark": 3 + flexible}
        write_set(
            folder, {"problem_id": f"q{number}", "header": "", "subquestions": [sub | {"rubric": rubric}]}
        )
        for model, structure, isomers in (
            ("right", right, count),
            ("mirrored", mirror, count),
            ("miscounting", right, count + 1),
        ):
            text = f"The product is `{structure}`. There are {isomers} isomers."
            lines.append(line(f"q{number}-1", text, model))
    lines.append(line("q0-1", f"The product is `{HANDS[0][0]}`, and I have not counted.", "hasty"))
    return write_lines(folder / "run.jsonl", lines)


def as_code(point_id, body):
    """What code says, read from the rubric and the answer; flexible points are met."""
    answer = answer_in(body)
    if point_id == "s":
        return f"`{reference_in(body)}`" in answer
    return point_id != "n" or f"There are {reference_in(body, 'n')} isomers" in answer


def flat(point_id, body):
    """The same, but it doesn't see stereochemistry."""
    if point_id != "s":
        return as_code(point_id, body)
    right, answer = (text.replace("@", "") for text in (reference_in(body), answer_in(body)))
    return f"`{right}`" in answer


def reference_in(body, point_id="s"):
    """What the rubric of a request says is right."""
    text = body["messages"][1]["content"]
    found = re.search(rf"^## {point_id}\n[^\n]*\n[^\n]*\n\(Right answer: (.*)\.\)$", text, re.MULTILINE)
    assert found is not None
    return found[1]


class Judge:
    """Decides so where it is asked about formal points, and keeps what it is asked."""

    def __init__(self, decide) -> None:
        self.decide = decide
        self.seen: list[dict[str, Any]] = []

    def __call__(self, body):
        self.seen.append(body)
        return judge_reply(body, self.verdict)

    def verdict(self, point_id, body):
        if point_id == "why":
            return "met"
        said = self.decide(point_id, body)
        return said if isinstance(said, str) else "met" if said else "not_met"

    @property
    def of_audit(self):
        """The requests about formal points."""
        return [one for one in self.seen if "why" not in points_in(one)]


@dataclass
class Desk:
    """A graded run, and a judge that can be asked about its formal points."""

    archive: Archive
    card: LoadedCard
    suite: Suite
    judge: Judge

    def audited(self) -> Plan:
        """Ask what the suite wants."""
        planned, came = audited(self.suite, self.card, self.archive)
        assert came.whole
        return planned

    def priced(self) -> Priced:
        """What asking would take."""
        return priced(plan(self.suite, self.card, self.archive), JudgeRequest(self.card))

    def card_page(self) -> ReportCard:
        """The report card of the judge."""
        return report_card(self.archive, self.card.label)

    def against_code(self) -> Audit:
        """A18, of a judge that needn't have graded the run."""
        rows, notes = asked_of_code(self.archive, self.suite, self.card.label)
        return done(conflicts(read_checked(self.archive), self.card.label, asked=rows, notes=notes))


@contextmanager
def graded_by(folder, decide, **run):
    """A run that a judge graded."""
    judge = Judge(decide)
    path = write_run(folder / "set", **run)
    with model_server(judge) as server, open_archive(str(folder / "argus.db")) as archive:
        card = write_card(folder, server.base_url, calls='"subquestion"')
        graded(path, archive, card)
        yield Desk(archive, card, write_suite(folder, points=100, text=SUITE), judge)


@contextmanager
def another(desk, folder, decide, text=SUITE, points=100, calls="subquestion"):
    """Another judge before the run that is graded already."""
    judge = Judge(decide)
    with model_server(judge) as server:
        card = write_card(folder, server.base_url, calls=f'"{calls}"')
        yield Desk(desk.archive, card, write_suite(folder, points=points, text=text), judge)


@pytest.fixture(scope="module")
def agreeing(tmp_path_factory):
    """A judge that says what code says, with what its plan and the archive were before it was asked."""
    with graded_by(tmp_path_factory.mktemp("agreeing"), as_code) as desk:
        before = desk.priced().calls, desk.archive.counts()["verdicts"], len(desk.judge.seen)
        desk.audited()
        yield desk, before


def test_a_judge_that_says_what_code_says_conflicts_nowhere(agreeing):
    desk, _ = agreeing
    found = done(desk.card_page().of("A18"))
    assert not any(one.flagged for one in found.measures)
    assert (measure(found, CONFLICT, FORMAL).value, measure(found, CONFLICT, FORMAL).n) == (0, 37)
    kappa = measure(found, "kappa of code and judge", FORMAL)
    assert (kappa.value, kappa.low) == (1, None)  # nothing differs, so nothing spreads
    cells = {one.name: one.value for one in found.measures if one.unit == "count"}
    assert {name: value for name, value in cells.items() if value} == {
        "code met, judge met": 25,
        "code not met, judge not met": 12,
    }
    assert found.cases == ()
    assert found.says[0].startswith(
        "Code and judge contradict each other on 0.0 % of 37 formal points; a true"
    )
    notes = " ".join(found.notes)
    assert "told nothing of what code found" in notes
    assert "Served: scripted-2026-01-01 (19)" in notes
    assert "Not applicable: 1 points undetermined by code: no_candidate." in notes


def test_no_request_holds_what_code_found_and_each_says_what_is_right(agreeing):
    desk, _ = agreeing
    asked = desk.judge.of_audit
    findings = [
        one.finding
        for run in desk.archive.runs()
        for answer in desk.archive.graded(run)
        for point in answer.points
        for one in point.findings
    ]
    assert {tuple(points_in(body)) for body in asked} == {("s", "n"), ("s",)}
    for body in asked:
        text = json.dumps(body["messages"])
        assert "# Facts" not in text
        assert not any(one.detail and json.dumps(one.detail)[1:-1] in text for one in findings)
        assert reference_in(body) in dict(HANDS)
    # the grading told the same judge of the same answers what code found
    told = [one for one in desk.judge.seen if "why" in points_in(one)]
    assert all("# Facts" in one["messages"][1]["content"] for one in told)


def test_the_plan_counts_what_is_asked_and_a_repeated_run_pays_nothing(agreeing):
    desk, (calls, verdicts, requests) = agreeing
    assert calls == len(desk.judge.of_audit) == len(desk.judge.seen) - requests == 19
    assert desk.archive.counts()["verdicts"] == verdicts
    counts = desk.archive.counts()
    (audit,) = desk.audited().audits
    assert (audit.size, audit.answers, audit.problems, audit.short) == (37, 19, 6, 63)
    assert audit.unfit == {"points undetermined by code: no_candidate": 1}
    assert (len(desk.judge.seen) - requests, desk.archive.counts()) == (19, counts)
    assert desk.priced().calls == 0


def test_every_outcome_follows_from_archived_calls_and_the_report_with_it(agreeing):
    desk, _ = agreeing
    archive, card, seen = desk.archive, desk.card, len(desk.judge.seen)
    for row in archive.asked(desk.suite.designs["A18"].hash, card.label):
        variant = Variant(
            row.variant, task_of(archive.audit_task(row.task)), row.repeat, row.calls, row.about
        )
        heard = asyncio.run(hear(card, variant, Archived(AuditJournal(archive, card.label))))
        assert (heard.outcome, heard.keys) == (row.outcome, row.keys)
    assert desk.against_code() == desk.against_code() == desk.card_page().of("A18")
    assert len(desk.judge.seen) == seen


def test_a_judge_that_does_not_see_stereochemistry_is_found_out_by_kind(agreeing, tmp_path):
    with another(agreeing[0], tmp_path, flat) as desk:
        desk.audited()
    found = desk.against_code()
    smiles, integer = (measure(found, CONFLICT, f"kind {kind}") for kind in ("smiles", "integer"))
    assert smiles.value == pytest.approx(6 / 19)
    assert (smiles.n, smiles.flagged) == (19, True)
    assert (integer.value, integer.n, integer.flagged) == (0, 18, False)
    assert integer.high == pytest.approx(1 - 0.05 ** (1 / 18))
    assert measure(found, "code not met, judge met", FORMAL).value == 6
    # of 37 points code gives 25 and the judge 31, both the same on 31
    chance = (25 * 31 + 12 * 6) / 37**2
    kappa = measure(found, "kappa of code and judge", FORMAL)
    value = (31 / 37 - chance) / (1 - chance)
    assert kappa.value == pytest.approx(value)
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < value < kappa.high < 1
    assert len(found.cases) == 6
    for case in found.cases:
        assert "/s, " in case.where
        assert case.what.startswith("code: not met")
        assert case.what.endswith("judge: met")
        assert all(desk.archive.request(key).messages for key in case.calls)
        assert case.calls
    said = " ".join(found.says)
    assert "on 31.6 % of 19 formal points of kind smiles" in said
    assert "gives 6 points that code refuses, and refuses 0 points that code gives" in said
    advised = {one.rule: one.says for one in advice(card(found, judge=desk.card.label))}
    assert "(formal points and kind smiles)" in advised["code"]


def test_what_the_judge_leaves_open_is_counted_and_in_no_share(agreeing, tmp_path):
    def unsure(point_id, body):
        return "cannot_assess" if point_id == "n" else as_code(point_id, body)

    with another(agreeing[0], tmp_path, unsure) as desk:
        desk.audited()
    found = desk.against_code()
    assert measure(found, CONFLICT, FORMAL).n == 19
    assert measure(found, "code met, judge undetermined", FORMAL).value == 12
    assert measure(found, "code not met, judge undetermined", FORMAL).value == 6
    assert "the judge left 18 of 37 formal points undetermined: in no share, and in no kappa" in found.notes
    assert not any(one.of == "kind integer" for one in found.measures)


def test_kinds_restrict_what_is_asked_and_the_size_is_counted_in_points(agreeing, tmp_path):
    text = SUITE + 'kinds = ["smiles"]\n'
    with another(agreeing[0], tmp_path, as_code, text, points=4) as desk:
        (audit,) = desk.audited().audits
    assert [points_in(one) for one in desk.judge.seen] == [["s"]] * 4
    assert (audit.size, audit.problems, audit.short) == (4, 4, 0)


def test_points_that_cannot_be_compared_are_left_out_and_counted_by_why(agreeing):
    desk, _ = agreeing

    class WithFiles(Answers):
        def base(self, place):
            base = super().base(place)
            return replace(base, response=replace(base.response, meta={"files": ["drawing.png"]}))

    answers = WithFiles(desk.archive, desk.card)
    filed = formal_points(Formal(points=5), answers)
    assert (filed.variants, filed.points) == ([], 0)
    assert filed.unfit == {FILES: 37, "points undetermined by code: no_candidate": 1}
    for place, (smiles, integer) in answers.checked.items():
        left = (replace(smiles, located=True), replace(integer, reason=Reason.CONFLICTING_CANDIDATES))
        answers.checked = {place: left}
        break
    found = formal_points(Formal(points=5), answers)
    assert found.variants == []
    assert found.unfit == {LOCATED: 1, "points undetermined by code: conflicting_candidates": 1}


@pytest.mark.slow
def test_a_set_of_formal_points_alone_tells_a_judge_from_code(tmp_path):
    with graded_by(tmp_path, as_code, flexible=False) as desk:
        assert not desk.judge.seen
        desk.audited()
        found = desk.card_page()
        assert measure(done(found.of("A18")), CONFLICT, FORMAL).n == 37
        assert found.ground.decided == 0
        assert not found.scores or found.scores.whole is None
        with another(desk, tmp_path, as_code, calls="point") as alone:
            assert alone.priced().calls == 37
            alone.audited()
        assert sorted(map(points_in, alone.judge.seen)) == [["n"]] * 18 + [["s"]] * 19


@pytest.mark.slow
def test_an_earlier_rubric_is_compared_with_nothing_and_asked_about_anew(tmp_path, monkeypatch):
    with graded_by(tmp_path, as_code) as desk:
        desk.audited()
        monkeypatch.setitem(SAID, "n", "How many isomers there are")
        graded(write_run(tmp_path / "set"), desk.archive, desk.card)
        found = desk.against_code()
        assert measure(found, CONFLICT, FORMAL).n == 19
        assert not any(one.of == "kind integer" for one in found.measures)
        before = len(desk.judge.seen)
        desk.audited()
        # the hasty answer was asked about in the point that stayed
        assert len(desk.judge.seen) - before == 18
        assert measure(desk.against_code(), CONFLICT, FORMAL).n == 37
