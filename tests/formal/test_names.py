"""Names become structures through a table and one OPSIN process, which nothing in an answer can take down."""

from __future__ import annotations

import os
import signal
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from grader.formal.structures import names, opsin
from grader.formal.structures.comparison import Relation
from grader.formal.structures.equivalence import compare
from grader.formal.structures.names import structures
from grader.formal.structures.structure import read_structure
from grader.formal.structures.trivial_names import SOURCES, trivial
from grader.problem.checks import SmilesCheck
from grader.record import Reason
from grader.workers import Workers

java = pytest.mark.skipif(not names.available(), reason="no Java")

TABLE = resources.files("grader.formal.structures").joinpath("trivial_names.tsv").read_text("utf-8")
ROWS = [line.split("\t") for line in TABLE.splitlines()[1:]]

EXPLAINED = {
    "methylpropane": "OPSIN guesses a place for the methyl group; only one is a methylpropane",
    "methylbutane": "as methylpropane",
    "methylpropene": "as methylpropane",
    "dimethylpropane": "as methylpropane",
    "methylpropanoic acid": "as methylpropane",
    "norbornadiene": "OPSIN puts both double bonds elsewhere",
    "crotonaldehyde": "OPSIN takes the E isomer for granted",
    "chalcone": "OPSIN takes the E isomer for granted",
    "cinnamic acid": "IUPAC 2013 P-65.1.1.2.1 makes it the E isomer; OPSIN leaves it open",
    "nicotine": "the natural enantiomer; OPSIN leaves it open",
    "adrenaline": "the natural enantiomer; OPSIN leaves it open",
    "(+)-menthol": "OPSIN ignores a sign of rotation",
    "(-)-menthol": "OPSIN ignores a sign of rotation",
    "(+)-camphor": "OPSIN ignores a sign of rotation",
    "dihydroxyacetone": "the 1,3-diol, after long usage; OPSIN makes a hydrate",
    "benzylium": "OPSIN reads it as benzoyl",
    "sulfur monochloride": "named by its composition; it is S2Cl2",
    "nitrous oxide": "another resonance form",
    "carbon monoxide": "OPSIN draws a carbene",
    **dict.fromkeys(
        ["oxygen", "nitrogen", "fluorine", "chlorine", "bromine", "iodine"],
        "the element; OPSIN makes an atom",
    ),
}


def same(one: str, other: str) -> bool:
    if "|" not in one + other and Chem.CanonSmiles(one) == Chem.CanonSmiles(other):
        return True
    options = SmilesCheck(kind="smiles", expected=one)
    return compare(read_structure(one), read_structure(other), options).relation is Relation.SAME


def meant(name: str) -> str | None:
    return structures([name])[0].smiles


def test_every_trivial_name_is_a_structure_and_of_a_known_kind():
    assert len(ROWS) >= 600
    assert len({row[0] for row in ROWS}) == len(ROWS)
    for name, smiles, _, source in ROWS:
        assert read_structure(smiles).mol.GetNumAtoms() > 0, name
        assert source in SOURCES, name
    assert [name for name, _, synonym, _ in ROWS if not synonym] == ["TEMPO"]


@java
def test_trivial_names_agree_with_their_systematic_synonyms():
    with_synonym = [row for row in ROWS if row[2]]
    replies = opsin.ask([synonym for _, _, synonym, _ in with_synonym])
    wrong = [
        (name, reply.remarks)
        for (name, smiles, _, _), reply in zip(with_synonym, replies, strict=True)
        if not reply.smiles or not same(smiles, reply.smiles.split()[0])
    ]
    assert not wrong


@java
def test_where_opsin_reads_a_trivial_name_otherwise_there_is_a_reason():
    ascii_rows = [row for row in ROWS if row[0].isascii()]
    replies = opsin.ask([name for name, *_ in ascii_rows])
    differing = {
        name
        for (name, smiles, *_), reply in zip(ascii_rows, replies, strict=True)
        if reply.smiles and not same(smiles, reply.smiles.split()[0])
    }
    assert differing <= EXPLAINED.keys()


@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("(R)-carvone", "CC1=CC[C@H](CC1=O)C(C)=C"),
        ("(S)-(+)-ibuprofen", "CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O"),
        ("trans-chalcone", "O=C(/C=C/c1ccccc1)c1ccccc1"),
        ("rac-ibuprofen", "CC(C)Cc1ccc([C@H](C)C(=O)O)cc1 |&1:8|"),
    ],
)
def test_one_descriptor_says_which_isomer_a_trivial_name_means(name, smiles):
    found = trivial(name)
    assert found is not None
    assert same(found, smiles)


