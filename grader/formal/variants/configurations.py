"""Other ways to write an electron configuration, and configurations that are close to it and wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from grader.answer.notation import normalise
from grader.formal.configurations.occupation import (
    CAPACITY,
    CORES,
    Configuration,
    Family,
    core_electrons,
    read,
)
from grader.formal.variants.variant import Variant
from grader.problem.checks import ElectronConfigurationCheck

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FILLED = "1s 2s 2p 3s 3p 4s 3d 4p 5s 4d 5p 6s 4f 5d 6p 7s 5f 6d 7p"
_MADELUNG = _FILLED.split()

Sets = Sequence[tuple[str, int]]
Spell = Callable[[str, int], str]


def equivalents(expected: str, seed: int = 0) -> Iterator[Variant]:
    """The expected configuration in other notations and orders, core long or short. Raises ValueError."""
    configuration = _read(expected)
    random = Random(seed)
    for how, (core, sets) in _arranged(configuration, random):
        for name, (spell, join) in _SPELLINGS.items():
            latex = name == "LaTeX"
            text = join.join([*_core(core, latex), *(spell(*one) for one in sets)])
            yield Variant(f"${text}$" if latex else text, f"{how}, {name}", "latex" if latex else "")


def near_misses(expected: str, seed: int = 0) -> Iterator[Variant]:
    """Configurations with an electron moved, lost or gained, or a shell renamed. Raises ValueError."""
    configuration = _read(expected)
    random = Random(seed)
    right = configuration.counts
    core, outer = _shortened(configuration)
    for how, sets in _changed(configuration.family, list(outer)):
        if configuration.family is Family.TETRAHEDRAL and len(sets) < 2:
            continue
        changed = dict([*(core_electrons(core) if core else ()), *sets])
        if {name: count for name, count in changed.items() if count} == right or not sets:
            continue
        name = random.choice(list(_SPELLINGS))
        spell, join = _SPELLINGS[name]
        latex = name == "LaTeX"
        text = join.join([*_core(core, latex), *(spell(*one) for one in sets)])
        yield Variant(f"${text}$" if latex else text, how, "latex" if latex else "")


def equivalent_configurations(check: ElectronConfigurationCheck, seed: int = 0) -> Iterator[Variant]:
    """Right answers to a check. Raises ValueError."""
    return equivalents(check.expected, seed)


def near_configurations(check: ElectronConfigurationCheck, seed: int = 0) -> Iterator[Variant]:
    """Wrong answers to a check. Raises ValueError."""
    return near_misses(check.expected, seed)


def _read(expected: str) -> Configuration:
    found = read(normalise(expected).plain)
    if len(found) != 1:
        raise ValueError(f"{expected!r} is no electron configuration")
    return found[0].value


def _ordered(sets: Sets, family: Family) -> list[tuple[str, int]]:
    return sorted(sets, key=lambda one: _MADELUNG.index(one[0])) if family is Family.ATOM else list(sets)


def _shortened(configuration: Configuration) -> tuple[str, list[tuple[str, int]]]:
    """The largest noble gas inside, and what is outside of it."""
    sets = configuration.counts
    for symbol in reversed(CORES) if configuration.family is Family.ATOM else ():
        core = dict(core_electrons(symbol))
        if len(core) < len(sets) and all(sets.get(name) == count for name, count in core.items()):
            outer = [(name, count) for name, count in sets.items() if name not in core]
            return symbol, _ordered(outer, configuration.family)
    return "", _ordered(list(sets.items()), configuration.family)


def _arranged(configuration: Configuration, random: Random) -> Iterator[tuple[str, tuple[str, Sets]]]:
    core, outer = _shortened(configuration)
    yield "short", (core, outer)
    yield "in another order", (core, random.sample(outer, len(outer)))
    yield "by shells", (core, sorted(outer))
    if configuration.family is Family.ATOM:
        if configuration.whole:
            yield "written out", ("", _ordered(list(configuration.counts.items()), configuration.family))
        if all(name != "7p" for name, _ in outer):
            yield "with an empty subshell", (core, [*outer, ("7p", 0)])


def _core(symbol: str, latex: bool) -> list[str]:
    if not symbol:
        return []
    return [rf"[\mathrm{{{symbol}}}]" if latex else f"[{symbol}]"]


def _bracketed(name: str) -> str:
    return f"({name})" if name[0] in "σπδ" or name[1:2] in "σπδ" else name


def _latex(name: str, count: int) -> str:
    if name[0] in "σπδ":
        star = "^{*}" if "*" in name else ""
        letter = {"σ": r"\sigma", "π": r"\pi", "δ": r"\delta"}[name[0]]
        return rf"({letter}{star}_{{{name.lstrip('σπδ*')}}})^{{{count}}}"
    if name[0].isdigit() and name[1] in "spdfg":
        return f"{name}^{{{count}}}"
    if name[0].isdigit():
        letter = {"σ": r"\sigma", "π": r"\pi", "δ": r"\delta"}[name[1]]
        return rf"{name[0]}{letter}_{{{name[2:]}}}^{{{count}}}"
    return f"{name[0]}_{{{name[1:]}}}^{{{count}}}" if name[1:] else f"{name}^{{{count}}}"


def _unicode(name: str, count: int) -> str:
    if name[0] in "te":
        return name[0] + name[1:].translate(_LOWERED) + str(count).translate(_RAISED)
    return _bracketed(name) + str(count).translate(_RAISED)


_SPELLINGS: dict[str, tuple[Spell, str]] = {
    "Unicode scripts": (_unicode, " "),
    "run together": (_unicode, ""),
    "carets": (lambda name, count: f"{_bracketed(name)}^{count}", " "),
    "LaTeX": (_latex, r"\,"),
    "HTML": (lambda name, count: f"{_bracketed(name)}<sup>{count}</sup>", " "),
}


def _changed(family: Family, sets: list[tuple[str, int]]) -> Iterator[tuple[str, Sets]]:
    """The outer part with one thing wrong."""
    for index, (name, count) in enumerate(sets):
        others = [*sets[:index], *sets[index + 1 :]]
        yield f"{name} one electron short", [*others, (name, count - 1)]
        if family is not Family.ATOM or count < CAPACITY[name[1]]:
            yield f"{name} one electron over", [*others, (name, count + 1)]
        if others:
            yield f"{name} left out", others
        for other, electrons in others:
            room = family is not Family.ATOM or electrons < CAPACITY[other[1]]
            if room and count:
                rest = [one for one in others if one[0] != other]
                yield (
                    f"an electron moved from {name} to {other}",
                    [*rest, (name, count - 1), (other, electrons + 1)],
                )
        if family is Family.ATOM:
            shell = f"{int(name[0]) + 1}{name[1:]}"
            if shell not in dict(sets):
                yield f"{shell} for {name}", [*others, (shell, count)]
