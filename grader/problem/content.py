"""Where the content folders lie: schemas, problems, judges, profiles, audits."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import grader
from grader.errors import SetupError


@cache
def content_root() -> Path:
    """The folder that holds ``schemas/``, ``problems/``, ``judges/``, ``profiles/`` and ``audits/``.

    ``ARGUS_CONTENT`` if it is set, else the copy inside an installed wheel,
    else the checkout that an editable install points to.
    """
    named = os.environ.get("ARGUS_CONTENT")
    package = Path(grader.__file__).parent
    places = [Path(named)] if named else [package / "_content", package.parent]
    for place in places:
        if (place / "schemas").is_dir():
            return place
    raise SetupError(
        "the content folders are missing",
        got=" and ".join(str(place) for place in places),
        expected="a folder that holds schemas/",
        do="Set ARGUS_CONTENT to the folder that holds them." if not named else "Correct ARGUS_CONTENT.",
    )
