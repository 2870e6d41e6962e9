"""Counts and lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """``1 problem``, ``1,234 problems``."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def listed(names: Iterable[str], most: int = 5) -> str:
    """Names in a sentence, the first few of many."""
    names = list(names)
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)
