"""Proofs: what a check grants and refuses, shown to its author before a model is graded by it.

For each formal point answers are made from its expected value: equivalents,
which must earn the point, and near-misses, which must not. Where the track
sees one otherwise, either the check needs another option or the track can't
hold the distinction; both are the author's to know. An accepted proof is kept
beside the set as a case file, and proved again whenever the set changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

from grader.answer.answer import Answer
from grader.errors import SetupError, UsageError, shown
from grader.formal.cases import read_cases
from grader.formal.task import CheckTask, checkers, findings
from grader.formal.variants.check import equivalents, near_misses
from grader.formal.variants.variant import Variant
from grader.problem.checks import CheckModel
from grader.problem.model import Deduction, Point, Veto, walk
from grader.problem.nodes import nodes
from grader.problem.set import ProblemSet, load_set
from grader.record import Finding, Status

SCHEMA_VERSION = 1
"""Of what ``argus problems proof --json`` prints."""
CASES = "proof.jsonl"
"""The accepted proofs of a set, in the shape of a case file."""
MOST = 12
"""Equivalents, and near-misses, that are shown for a point."""

Side = Literal["equivalent", "near_miss", "accepted"]


@dataclass(frozen=True, slots=True)
class Trial:
    """One made answer and what the formal track says of it."""

    side: Side
    answer: str
    how: str
    right: str
    """The verdict it must get: ``met``, ``not_met``; of an accepted one, the verdict it was accepted with."""
    finding: Finding
    value: str = ""
    """The value alone, without the label an answer states it under."""
    notation: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the verdict is the right one."""
        return self.finding.status == self.right

    @property
    def wrong(self) -> bool:
        """Whether credit is given to what is wrong, or denied to what is right; open is neither."""
        return not self.agrees and self.finding.status is not Status.UNDETERMINED


@dataclass(frozen=True, slots=True)
class Proof:
    """What a point's check grants and refuses."""

    problem_id: str
    sub_id: str
    point_id: str
    text: str
    check: CheckModel
    trials: tuple[Trial, ...]
    draft: bool = False
    unread: str = ""
    """Why no answers could be made from the expected value; empty where they could."""

    @property
    def disagreements(self) -> tuple[Trial, ...]:
        """The trials whose verdict isn't the right one."""
        return tuple(one for one in self.trials if not one.agrees)

    def of(self, side: Side) -> tuple[Trial, ...]:
        """The trials of one side."""
        return tuple(one for one in self.trials if one.side == side)

    def as_json(self) -> dict[str, Any]:
        """The proof as JSON."""
        return {
            "problem_id": self.problem_id,
            "sub_id": self.sub_id,
            "point_id": self.point_id,
            "text": self.text,
            "draft": self.draft,
            "unread": self.unread,
            "check": self.check.model_dump(mode="json", exclude_defaults=True),
            "trials": [{**asdict(one), "agrees": one.agrees} for one in self.trials],
        }


@dataclass(frozen=True, slots=True)
class ProofReport:
    """The proofs of a set."""

    path: Path
    proofs: tuple[Proof, ...]
    stale: tuple[str, ...] = ()
    """Ids of accepted cases whose point is gone or whose check has changed since."""

    @property
    def disagreements(self) -> int:
        """How many trials came out otherwise than they must."""
        return sum(len(proof.disagreements) for proof in self.proofs)

    @property
    def sound(self) -> bool:
        """Whether nothing is left for the author to look at."""
        return not (self.disagreements or self.stale or any(proof.unread for proof in self.proofs))

    def as_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "schema_version": SCHEMA_VERSION,
            "path": str(self.path),
            "disagreements": self.disagreements,
            "stale": list(self.stale),
            "proofs": [proof.as_json() for proof in self.proofs],
        }


@dataclass(frozen=True, slots=True)
class _Formal:
    """A node that has a check."""

    problem_id: str
    sub_id: str
    node: Point | Deduction | Veto
    check: CheckModel


@dataclass(frozen=True, slots=True)
class _Made:
    """An answer to be decided."""

    side: Side
    text: str
    how: str
    right: str
    value: str
    notation: str


def prove_set(
    path: Path, points: Sequence[str] = (), *, seed: int = 0, workers: int | None = None
) -> ProofReport:
    """Prove the checks of a set, or of the named points; drafts are proved too.

    Raises ProblemError for a set with faults, UsageError where a named point has no check.
    """
    problems = load_set(path, decode=False)
    formal = list(_formal(problems))
    _known(formal, points)
    kept, stale = _accepted(problems, formal)
    chosen = [one for one in formal if not points or one.node.id in points]
    variants = {key: _variants(one, seed) for key, one in enumerate(formal) if one in chosen}
    made = {key: [*tried, *kept.get(key, ())] for key, (tried, _) in variants.items()}
    found = _found(formal, made, workers)
    proofs = (_proof(formal[key], tried, found[key], variants[key][1]) for key, tried in made.items())
    return ProofReport(path, tuple(proofs), stale)


def accept_proofs(report: ProofReport) -> Path:
    """Keep the proofs of a report as the set's case file; those of other points stay.

    Raises UsageError while a verdict is a wrong one: a case file holds right verdicts.
    """
    wrong = [(proof, trial) for proof in report.proofs for trial in proof.trials if trial.wrong]
    if wrong:
        proof, trial = wrong[0]
        raise UsageError(
            f"{len(wrong)} verdicts are wrong, first of {proof.point_id}",
            got=f"{trial.finding.status} for {shown(trial.answer)}",
            expected=trial.right,
            do="Change the check's options, or report it; then prove it again.",
        )
    file = case_file(report.path)
    renewed = {(proof.sub_id, proof.point_id) for proof in report.proofs}
    old = [line for line in case_lines(file) if (line["sub_id"], line["point_id"]) not in renewed]
    write_cases(file, [*old, *chain.from_iterable(map(_case_lines, report.proofs))])
    return file


