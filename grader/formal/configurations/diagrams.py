"""Orbital diagrams: arrows in boxes or on lines behind the name of their subshell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.formal.configurations.hund import PAIRS, breaks_rules
from grader.formal.configurations.occupation import CORE, Configuration, Family, Written, core_electrons

_ARROWS = "↑↓⇅⇵⥮↿⇂"
_BOXES = rf"[{_ARROWS}_\[\]()|□○—–\-/,·]"
_SUBSHELL = (
    rf"(?P<name>[1-8][spdf]|t_?2_?g|e_?g)(?![A-Za-z0-9^(])[ ]{{0,2}}[:=]?[ ]{{0,3}}"
    rf"(?P<boxes>{_BOXES}(?:[ ]{{0,3}}{_BOXES}){{0,40}})"
)
_LABELLED = re.compile(_SUBSHELL)
_OPENED = re.compile(CORE + r"[\s:|,]{0,4}$")
_GAP = re.compile(r"[\s|;,*`-]{0,12}")
_CELL = re.compile(r"[\[(|]([^\[\]()|]*)(?=[\])|])")
_DRAWN = re.compile(rf"{'|'.join(PAIRS)}|[{_ARROWS}]")
_ARROW = re.compile(f"[{_ARROWS}]")


def diagrams(plain: str) -> list[Written]:
    """Every orbital diagram of a text, in order; one without an arrow is none."""
    found: list[Written] = []
    group: list[re.Match[str]] = []
    for match in _LABELLED.finditer(plain):
        if group and not _GAP.fullmatch(plain, group[-1].end(), match.start()):
            found.extend(_made(plain, group))
            group = []
        group.append(match)
    found.extend(_made(plain, group))
    return found


def _made(plain: str, group: list[re.Match[str]]) -> Iterator[Written]:
    if not any(_ARROW.search(match["boxes"]) for match in group):
        return
    core = _OPENED.search(plain, max(0, group[0].start() - 24), group[0].start())
    counts = dict(core_electrons(core["core"])) if core else {}
    broken = False
    for match in group:
        name = match["name"].replace("_", "")
        boxes = _drawn(match["boxes"])
        counts[name] = sum(2 if one in PAIRS else 1 for box in boxes for one in box)
        broken |= breaks_rules(name if name.endswith("g") else name[1], boxes)
    family = Family.OCTAHEDRAL if group[0]["name"].endswith("g") else Family.ATOM
    whole = family is not Family.ATOM or bool(core) or "1s" in counts
    start = core.start() if core else group[0].start()
    sets = tuple(sorted(counts.items()))
    yield Written(Configuration(family, sets, whole, broken=broken), start, group[-1].end())


def _drawn(boxes: str) -> list[list[str]]:
    """The arrows of each orbital that holds any."""
    cells = [one for one in _CELL.findall(boxes) if _ARROW.search(one)]
    if cells:
        return [_DRAWN.findall(one.replace(" ", "")) for one in cells]
    return [[one] for one in _DRAWN.findall(boxes)]
