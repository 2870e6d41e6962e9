"""What the desk needs besides the rest of Argus."""

from __future__ import annotations

from grader.extras import require

NEEDED = {"starlette": "starlette", "uvicorn": "uvicorn", "python_multipart": "python-multipart"}
"""Packages by the modules that are looked for."""


def require_extra() -> None:
    """SetupError where a package of the extra ``review`` is missing; to be called before any is imported."""
    require("the review desk needs", "review", NEEDED)