def case_file(path: Path) -> Path:
    """Where a set keeps its accepted cases."""
    return (path if path.is_dir() else path.parent) / CASES


def case_lines(file: Path) -> list[dict[str, Any]]:
    """The cases of such a file as they are written; none where it isn't there."""
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def write_cases(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write such a file, whole or not at all; SetupError where it can't be."""
    part = file.with_name(f".{CASES}.part")
    try:
        part.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        part.replace(file)
    except OSError as error:
        raise SetupError("the proofs can't be written", file=str(file), got=error.strerror) from error


# Points and what is put to them


def _formal(problems: ProblemSet) -> Iterator[_Formal]:
    for problem in problems.problems.values():
        for sub in problem.subquestions:
            for node in walk(nodes(sub)):
                if isinstance(node, Point | Deduction | Veto) and node.check is not None:
                    yield _Formal(problem.problem_id, sub.sub_id, node, node.check)


def _known(formal: Sequence[_Formal], points: Sequence[str]) -> None:
    ids = [one.node.id for one in formal]
    for name in points:
        if name not in ids:
            expected = f"one of {', '.join(ids[:8])}{' …' if len(ids) > 8 else ''}"
            raise UsageError("no point of this id has a check", got=shown(name), expected=expected)


def _variants(formal: _Formal, seed: int) -> tuple[list[_Made], str]:
    """The answers made from an expected value, or why none could be."""
    try:
        right = list(islice(equivalents(formal.check, seed), MOST))
        wrong = list(islice(near_misses(formal.check, seed), MOST))
    except ValueError as error:  # an expected value that its kind can't read
        return [], str(error)
    made = [_made(formal.check, one, "equivalent", Status.MET) for one in right]
    return [*made, *(_made(formal.check, one, "near_miss", Status.NOT_MET) for one in wrong)], ""


def _made(check: CheckModel, one: Variant, side: Side, right: Status) -> _Made:
    return _Made(side, _stated(check, one.text), one.how, right.value, one.text, one.notation)


def _stated(check: CheckModel, text: str) -> str:
    """A value as an answer states it: under the label that the check asks for."""
    return f"{check.asked[0]}: {text}" if check.asked else text


def _found(
    formal: Sequence[_Formal], made: dict[int, list[_Made]], workers: int | None
) -> dict[int, dict[int, Finding]]:
    tasks = [
        CheckTask.of(formal[key].check, Answer(one.text), (key, number))
        for key, tried in made.items()
        for number, one in enumerate(tried)
    ]
    found: dict[int, dict[int, Finding]] = {key: {} for key in made}
    with checkers(workers) as team:
        for task, finding in chain.from_iterable(findings(team, tasks)):
            assert isinstance(task.key, tuple)
            key, number = task.key
            found[key][number] = finding
    return found


def _proof(formal: _Formal, tried: Sequence[_Made], found: dict[int, Finding], unread: str) -> Proof:
    trials = (
        Trial(one.side, one.text, one.how, one.right, found[number], one.value, one.notation)
        for number, one in enumerate(tried)
    )
    node = formal.node
    draft = isinstance(node, Point) and node.draft
    return Proof(
        formal.problem_id, formal.sub_id, node.id, node.text, formal.check, tuple(trials), draft, unread
    )


# The case file


def _accepted(
    problems: ProblemSet, formal: Sequence[_Formal]
) -> tuple[dict[int, list[_Made]], tuple[str, ...]]:
    """The accepted cases by the index of their point, and the ids of those that are out of date."""
    file = case_file(problems.path)
    if not file.is_file():
        return {}, ()
    places = {(one.sub_id, one.node.id): key for key, one in enumerate(formal)}
    kept: dict[int, list[_Made]] = {}
    stale: list[str] = []
    for case, check in read_cases(file):
        extra = case.model_extra or {}
        key = places.get((str(extra.get("sub_id")), str(extra.get("point_id"))))
        if key is None or formal[key].check != check:
            stale.append(case.id)
            continue
        kept.setdefault(key, []).append(
            _Made("accepted", case.answer, str(extra.get("why", "")), case.verdict, case.answer, "")
        )
    return kept, tuple(stale)


def check_fields(check: CheckModel) -> dict[str, Any]:
    """A check as a case writes it."""
    options = check.model_dump(mode="json", exclude_defaults=True)
    return {"kind": options.pop("kind"), "expected": options.pop("expected"), "options": options}


def _case_lines(proof: Proof) -> Iterator[dict[str, Any]]:
    check = check_fields(proof.check)
    seen: set[str] = set()
    for trial in proof.trials:
        if trial.answer in seen:
            continue
        seen.add(trial.answer)
        yield {
            "id": f"{proof.sub_id}/{proof.point_id}/{len(seen)}",
            "sub_id": proof.sub_id,
            "point_id": proof.point_id,
            **check,
            "answer": trial.answer,
            "verdict": trial.finding.status.value,
            "why": f"{trial.side.replace('_', '-')}: {trial.how}" if trial.side != "accepted" else trial.how,
        }
