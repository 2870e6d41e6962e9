"""What reports need besides the rest of Argus."""

from __future__ import annotations

from grader.extras import require

NEEDED = ("pandas", "pyarrow", "scipy", "matplotlib", "latex2mathml")


def require_extra() -> None:
    """SetupError where a package of the extra ``report`` is missing; to be called before any is imported."""
    require("reports need", "report", {name: name for name in NEEDED})
