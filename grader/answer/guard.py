"""A cheap look for what a costly pattern can't match without."""

from __future__ import annotations


def stems(words: str) -> tuple[str, ...]:
    """Lower-case stems, separated by white space."""
    return tuple(words.split())


def may_match(text: str, needed: tuple[str, ...]) -> bool:
    """Whether a text holds any of the stems that each branch of a pattern needs, in whatever case.

    A pattern of many phrases is tried at every word; most texts hold none of its stems.
    """
    return any(map(text.casefold().__contains__, needed))
