"""Hund's rule and Pauli's principle in configurations that are written orbital by orbital."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

DEGENERATE = {"s": 1, "p": 3, "d": 5, "f": 7, "t2g": 3, "eg": 2, "π": 2}
"""Orbitals of one energy."""
PAIRS = ("↑↓", "↓↑", "⇅", "⇵", "⥮", "↿⇂")


def breaks_hund(orbitals: Iterable[tuple[str, int]]) -> bool:
    """Whether electrons are paired in one orbital of a set, such as 2p, while another is empty.

    ``orbitals``: the set and the electrons of each orbital that is written by itself.
    """
    sets: defaultdict[str, list[int]] = defaultdict(list)
    for name, electrons in orbitals:
        sets[name].append(electrons)
    return any(_breaks(name, counts) for name, counts in sets.items())


def _breaks(name: str, counts: Sequence[int]) -> bool:
    occupied = sum(1 for count in counts if count)
    room = DEGENERATE["π" if "π" in name else name if name in DEGENERATE else name[-1]]
    return max(counts) > 2 or (max(counts) == 2 and occupied < room)


def breaks_rules(name: str, boxes: Sequence[Sequence[str]]) -> bool:
    """Whether boxes with arrows, each a list of single and paired ones, break either rule."""
    if any(len(box) > 1 for box in boxes) or len(boxes) > DEGENERATE[name]:
        return True
    drawn = [one for box in boxes for one in box]
    if len({one for one in drawn if one not in PAIRS}) > 1:
        return True
    return bool(drawn) and _breaks(name, [2 if one in PAIRS else 1 for one in drawn])
