"""What audits need besides the rest of Argus."""

from __future__ import annotations

from importlib.util import find_spec

from grader.errors import SetupError

NEEDED = {
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "statsmodels": "statsmodels",
    "krippendorff": "krippendorff",
}
"""Packages by the modules that are looked for."""


def require_extra() -> None:
    """SetupError where a package of the extra ``audit`` is missing; to be called before any is imported."""
    missing = [name for module, name in NEEDED.items() if find_spec(module) is None]
    if missing:
        raise SetupError(
            "audits need packages that are not installed",
            got=f"no {', '.join(missing)}",
            do="Install them: pip install 'argus-rubric[audit]'.",
        )
