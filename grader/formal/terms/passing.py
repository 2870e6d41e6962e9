"""Terms that a text names without stating them: competitors, suppositions, what would be needed for them."""

from __future__ import annotations

import re

_NOUN = (
    r"(?:[\s-](?:mechanism|pathway|reaction|process|product|isomer|route|attack|elimination|substitution|"
    r"type|form|state|geometry|structure|complex|path|addition|adduct)s?)?"
)
_BEFORE = re.compile(
    r"\b(?:over|than|versus|vs\.?|(?<!loses )(?<!lost )(?<!out )against|outcompet\w+(?! by)|compet\w+ with|"
    r"competing|minor|prevent\w*|"
    r"suppress\w*|disfavou?r\w*|avoid\w*|block\w*|"
    r"hinder\w*|exclud\w*|(?:rul\w+|leav\w+) out|retard\w*|preclud\w*|inhibit\w*|unlikely|impossible|no|"
    r"lacks?|distinguish\w* (?:it |this )?from|"
    r"differs? from|different from|instead of|unfavou?rable for|unsuit\w+ (?:to|for)|too \w+ (?:for|to "
    r"undergo)|less|not "
    r"enough for|away from|conceivable|alternative|hypothetical|"
    r"derived from|related to|based on|(?:confused|compete|competes) with)\s(?:the |an? |any |competing |"
    r"possible |usual |pure |alternative ){0,2}$",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|were it|had it been|suppose|supposing|would|might|could)\b[^.;,:\n]{0,50}$", re.I
)
_AFTER = re.compile(
    rf"[\"')*]{{0,3}}{_NOUN}(?:\s\([^()\n]{{0,60}}\))?,?\s(?:(?:is|are|was|were|would be|becomes?|seems|"
    rf"remains)\s(?:[a-z]+ly |much |very |too |also |therefore |thus |only |just )?"
    r"(?:disfavou?red|unlikely|unfavou?rable|suppressed|prevented|blocked|hindered|minor|an? minor|an? side|"
    r"less|slower|slow|impossible|negligible|excluded|out\b|rare|inaccessible|"
    r"disallowed|outcompeted|ruled|a competing|the competing|the alternative|inverted|reversed|only (?:an?|"
    r"the))"
    r"|(?:does|do|did|would|will|can|could)(?:n't|\snot)\b|cannot\b|can't\b|(?:would|could|might)\s[a-z]+|"
    r"competes\b|(?:we|one|you)\s(?:would|should|might|could)\s|(?:may|might)\s(?:also\s)?(?:accompany|"
    r"compete|occur|form|contribute)\b|is reversed)",
    re.I,
)
_NEEDS = re.compile(
    rf"[\"')*]{{0,3}}{_NOUN}\s(?:requires?|needs|usually|typically|normally|generally|often|reactions|"
    rf"mechanisms|complexes|means|proceeds? (?:via|through|by|with)|involves?)\b",
    re.I,
)
_GENERAL = re.compile(
    r"\b(?:ideal|regular|perfect|parent|starting|original|undistorted)\s$"
    r"|\b(?:related|analogous|similar|other|another|corresponding|comparable)\s(?:[a-z-]+\s){1,3}(?:is|are|"
    r"has|was)\s"
    r"(?:an?\s|the\s)?$",
    re.I,
)
_DEFINITE = re.compile(r"\bthe\s$", re.I)
_THING = re.compile(
    r"[ ](?:carbonyl|carbons?|atoms?|intermediate|cation|anion|carbocation|carbanion|solvent|solution|"
    r"compound|"
    r"substrate|ring|alkene|molecule|ion|ligand|metal|cent(?:re|er)|site|species|transition state|group|"
    r"electrons?|orbitals?|amine|alcohol|halide|ester|ketone|aldehyde)s?\b"
)
_TEST = re.compile(
    r"\b(?:decide|distinguish|choose|differentiate|compare|contrast|discriminate|options?|choices?|"
    r"possibilities|candidates|whether)\b[^.;\n]{0,60}$"
    r"|\b(?:possible|conceivable|potential|plausible|imaginable|common|competing)\s(?:[a-z]+\s){0,2}[a-z]{3,}s"
    r"(?:\s[a-z]+){0,3}?(?:\sare|\sinclude|:)\s[^.;\n]{0,60}$",
    re.I,
)
_VERSUS = re.compile(r"[\"')*]{0,2}\s?(?:vs\.?|versus|or)\s", re.I)


def is_passing(before: str, after: str) -> bool:
    """Whether a term between is only a competitor, a supposition or excluded."""
    return bool(_BEFORE.search(before) or _SUPPOSED.search(before) or _AFTER.match(after))


def is_aside(before: str, after: str) -> bool:
    """Whether a term between is said in general, of another thing, or as one of several to choose from."""
    attributive = _DEFINITE.search(before) and _THING.match(after)
    cues = (
        attributive,
        _NEEDS.match(after),
        _TEST.search(before),
        _VERSUS.match(after),
        _GENERAL.search(before),
    )
    return any(cue is not None for cue in cues)
