"""What the desk needs besides the rest of Argus."""

from __future__ import annotations

from importlib.util import find_spec

from grader.errors import SetupError

NEEDED = {"starlette": "starlette", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}
"""Packages by the modules that are looked for."""


def require_extra() -> None:
    """SetupError where a package of the extra ``review`` is missing; to be called before any is imported."""
    missing = [name for module, name in NEEDED.items() if find_spec(module) is None]
    if missing:
        raise SetupError(
            "the review desk needs packages that are not installed",
            got=f"no {', '.join(missing)}",
            do="Install them: pip install 'argus-rubric[review]'.",
        )
