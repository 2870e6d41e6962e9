"""Symbols of chemistry: one canonical spelling each, and which spellings mean the same symbol.

A symbol is a letter (or Δ and a letter) with what stands below it and a mark
(``°``, ``‡``, ``'``) behind: ``k_{obs}``, ``k_obs`` and ``kobs`` are ``kobs``.
Letters keep their case: k is a rate constant, K an equilibrium constant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from grader.answer.latex import GREEK

_MULTI_LETTER = (
    "Ea Ka Kb Kw Kc Kp Kd Ki Km KM Kf Ksp Keq Kn Kx kcat kobs keff kf kr kb Cp Cv CV CP Vmax vmax Vm "
    "vm Tm Tb Tf Tc pH pOH pKa pKb pKw pI pK NA kB kb Eh EF Et ET Ecell Eact Kstab mu nu lambda tau "
    "rho sigma theta phi alpha beta gamma delta epsilon kappa omega pi chi psi eta xi zeta Qp Qc "
    "Tmax tmax cA cB pA pB eV BM μB"
)
MULTI_LETTER = frozenset(_MULTI_LETTER.split())
"""Names of several letters that chemists write without a subscript."""
UNITS = frozenset(["M", "s", "J", "K", "L", "m", "g", "V", "C", "N", "W", "A", "h", "kJ", "Pa", "Hz"])
"""Symbols that make a number with a unit of what is no expression."""
SURE_UNITS = frozenset(["eV", "BM", "μB"])
"""Units that no product of symbols is written like."""
RATE_UNITS = frozenset(["M", "s", "L", "J", "kJ", "Pa"])
"""Units that may be symbols."""
CONSTANTS = frozenset(["R", "F", "h", "NA", "kB", "pi", "N_A", "ħ", "e0", "ε0", "π"])
"""Names with one meaning only: no answer calls another quantity so."""
FUNCTIONS = {
    "exp": "exp", "ln": "ln", "log": "log10", "lg": "log10", "log10": "log10", "sqrt": "sqrt", "abs": "abs",
    "sin": "sin", "cos": "cos", "tan": "tan",
}  # fmt: skip
_WORDS = (
    "a an as at am and any all are be but by can do for has had he her his how if in is it its let "
    "may me my nor not no now of off on one or our out own per put say see set she so sum than that "
    "the then they this thus to too two up us use via was way we who why with you yes i.e e.g eg ie "
    "vs cf if get got from into both each only also same Thus Then Now For The And With Let So If In "
    "At It We As By To Of On Or Is An No Here Hence law rate new old low high big ion gas acid base "
    "step fast slow unit mol min sec"
)
_NOT_SYMBOLS = frozenset(_WORDS.split())
_GREEK_WORD = re.compile(r"\\?(?:" + "|".join(sorted(GREEK, key=len, reverse=True)) + r")(?![a-z])")
_COMMAND = re.compile(r"\\[A-Za-z]+\s?|\\[,;:! ]|[{}$_^\s~]")
_STATE = re.compile(r"\((?:aq|s|l|g)\)$")
_SPECIES = re.compile(r"[A-Za-z(\[•·*][A-Za-z0-9()\[\]•·.'*,-]{0,40}?(?:[0-9]{0,2}[+-])?")
_INITIAL = frozenset(["0", "o", "init", "initial", "in", "start"])
_AT_EQUILIBRIUM = frozenset(["eq", "eqm", "equil", "equilibrium"])


def plain(raw: str) -> str:
    """LaTeX or Unicode scripts of a name on the line: ``\\mathrm{H_3O^+}`` is ``H3O+``."""
    spelled = _GREEK_WORD.sub(
        lambda match: GREEK[match.group().lstrip("\\")] if match.group()[0] == "\\" else match.group(), raw
    )
    spelled = re.sub(r"\\(?:cdot|bullet|centerdot)", "·", spelled)
    spelled = re.sub(r"\\(?:circ|ominus|degree|standardstate)", "°", spelled)
    spelled = re.sub(r"\\(?:ddagger|ddag|neq|ne)(?![a-z])", "‡", spelled)
    spelled = re.sub(r"\\prime|[’′]", "'", spelled)
    spelled = re.sub(r"\\(max|min)(?![a-z])", r"\1", spelled)
    spelled = _COMMAND.sub("", re.sub(r"</?su[bp]>|\*\*|\\(?:left|right)(?![a-z])", "", spelled))
    spelled = unicodedata.normalize("NFKC", spelled)
    return (
        re.sub("[\u2212\u2010-\u2015]", "-", spelled)
        .replace("⊖", "°")
        .replace("⦵", "°")
        .replace("∆", "Δ")
        .replace("ϕ", "φ")
    )


def concentration(inside: str) -> str | None:
    """The canonical name of what stands in square brackets; None where they only group."""
    if re.search(r"\s[+*/·-]\s|\\cdot\s|\\frac|[*/]", inside) and not re.search(
        r"[•·*]\s*$|^\s*[•·*]", inside
    ):
        return None
    species = _STATE.sub("", plain(inside))
    if not species or not _SPECIES.fullmatch(species):
        return None
    return f"[{species.replace('[', '').replace(']', '')}]"


def subscripted(name: str, below: str) -> str:
    """A name with what stands below it."""
    below = below.strip("(),")
    if name.startswith("["):
        if below.lower() in _AT_EQUILIBRIUM:
            return name
        return name + ("0" if below.lower() in _INITIAL else below)
    return name + below


def is_word(run: str) -> bool:
    """Whether a run of letters is a word of English that is never a symbol."""
    return run in _NOT_SYMBOLS


_LOGARITHMS = ("h", "oh", "k", "ka", "kb", "kw", "i")
"""What a p before it makes a logarithm."""


_GROUPS = tuple(
    (re.compile(short), long)
    for short, long in (
        (r"^\[HO-\]", "[OH-]"),
        (r"^\[NC-\]", "[CN-]"),
        (r"^\[NCS-\]", "[SCN-]"),
        (r"^\[(?:AcO-|-?OAc-?)\]", "[CH3COO-]"),
        (r"^\[(?:AcOH|HOAc)\]", "[CH3COOH]"),
        (r"CO2(?=H\b|-\]|Me|Et|CH|C2)", "COO"),
        (r"(?:t-?|tert-)Bu(?![a-z])", "(CH3)3C"),
        (r"i-?Pr(?![a-z])", "(CH3)2CH"),
        (r"Me(?=[2-4])", "(CH3)"),
        (r"Me(?![a-z0-9])", "CH3"),
        (r"(?:Et|CH3CH2)(?![a-z0-9])", "C2H5"),
        (r"Ph(?![a-z])", "C6H5"),
    )
)
"""Groups of organic species, short and written out (IUPAC Blue Book 2013, P-29)."""


def _folded(name: str) -> str:
    """A name without the differences of spelling that never tell two symbols apart."""
    name = name.replace("°", "").replace("⊖", "")
    if name.startswith("["):
        # hydronium is the proton in water, and a time below a concentration only says that it varies
        name = {"[H3O+]": "[H+]", "[H3O+]0": "[H+]0"}.get(name, name)
        for short, long in _GROUPS:
            name = short.sub(long, name)
        return re.sub(r"\]t$", "]", name)
    if name.startswith("Δ"):
        name = re.sub(
            r"^Δ(?:rxn|r)(?=[A-Z])|(?<=^Δ[A-Z])(?:rxn|r)$",
            lambda match: "Δ" * match.group().startswith("Δ"),
            name,
        )
        return name
    head, rest = name[:1], name[1:].lower()
    if head in "cCpP" and rest not in _LOGARITHMS:
        head = head.upper()
    return head + {"act": "a", "init": "0", "o": "0", "(0)": "0"}.get(rest, rest)


def _loose(name: str) -> str:
    """A name without brackets and without a subscript that says nothing."""
    if name == "kB":
        # Boltzmann's constant stands without its index in his own formula
        return "k"
    name = _folded(name)
    name = re.sub(r"^\[([A-Za-z0-9]+)\](0?)$", r"\1\2", name)
    if name[:1] == "E" and name[1:] in ("a", "cell"):
        return "E"
    if name in ("Keq", "K"):
        return "K"
    return name


_STANDARD = re.compile(r"(Δ[a-z]*[A-Z]|[EGHSUKμ])([A-Za-z]*)(?:[0o]|°)")


def _as_standard(name: str) -> str:
    """A standard quantity with its mark, which may also be a zero: ``E0`` and ``E°``."""
    parts = _STANDARD.fullmatch(name)
    return f"{parts[1]}{parts[2]}°" if parts else name


def _as_concentration(name: str) -> str:
    """``c_A`` and ``C_A0`` as ``[A]`` and ``[A]0``, both amount concentrations (IUPAC Green Book)."""
    parts = re.fullmatch(r"[cC]([A-Z][A-Za-z0-9+-]*?)(0?)", name)
    return _folded(f"[{parts[1]}]{parts[2]}") if parts else name


@dataclass(frozen=True)
class Vocabulary:
    """The symbols that a check knows, with the spellings that it accepts."""

    names: frozenset[str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Canonical spelling of an alias -> name."""

    @cached_property
    def spellings(self) -> frozenset[str]:
        """Every canonical spelling of a known symbol."""
        return self.names | frozenset(self.aliases)

    @cached_property
    def _by_fold(self) -> dict[str, str | None]:
        return _unique((_folded(name), self.aliases.get(name, name)) for name in self.spellings)

    @cached_property
    def _by_standard(self) -> dict[str, str | None]:
        return _unique((_as_standard(name), self.aliases.get(name, name)) for name in self.spellings)

    @cached_property
    def _by_loose(self) -> dict[str, str | None]:
        return _unique((_loose(name), self.aliases.get(name, name)) for name in self.spellings)

    def known(self, name: str) -> str | None:
        """The known symbol that a name means by itself."""
        if name in self.spellings:
            return self.aliases.get(name, name)
        return self._by_fold.get(_folded(name))

    def resolve(self, used: Iterable[str]) -> dict[str, str]:
        """The known symbol that each name of an expression means; a name that means none keeps its own.

        Two names of one expression never come to mean one symbol unless they are its declared spellings.
        """
        found: dict[str, str] = {}
        rest = []
        for name in sorted(used):
            if name in self.aliases or name in self.names:
                found[name] = self.aliases.get(name, name)
            else:
                rest.append(name)
        for table, fold in (
            (self._by_standard, _as_standard),
            (self._by_fold, _folded),
            (self._by_loose, _loose),
            (self._by_fold, _as_concentration),
        ):
            for name in [one for one in rest if one not in found]:
                target = table.get(fold(name))
                if target is not None and target not in found.values():
                    found[name] = target
        return {**{name: name for name in rest}, **found}


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    table: dict[str, str | None] = {}
    for key, name in pairs:
        table[key] = name if table.get(key, name) == name else None
    return table


