"""Which conditions were run, and how far."""

from __future__ import annotations

import pandas as pd

from grader.record.flags import FLAGS
from grader.record.values import MODES, PROTOCOLS
from grader.stats.grid import CELL

COUNTS = ["problems", "subquestions", "responses", "failed", *FLAGS]


def census(cells: pd.DataFrame) -> pd.DataFrame:
    """A row for each model under every protocol and mode that any model was run under.

    Columns of the frame of cells: ``state`` (complete, partial, missing), the
    counts, ``missing`` (subquestions of the set without an answer). A cell that
    isn't in ``cells`` is missing: 0 everywhere, and all of the set's subquestions missing.
    """
    whole = (cells["subquestions"] + cells["missing"]).max() if len(cells) else 0
    every = pd.MultiIndex.from_product(
        [cells["model"].unique(), _in_order(cells["protocol"], PROTOCOLS), _in_order(cells["mode"], MODES)],
        names=CELL,
    )
    found = cells.set_index(CELL)[["state", *COUNTS, "missing"]].reindex(every)
    found = found.fillna({"state": "missing", "missing": whole, **dict.fromkeys(COUNTS, 0)})
    return found.astype(dict.fromkeys([*COUNTS, "missing"], int)).reset_index()


def _in_order(values: pd.Series[str], order: tuple[str, ...]) -> list[str]:
    seen = set(values)
    return [one for one in order if one in seen]
