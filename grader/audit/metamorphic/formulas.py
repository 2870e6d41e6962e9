"""Formulas one step away, oxidation states one apart, steps in another order, and LaTeX for Unicode."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.answer.notation import normalise
from grader.audit.metamorphic.entities import Entity, entities, formula_keys
from grader.audit.metamorphic.kind import Edit, Edits, Place, Unfit, in_math
from grader.audit.metamorphic.measured import is_whole
from grader.formal.formulas.tree import Formula, Unreadable, read_formula
from grader.formal.formulas.written import written
from grader.formal.oxidation.states import State
from grader.formal.variants.formulas import near_misses, spellings

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
_STATE = re.compile(r"(?P<roman>[IV]{1,4})|(?P<digits>[0-9])")
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    "→": "rightarrow", "⇌": "rightleftharpoons", "×": "times", "≈": "approx", "≤": "leq", "≥": "geq",
}  # fmt: skip
_POWERS = dict(zip("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789", strict=True))
_SYMBOL = re.compile(f"[{''.join(_GREEK)}][A-Za-z]?|[{''.join(_POWERS)}]+")
_SPACES = re.compile(r"\s+")


def edited(hows: tuple[str, ...], absent: str, *, charge: bool) -> Edits:
    """Formulas one edit away, in the answer's type; ``charge``: of another charge, else of other atoms."""

    def edits(place: Place) -> Iterator[Edit]:
        formula: Formula = place.entity.value
        _assert_whole(place)
        if any(mass is not None for _, mass in formula.composition):
            raise Unfit("the formula has an isotope, whose symbol can be a label")
        made = [one for one in near_misses(written(formula), place.seed()) if one.how in hows]
        fit = False
        for one in place.chance.sample(made, len(made)):
            other = read_formula(one.text)[0]
            same = (
                other.composition == formula.composition,
                other.charge == formula.charge,
            )
            if same != ((True, False) if charge else (False, True)):
                continue
            text = _typed(one.text, place)
            _assert_reads(place, text, other)
            fit = True
            yield Edit(text, f"{place.entity.text}: {one.how}, {one.text}", how=one.how)
        if not fit:
            raise Unfit(absent)

    return edits


def latex_formula(place: Place) -> Iterator[Edit]:
    """The formula in LaTeX."""
    _assert_whole(place)
    if place.in_math or place.in_code:
        raise Unfit("the formula is set in LaTeX or code already")
    text = next(one.text for one in spellings(written(place.entity.value)) if one.how == "LaTeX")
    _assert_reads(place, text, place.entity.value)
    yield Edit(text, f"{place.entity.text}: in LaTeX, {text}")


def _typed(text: str, place: Place) -> str:
    """A plain formula in the type of the answer."""
    made = {one.how: one.text for one in spellings(text)}
    if place.in_math:
        return made["LaTeX"].strip("$")
    return text if place.entity.text.isascii() or place.in_code else made["Unicode scripts"]


def _assert_whole(place: Place) -> None:
    if not is_whole(place.entity.text):
        raise Unfit("the formula is set in LaTeX that can't be cut out")
    if place.entity.text.endswith(("(s)", "(l)", "(g)", "(aq)")):
        raise Unfit("the formula has a state behind it")


def _assert_reads(place: Place, text: str, formula: Formula) -> None:
    """Unfit unless the new text, read by itself, has the composition and charge it should have."""
    try:
        read = read_formula(normalise(text).plain.strip())
    except Unreadable:
        raise Unfit("the rewritten formula can't be read back") from None
    if formula_keys(read[0]) != formula_keys(formula):
        raise Unfit("the rewritten formula isn't proved to be what it should be")


def oxidation_state(place: Place) -> Iterator[Edit]:
    """An oxidation state one more or one less."""
    state: State = place.entity.value
    found = _STATE.search(place.entity.text)
    if found is None or len(_STATE.findall(place.entity.text)) != 1:
        raise Unfit("the state is written in words")
    size = abs(int(state.value))
    fit = False
    for other in place.chance.sample([size + 1, size - 1], 2):
        if not 1 <= other <= len(_ROMAN):
            continue
        new = _ROMAN[other - 1] if found["roman"] else str(other)
        text = place.entity.text[: found.start()] + new + place.entity.text[found.end() :]
        _assert_state(place, text, other if state.value > 0 else -other)
        fit = True
        yield Edit(text, f"{place.entity.text}: another state, {text}")
    if not fit:
        raise Unfit("no neighbouring state can be written")


def _assert_state(place: Place, text: str, value: int) -> None:
    start = place.entity.start
    after = place.raw[:start] + text + place.raw[place.entity.end :]
    found = [one for one in entities(after, "oxidation state") if one.start == start]
    if len(found) != 1 or found[0].value.value != value or value == place.entity.value.value:
        raise Unfit("the rewritten state can't be read back")


def step_order(place: Place) -> Iterator[Edit]:
    """Two neighbouring steps swapped, their numbers left where they stand."""
    (low, middle), (again, high) = place.entity.value
    raw = place.raw
    text = raw[again:high] + raw[middle:again] + raw[low:middle]
    yield Edit(text, f"{raw[low:middle][:60]} and {raw[again:high][:60]}: swapped", (low, high))


def latex_symbols(place: Place) -> Iterator[Edit]:
    """Greek letters, arrows and powers around an entity in LaTeX, whatever stands outside of it already."""
    raw = place.raw
    low = raw.rfind("\n", 0, place.entity.start) + 1
    high = raw.find("\n", place.entity.end)
    high = len(raw) if high < 0 else high
    line = raw[low:high]
    if not _SYMBOL.search(line):
        raise Unfit("no Greek letter, arrow or power stands beside it in Unicode")
    if "`" in line:
        raise Unfit("the line holds code")
    text = _SYMBOL.sub(lambda found: _macro(found[0], inside=in_math(raw, low + found.start())), line)
    plain = [_SPACES.sub("", normalise(each).plain) for each in (line, text)]
    if plain[0] != plain[1]:
        raise Unfit("the rewriting isn't proved to read the same")
    yield Edit(text, f"{line.strip()[:60]}: symbols in LaTeX", (low, high))


def _macro(symbol: str, *, inside: bool) -> str:
    """A Unicode symbol, with the letter that is glued to it, in LaTeX: within mathematics or in its own."""
    if symbol[0] in _GREEK:
        text = rf"\{_GREEK[symbol[0]]} {symbol[1:]}" if inside or symbol[1:] else rf"\{_GREEK[symbol]}"
    else:
        text = f"^{{{''.join(map(_POWERS.__getitem__, symbol))}}}"
    return text if inside else f"${text}$"


def same_state(one: Entity, two: Entity) -> bool:
    """Whether two oxidation states are one, of the same element where both say whose."""
    ours, theirs = one.value, two.value
    return ours.value == theirs.value and (
        None in (ours.element, theirs.element) or ours.element == theirs.element
    )
