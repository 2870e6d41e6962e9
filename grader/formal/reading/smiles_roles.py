"""What the words right beside a SMILES make of it: a source, a setting, what reacts."""

from __future__ import annotations

import re

from grader.formal.reading.roles import Role

_NOUN = (
    r"(?:starting material|reactant|substrate|reagent|precursor|solvent|catalyst|intermediate|by-?product|"
    r"side product|monomer)s?"
)
_OPENING = r"\s{1,2}(?:the |a |an |its |one |two )?[`$\"'(*]*$"
_SOURCE = re.compile(
    r"\b(?:from|(?<!formation )(?<!consists )(?<!consist )(?<!mixture )of|such as|for example,?|e\.g\.,?|"
    r"compare|(?<!look )(?<!looks )like|unlike|(?:similar|analogous|related) to|treat(?:ing|ed|ment of)?|"
    r"with|using|via|through|by|heating|oxidis(?:e|ing)|reduc(?:e|ing)|converts?|"
    r"(?<!is the )(?<!is its )isomer(?: is)?|would (?:be|give|expect|predict)|"
    rf"{_NOUN})"
    rf"{_OPENING}",
    re.I,
)
_SETTING = re.compile(
    rf"\b(?:{_NOUN}|minor (?:product|isomer|component)s?)(?: is| are| was|:|,){_OPENING}"
    rf"|\bminor (?:product|isomer|component)s?{_OPENING}",
    re.I,
)
_NOTATION = re.compile(r"\b(?:SMILES|InChI|InChIKey|key),?(?: \w{1,14})? would be\W{0,4}$", re.I)
_CONSUMED = re.compile(
    r"[`$\"')*]*\s{0,3}(?:->|\u2192|\+|reacts?\b|undergoes\b|would (?:be|have|give|react)\b|"
    r"(?:is|was) used\b|(?:serves|acts) as\b|"
    r"\b(?:is|are|was|were) (?:converted|oxidi[sz]ed|reduced|treated|hydroly[sz]ed|heated|consumed)\b)",
    re.I,
)
_ARROW_BEFORE = re.compile(r"(?:->|\u2192)[\s`]{0,4}$")
_LESSER = re.compile(
    r"[`$\"'*]*[ \t]{0,2}\(?(?:the )?(?:minor|side product|by-?product|starting material|reactant)\b", re.I
)
_KEYED = re.compile(
    r"[\"'](?:\w{0,20}[_ ])?(?:starting[_ ]?materials?|reactants?|substrates?|reagents?|precursors?|"
    r"solvents?|catalysts?|intermediates?|by[_-]?products?|side[_ ]products?|bases?)(?:[_ ]\w{0,20})?[\"']"
    r"\s{0,2}:\s{0,3}(?:\[\s{0,8}(?:[\"'][^\"'\n]{0,60}[\"'],\s{0,8}){0,6})?[\"']$",
    re.I,
)
"""A key of JSON that gives what follows another role than the product's."""
_BEFORE = 80


def role_of(raw: str, start: int, end: int) -> Role:
    """Whether the sentence presents the token as what is consumed or compared, not as what is asked."""
    before = raw[max(0, start - _BEFORE) : start]
    if _SOURCE.search(before) and not _NOTATION.search(before):
        return Role.SOURCE
    if _SETTING.search(before) or _LESSER.match(raw, end) or _KEYED.search(before):
        return Role.CONTEXT
    consumed = _CONSUMED.match(raw, end)
    if consumed is None or (consumed[0].endswith("+") and _ARROW_BEFORE.search(before)):
        return Role.STATED
    return Role.CONSUMED