_INDEX = re.compile(r"(.*?)([0-9]*)")


def is_later(name: str, other: str) -> bool:
    """Whether a name is a later value of the quantity that another names: ``T2`` of ``T1``."""
    one, two = _INDEX.fullmatch(name), _INDEX.fullmatch(other)
    if one is None or two is None or one[1] != two[1] or not two[2]:
        return False
    return int(one[2]) > int(two[2]) if one[2] else int(two[2]) == 0


_ABBREVIATED = re.compile(r"(Δ?[A-Za-zΑ-Ωα-ω])(.*)")


_DESCRIBED = re.compile(r"\[(?:[A-Za-z]*-[A-Za-z]{2,}|[a-z]{4,}|[A-Z][a-z]{2,})\]0?")


def _is_described(name: str) -> bool:
    """Whether a concentration is of what is named by a word or a placeholder, and not by its formula."""
    return _DESCRIBED.fullmatch(name) is not None


def may_be_renamed(name: str, missing: str) -> bool:
    """Whether an unknown name could be another spelling of a missing one.

    Species and constants have one name; two different subscripts on one letter say two things.
    """
    if missing in CONSTANTS or name in CONSTANTS:
        return False
    if name.startswith("[") or missing.startswith("["):
        both = name.startswith("[") and missing.startswith("[")
        same = name.rstrip("0t").lower() == missing.rstrip("0t").lower()
        return both and (same or _is_described(name))
    one, two = _ABBREVIATED.match(name), _ABBREVIATED.match(missing)
    if one is None or two is None:
        return True
    same_letter = one[1] == two[1]
    return not (same_letter and one[2] and two[2] and one[2].lower() != two[2].lower())