@java
@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("(2*R*)-butan-2-ol", "C[C@@H](O)CC"),
        ("*N*,*N*-dimethylaniline", "CN(C)c1ccccc1"),
        ("\\textit{tert}-butanol", "CC(C)(C)O"),
        ("2,2-dimethyl-\npropane", "CC(C)(C)C"),
        ("butan‑2‑ol", "CCC(C)O"),
        ("tricyclo[3.3.1.1³,⁷]decane", "C1C2CC3CC1CC(C2)C3"),
        ("alanine", "CC(N)C(=O)O"),
        ("rac-alanine", "C[C@H](N)C(=O)O |&1:1|"),
        ("trans-1,2-dimethylcyclohexane", "C[C@H]1[C@@H](CCCC1)C |o1:1,2|"),
        ("cis-1,2-dimethylcyclohexane", "C[C@H]1[C@H](CCCC1)C"),
        ("meso-2,3-dibromobutane", "C[C@H](Br)[C@@H](C)Br"),
        ("(2R,3R)-tartaric acid", "O[C@H]([C@@H](O)C(O)=O)C(O)=O"),
        ("p-bromonitrobenzene", "Brc1ccc(cc1)[N+](=O)[O-]"),
        ("sulfate ion", "[O-]S(=O)(=O)[O-]"),
        ("Propanoic acid, 2-hydroxy-, (2S)-", "C[C@H](O)C(=O)O"),
        ("copper(I) oxide", "[Cu+].[Cu+].[O-2]"),
        ("gold(III) sulfide", "[Au+3].[Au+3].[S-2].[S-2].[S-2]"),
        ("mercury(I) chloride", "Cl[Hg][Hg]Cl"),
        ("sodium chlorate(I)", "[Na+].[O-]Cl"),
        ("sulfuric(IV) acid", "OS(O)=O"),
        ("4-bromoacetanilide", "CC(=O)Nc1ccc(Br)cc1"),
    ],
)
def test_a_name_is_read_however_it_is_typeset_and_no_further_than_it_says(name, smiles):
    found = meant(name)
    assert found is not None
    assert same(found, smiles)


@java
@pytest.mark.parametrize(
    "name",
    [
        *("xylene", "cresol", "butene", "butanol", "propanol", "pentanol", "hexenol", "dichlorobenzene"),
        *("nitrotoluene", "glucose", "picoline", "phenylenediamine", "trichloroethane", "butanamine"),
        *("iron chloride", "3-methylbutanol", "pentenoic acid"),
    ],
)
def test_a_name_that_leaves_the_isomer_open_means_no_structure(name):
    (found,) = structures([name])
    assert (found.smiles, found.ambiguous) == (None, True)


@java
@pytest.mark.parametrize(
    "name", ["n-butanol", "isobutanol", "cyclobutanol", "2-butanol", "tert-butanol", "D-glucose", "propanone"]
)
def test_a_name_that_says_enough_is_not_called_ambiguous(name):
    assert meant(name) is not None


@java
@pytest.mark.parametrize("name", ["(+)-2-butanol", "sodium ion", "", "\x00", "日本", "a\x7fb", "x" * 10_000])
def test_what_says_no_structure_means_none(name):
    (found,) = structures([name])
    assert (found.smiles, found.ambiguous) == (None, False)


@java
def test_more_names_than_the_pipes_hold_come_back_in_order():
    many = [f"{at}-chlorohexadecane" if at % 7 else "nonsense" * 45 for at in range(1, 1200)]
    found = opsin.ask(many)
    assert len(found) == len(many)
    assert [bool(one.smiles) for one in found[:20]] == [at % 7 > 0 and at < 17 for at in range(1, 21)]


@java
@pytest.mark.slow
def test_a_killed_jvm_is_replaced():
    assert opsin.ask(["hexane"])[0].smiles
    process = opsin._opsin(os.getpid())._process
    assert process is not None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert [one.smiles.split()[0] for one in opsin.ask(["methane", "ethane"])] == ["C", "CC"]


@java
@pytest.mark.slow
def test_a_name_that_takes_too_long_is_given_up_and_the_next_ones_are_read(monkeypatch):
    slow = "phenyl" * 66 + "methane"
    monkeypatch.setattr(opsin, "CPU_LIMIT", -1.0)
    monkeypatch.setattr(opsin, "_POLL", 0.0)
    opsin._opsin(os.getpid()).stop()
    found = opsin.ask([slow])[0]
    assert found.failure == "time_limit"
    assert names._named(slow, found).reason is Reason.TIME_LIMIT
    monkeypatch.undo()
    assert opsin.ask(["ethane"])[0].smiles


def test_without_java_only_trivial_names_are_known(monkeypatch):
    monkeypatch.setattr(opsin, "java", lambda: None)
    monkeypatch.setattr(names, "_KNOWN", {})
    table, systematic = structures(["aspirin", "2-methylpentan-3-ol"])
    assert table.smiles is not None
    assert (systematic.smiles, systematic.reason) == (None, Reason.UNSUPPORTED)
    assert "install" in systematic.why


@java
@pytest.mark.slow
def test_names_are_read_in_a_worker_with_bounded_memory():
    with Workers("grader.formal.structures.names:structures", count=1) as workers:
        ended = [one for some in workers.run([["butan-2-ol"], ["xylene"]]) for one in some]
    assert [one.value[0].smiles for one in ended] == ["CC(CC)O", None]


@java
@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_text_at_all_comes_back_as_one_answer_each(texts):
    assert len(structures(texts)) == len(texts)
