"""What audits need besides the rest of Argus."""

from __future__ import annotations

from grader.extras import require

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
    require("audits need", "audit", NEEDED)
