"""Conversations longer than their model takes: an outcome to be recorded, as asking again can't change it."""

from __future__ import annotations

from grader.protocol.reader import FAILED as READER_FAILED
from grader.record import Response
from grader.record.flags import flags

NOT_ASKED = "not asked: since an earlier turn the conversation exceeds the context of the model"
"""The error of the turns behind one that overflowed; the flag ``overflow`` is read from it."""


def overflowed(response: Response) -> bool:
    """Whether its conversation ended so; a reader whose context overflowed may be asked something else."""
    return "overflow" in flags(response) and READER_FAILED not in (response.error or "")
