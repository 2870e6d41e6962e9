"""The tables of terms: every spelling means its term, and every word a table refers to is in it."""

from __future__ import annotations

import pytest

from grader.formal.lists.direction import Direction, read_order, way_in
from grader.formal.structures.comparison import Relation
from grader.formal.terms.vocabulary import Meaning, Vocabulary, vocabularies, vocabulary_of


@pytest.mark.parametrize("vocabulary", vocabularies(), ids=lambda one: one.name)
def test_a_table_holds_together(vocabulary: Vocabulary) -> None:
    assert vocabulary.source
    for name, spellings in vocabulary.spellings.items():
        for spelling in (name, *spellings):
            assert vocabulary.read(spelling) == Meaning(name), spelling
    referred = set().union(*vocabulary.broader.values(), *vocabulary.akin)
    assert all(vocabulary.holds(name) for name in referred)


@pytest.mark.parametrize(
    ("kind", "expected", "written", "relation"),
    [
        ("geometry", "trigonal pyramidal", "square pyramidal", Relation.DIFFERENT),
        ("geometry", "trigonal pyramidal", "pyramidal", Relation.UNSURE),
        ("geometry", "octahedral", "distorted octahedral", Relation.UNSURE),
        ("order", "first order", "pseudo-first order", Relation.DIFFERENT),
        ("point_group", "D3h", "D3", Relation.DIFFERENT),
        ("point_group", "C2v", "mm2", Relation.SAME),
        ("mechanism", "E1", "E1cB", Relation.DIFFERENT),
        ("mechanism", "E2", "elimination", Relation.UNSURE),
        ("sulphur", "oxidising agent", "oxidizing agent", Relation.SAME),
        ("chirality", "achiral", "non-chiral", Relation.SAME),
        ("hybridisation", "sp3d2", "d2sp3", Relation.UNSURE),
    ],
)
def test_a_part_of_a_term_or_a_broader_word_is_not_the_term(
    kind: str, expected: str, written: str, relation: Relation
) -> None:
    vocabulary = vocabulary_of(kind, expected)
    assert vocabulary is not None
    right = vocabulary.read(expected)
    meaning = vocabulary.read(written) or vocabulary.find(written)[0].meaning
    assert right is not None
    assert vocabulary.relation(meaning, frozenset((right.name,))) is relation


@pytest.mark.parametrize(
    ("words", "way"),
    [
        ("increasing acidity", 1),
        ("from strongest to weakest", -1),
        ("least to most reactive", 1),
        ("most stable first", -1),
        ("rank (1 = most acidic)", -1),
        ("in ascending order of pKa", 1),
        ("acidity", 0),
    ],
)
def test_words_say_which_way_an_order_runs(words: str, way: int) -> None:
    assert way_in(words) == way


def test_an_order_by_an_inverse_property_is_turned_and_by_another_one_refused() -> None:
    expected = read_order("increasing acidity")
    assert Direction(-1, "pka").relative(expected) == 1
    assert Direction(1, "acidity").relative(expected) == 1
    assert Direction(1, "bond strength").relative(expected) is None
