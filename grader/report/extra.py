"""What reports need besides the rest of Argus."""

from __future__ import annotations

from importlib.util import find_spec

from grader.errors import SetupError

NEEDED = ("pandas", "pyarrow", "scipy", "matplotlib", "latex2mathml")


def require_extra() -> None:
    """SetupError where a package of the extra ``report`` is missing; to be called before any is imported."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise SetupError(
            "reports need packages that are not installed",
            got=f"no {', '.join(missing)}",
            do="Install them: pip install 'argus-rubric[report]'.",
        )
