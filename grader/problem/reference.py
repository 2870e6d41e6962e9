"""The reference of all check kinds, docs/checks.md, generated from their models.

Run ``python -m grader.problem.reference`` in a checkout after a model has
changed; a test decides every example and fails while the page lags behind.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.problem.checks import KINDS, CheckModel, StructureModel
from grader.problem.content import content_root
from grader.problem.schema import problem_schema

PAGE = Path("docs") / "checks.md"

EXAMPLES: Mapping[str, tuple[dict[str, Any], str]] = {
    "smiles": ({"expected": "CC(=O)Oc1ccccc1C(=O)O"}, "Compound B is aspirin, `O=C(C)Oc1ccccc1C(O)=O`."),
    "inchi": ({"expected": "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"}, "InChIKey: LFQSCWFLJHTTHZ-UHFFFAOYSA-N"),
    "name": ({"expected": "2-methylpropan-2-ol"}, "The product is **tert-butanol**."),
    "formula": ({"expected": "[Co(NH3)5Cl]2+"}, r"The complex is $\ce{[CoCl(NH3)5]^2+}$."),
    "equation": (
        {"expected": "2 H2 + O2 -> 2 H2O"},
        r"$\mathrm{H_2(g) + \tfrac{1}{2}O_2(g) \rightarrow H_2O(l)}$",
    ),
    "reaction": ({"expected": "CCO.CC(=O)O>>CCOC(C)=O"}, "`CC(O)=O.OCC>OS(=O)(=O)O>CC(=O)OCC.O`"),
    "quantity": (
        {"expected": 58.0, "unit": "kJ/mol", "rel_tol": 0.03, "asked": ["Ea", "activation energy"]},
        "With T = 298 K and ln A = 21.7, Ea = 5.75 × 10^4 J mol⁻¹.",
    ),
    "expression": ({"expected": "k*[A]^2*[B]"}, r"rate $= k\,[\mathrm{B}][\mathrm{A}]^{2}$"),
    "integer": ({"expected": 3, "asked": ["unpaired electrons"]}, "Cr(III) is d3: three unpaired electrons."),
    "choice": ({"expected": "B", "choices": ["A", "B", "C", "D"]}, "Not A, which is meso. The answer is B."),
    "boolean": ({"expected": False, "statement": "the molecule is polar"}, "No, the dipoles cancel."),
    "set": ({"expected": [2, 4], "items": "locant"}, "Substitution takes place at C-4 and C-2."),
    "sequence": (
        {"expected": ["HF", "HCl", "HBr", "HI"], "items": "formula", "order": "increasing acidity"},
        "Acidity: HI > HBr > HCl > HF",
    ),
    "electron_configuration": (
        {"expected": "[Ar] 3d5 4s1", "subject": "Cr"},
        "Cr: 1s² 2s² 2p⁶ 3s² 3p⁶ 3d⁵ 4s¹",
    ),
    "oxidation_state": ({"expected": 7, "element": "Mn"}, "In MnO4⁻ the oxidation state of Mn is +VII."),
    "label": ({"expected": "C2v", "label_kind": "point_group"}, r"The point group is $C_{2v}$."),
}
"""A check of each kind and an answer that meets it."""

_INTRO = """# Check kinds

A check is the part of a formal point that code decides: `{"kind": ..., "expected": ..., options}`. Where an
option is left out, the strict reading of chemistry holds. An answer may state its value anywhere in its
prose; the finding says which candidate was taken, which were left aside and why. What the answer's own
notation can't settle is undetermined, never guessed.

Try one: `argus check KIND EXPECTED ANSWER -o OPTION=VALUE`. See what your points grant and refuse:
`argus problems proof SET`.

This page is generated from `grader/problem/checks.py`, and every example is decided by the tests.
"""
_STRUCTURES = """## Options of structures

`smiles`, `inchi`, `name` and `reaction` compare structures, and share these options.
"""


def reference() -> str:
    """The page."""
    parts = problem_schema()["$defs"]
    models = {_kind(model): model for model in _models(CheckModel)}
    shared = _rows(parts["SmilesCheck"]["properties"], StructureModel, CheckModel)
    asked = _rows(parts["SmilesCheck"]["properties"], CheckModel)
    lines = [_INTRO, "## Options of every kind\n", *_table(asked), "", _STRUCTURES, *_table(shared)]
    for kind in KINDS:
        lines += ["", *_section(kind, models[kind], parts[models[kind].__name__])]
    return "\n".join(lines) + "\n"


def _models(base: type[CheckModel]) -> Iterator[type[CheckModel]]:
    for model in base.__subclasses__():
        if "expected" in model.model_fields:
            yield model
        yield from _models(model)


def _kind(model: type[CheckModel]) -> str:
    (kind,) = model.model_fields["kind"].annotation.__args__  # type: ignore[union-attr]  # a Literal
    return str(kind)


def _section(kind: str, model: type[CheckModel], part: dict[str, Any]) -> Iterator[str]:
    check, answer = EXAMPLES[kind]
    yield f"## {kind}\n"
    yield f"{model.__doc__}\n"
    yield "```json"
    yield json.dumps({"kind": kind, **check}, ensure_ascii=False)
    yield "```\n"
    yield f"is met by: {answer}"
    base = StructureModel if issubclass(model, StructureModel) else CheckModel
    rows = _rows(part["properties"], model, base)
    if rows:
        yield ""
        yield from _table(rows)


def _rows(
    properties: Mapping[str, Any], model: type[CheckModel], base: type[CheckModel] | None = None
) -> list[tuple[str, str, str, str]]:
    """The options that a model adds to its base."""
    known = {"kind", "expected", *(base.model_fields if base else ())}
    names = [name for name in model.model_fields if name not in known]
    return [(name, *_values(properties[name]), properties[name].get("description", "")) for name in names]


def _values(field: Mapping[str, Any]) -> tuple[str, str]:
    """What a field may hold, and its default."""
    choices = field.get("enum") or next(
        (one["enum"] for one in field.get("anyOf", ()) if "enum" in one), None
    )
    if choices:
        values = ", ".join(f"`{choice}`" for choice in choices)
    else:
        types = [one.get("type") for one in field.get("anyOf", (field,))]
        values = " or ".join(str(one) for one in types if one != "null")
    default = field.get("default")
    return values, "" if default in (None, [], {}) else f"`{_shown(default)}`"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _table(rows: list[tuple[str, str, str, str]]) -> Iterator[str]:
    yield "| option | values | default | meaning |"
    yield "| --- | --- | --- | --- |"
    for name, values, default, meaning in rows:
        yield f"| `{name}` | {values} | {default} | {meaning.replace('``', '`').replace('|', '&#124;')} |"


def main(arguments: list[str]) -> int:
    """Write the page; with ``--check`` only say whether it lags behind (exit 1)."""
    page = content_root() / PAGE
    if arguments != ["--check"]:
        page.write_text(reference(), "utf-8")
        return 0
    if page.is_file() and page.read_text("utf-8") == reference():
        return 0
    sys.stderr.write(f"behind the models: {PAGE}; run make fix\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
