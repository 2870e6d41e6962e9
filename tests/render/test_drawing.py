"""Two structures beside each other show what differs between them, and no drawing disturbs its page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from grader.formal.structures.structure import read_structure
from grader.render.drawing import compared_svg, structure_svg
from grader.render.drawing_difference import difference


def differing(first: str, second: str) -> tuple[int, int, int, int]:
    """How many atoms and bonds differ in the first, then in the second."""
    found = difference(read_structure(first).mol, read_structure(second).mol)
    return len(found.first.atoms), len(found.first.bonds), len(found.second.atoms), len(found.second.bonds)


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ("OCC", "CCO", (0, 0, 0, 0)),
        ("CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1O", (3, 3, 0, 0)),  # the acetyl group
        ("C[C@H](O)C(=O)O", "C[C@@H](O)C(=O)O", (1, 0, 1, 0)),  # the centre alone
        ("C[C@H](O)C(=O)O", "CC(O)C(=O)O", (1, 0, 1, 0)),  # a centre left open
        ("C[C@H](O)C(=O)O", "OC(=O)[C@@H](O)C", (0, 0, 0, 0)),  # the same, written from its other end
        ("C/C=C/C", "C/C=C\\C", (0, 1, 0, 1)),
        ("F/C(Cl)=C/C", "Cl/C(F)=C\\C", (0, 0, 0, 0)),
        ("F/C(Cl)=C/C", "F/C(Cl)=C\\C", (0, 1, 0, 1)),
        ("[NH3+]CC([O-])=O", "NCC(O)=O", (2, 0, 2, 0)),  # charges
        ("[13CH4]", "C", (1, 0, 1, 0)),
        ("C1CCCCC1", "CCCCCC", (0, 1, 0, 0)),  # the bond that closes the ring
        ("CC=O", "CCO", (1, 1, 1, 1)),
        ("O", "CC", (1, 0, 2, 1)),  # nothing shared
        ("C[C@H]1CC[C@@H](O)CC1", "C[C@H]1CC[C@H](O)CC1", (1, 0, 1, 0)),  # cis and trans
        ("C[C@H](F)Cl", "C[C@H](F)Br", (1, 1, 1, 1)),  # another halogen at the same hand
    ],
)
def test_what_differs_is_marked_and_nothing_else(
    first: str, second: str, counts: tuple[int, int, int, int]
) -> None:
    assert differing(first, second) == counts


def test_the_only_centre_that_differs_is_found_among_several() -> None:
    found = difference(
        read_structure("C[C@]12CC[C@H]3[C@H]([C@@H]1CC[C@@H]2O)CCC4=CC(=O)CC[C@]34C").mol,
        (other := read_structure("C[C@]12CC[C@H]3[C@H]([C@@H]1CC[C@H]2O)CCC4=CC(=O)CC[C@]34C").mol),
    )
    (atom,) = found.second.atoms
    assert {neighbour.GetSymbol() for neighbour in other.GetAtomWithIdx(atom).GetNeighbors()} == {"C", "O"}


def test_a_reader_who_doesnt_see_it_is_told() -> None:
    svg = compared_svg("C[C@H](O)C(=O)OC", "C[C@@H](O)C(=O)O")
    assert svg is not None
    root = ElementTree.fromstring(svg)
    names = {child.tag.rpartition("}")[2]: child.text for child in root}
    assert root.get("role") == "img"
    assert names["title"] == "The structure of the answer beside the expected one"
    assert (
        names["desc"] == "In the answer 2 atoms and 1 bond differ; in the expected structure 1 atom differs."
    )
    assert "Nothing differs." in str(compared_svg("OCC", "CCO"))


@pytest.mark.parametrize("pair", [("CCO", "CC=O"), ("CC(R)C", "c1ccccc1"), ("[Fe+2].[NH3]", "[Co+3]")])
def test_drawings_share_no_ids_and_bring_their_paper(pair: tuple[str, str]) -> None:
    svg = str(compared_svg(*pair))
    assert not re.search(r"\sid=|\sclass=|<style|<script|href", svg)
    assert svg.index('fill="#ffffff"') < svg.index("<g>")


@pytest.mark.parametrize(
    "text", ["", "nope!", "not a structure", "C(", "<svg onload=alert(1)>", "C" * 20_000]
)
def test_what_is_no_structure_isnt_drawn(text: str) -> None:
    assert structure_svg(text) is None
    assert compared_svg(text, "C") is None
    assert compared_svg("C", text) is None


def test_large_structures_are_drawn_without_a_search() -> None:
    chain = "C" * 250
    assert differing(chain, chain + "O")[0] == 250
    assert compared_svg(chain, chain + "O") is not None
