"""Rewritten answers before judges that read structures, and one that doesn't see stereochemistry."""

from __future__ import annotations

import pytest
from rdkit import Chem, RDLogger

from grader.archive.store import open_archive
from grader.audit.asked_anew.plan import plan
from grader.audit.asked_anew.results import results
from grader.audit.result import Audit
from tests.audit.audited import (
    answer_in,
    audited,
    graded,
    replying,
    wanted_in,
    write_card,
    write_suite,
)
from tests.grade.small import line, point, write_lines, write_set
from tests.model_server import model_server

CHIRAL = [
    "CC[C@H](C)O",
    "C[C@H](N)C(=O)O",
    "CC[C@@H](C)Br",
    "C[C@H](O)c1ccccc1",
    "OC[C@H](O)C=O",
    "C[C@@H](Cl)CC=C",
    "CC[C@H](F)CO",
    "C[C@H](O)C#N",
]
SUITE = """
seed = 1
[invariance]
pairs = {answers}
kinds = ["random_smiles", "explicit_hydrogens"]
[sensitivity]
pairs = {answers}
kinds = ["stereocentre_inverted", "methylene_added"]
"""


def structures(text, *, flat=False):
    RDLogger.DisableLog("rdApp.*")
    found = set()
    for word in text.split():
        molecule = Chem.MolFromSmiles(word.strip(".,;:"), sanitize=True) if "C" in word else None
        if molecule is not None:
            found.add(Chem.MolToSmiles(Chem.RemoveHs(molecule), isomericSmiles=not flat))
    return found


def reading(*, flat):
    def decide(point_id, body):
        return structures(wanted_in(body)[point_id], flat=flat) <= structures(answer_in(body), flat=flat)

    return replying(decide)


def write_run(folder):
    lines = []
    for number, smiles in enumerate(CHIRAL):
        rubric = [point("s", 1) | {"text": f"names: {smiles}"}, point("why", 1) | {"text": "names: CC"}]
        sub = {"sub_id": f"c{number}-1", "text_open": "Draw it.", "full_mark": 2, "rubric": rubric}
        write_set(folder, {"problem_id": f"c{number}", "header": "", "subquestions": [sub]})
        lines.append(line(f"c{number}-1", f"The product is {smiles} as was shown."))
    return write_lines(folder / "run.jsonl", lines)


def audits_of(tmp_path, reply):
    run = write_run(tmp_path / "set")
    with model_server(reply) as server, open_archive(str(tmp_path / "argus.db")) as archive:
        card = write_card(tmp_path, server.base_url)
        graded(run, archive, card)
        suite = write_suite(tmp_path, 8, text=SUITE)
        planned, done = audited(suite, card, archive)
        assert done.whole
        facts = [one.variant.task.criteria[0].facts for one in planned.audits[1].wanted]
        found = {one.id: one for one in results(archive, suite, card)}
        return found["A7"], found["A8"], facts


def measure(audit, name, of=""):
    assert isinstance(audit, Audit)
    return next(one for one in audit.measures if (one.name, one.of) == (name, of))


@pytest.mark.slow
def test_a_judge_that_reads_structures_is_cleared(tmp_path):
    invariance, sensitivity, facts = audits_of(tmp_path, reading(flat=False))
    rise, missed = measure(invariance, "rise of the flip rate"), measure(sensitivity, "miss rate")
    assert (rise.n, rise.value, rise.flagged) == (8, 0.0, False)
    assert (missed.n, missed.value, missed.flagged) == (8, 0.0, False)
    # what code finds is found in the rewriting, not in the answer that stood there
    assert {len(one) for one in facts} == {1}
    assert len(set(facts)) > len(CHIRAL)


@pytest.mark.slow
def test_a_judge_that_does_not_see_stereochemistry_is_found(tmp_path):
    _, sensitivity, _ = audits_of(tmp_path, reading(flat=True))
    inverted = measure(sensitivity, "miss rate", "kind stereocentre_inverted")
    longer = measure(sensitivity, "miss rate", "kind methylene_added")
    assert inverted.value == 1.0
    assert inverted.flagged
    assert longer.value == 0.0
    assert isinstance(sensitivity, Audit)
    assert {len(case.calls) for case in sensitivity.cases} == {2}


@pytest.mark.slow
def test_only_points_that_are_earned_can_be_lost(tmp_path):
    run = write_run(tmp_path / "set")
    with (
        model_server(replying(lambda point_id, body: False)) as server,
        open_archive(str(tmp_path / "argus.db")) as archive,
    ):
        card = write_card(tmp_path, server.base_url)
        graded(run, archive, card)
        planned = plan(write_suite(tmp_path, 8, text=SUITE), card, archive, only=["A8"], workers=1)
    (audit,) = planned.audits
    assert (audit.wanted, audit.short) == ([], 8)
    assert audit.unfit == {"points that aren't earned as the answer is": 16}
