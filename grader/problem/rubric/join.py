"""Alternatives and lesser awards, joined to the parts that stand above them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from grader.problem.rubric.alternative import (
    Alternative,
    announces,
    either,
    joined,
    members_of,
    one_of,
    scoring,
    subset,
)
from grader.problem.rubric.draft import Entry, Header, Lesser, Line, Loose, line_of
from grader.problem.rubric.nodes import NativeNode, Place, close_to


def join(
    entries: Sequence[Entry], cues: Mapping[int, Alternative], lines: Sequence[Line]
) -> list[NativeNode]:
    """The top-level nodes in order; loose text becomes notes. ``entries`` are in the order of their lines."""
    joining = _Joining(lines)
    runs = [(index, list(run)) for index, run in groupby(entries, key=line_of)]
    while runs:
        index, here = runs.pop(0)
        later = [entry for line, run in runs if line not in cues for entry in run]
        cue = cues.get(index)
        if cue and scoring(joining.done):
            joining.alternative(cue, index, here)
        elif joining.waiting and (scoring(here) or any(isinstance(entry, Loose) for entry in here)):
            taken = joining.announced(index, here, later)
            runs = [(line, [entry for entry in run if id(entry) not in taken]) for line, run in runs]
        else:
            for entry in here:
                joining.add(entry, later)
    return joining.done


class _Joining:
    """The nodes so far, and the alternative that has been announced, if one has."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.done: list[NativeNode] = []
        self.waiting: Alternative | None = None
        self.heading: list[Place] = []

    def alternative(self, cue: Alternative, index: int, here: Sequence[Entry]) -> None:
        """Join a line that is an alternative, or remember that it announces one."""
        if announces(cue, here):
            self.waiting = cue
            self.heading = [Place(index, *entry.span) for entry in here if isinstance(entry, Loose)]
            return
        self.done = joined(self.done, cue, members_of(cue, here, self.done, self.lines[index]))
        self._keep(here)

    def announced(self, index: int, here: Sequence[Entry], later: Sequence[Entry]) -> set[int]:
        """Join what an earlier line announced; the identities of later entries that belong to it too."""
        cue = self.waiting
        assert cue is not None
        loose = next((entry for entry in here if isinstance(entry, Loose)), None)
        if loose is not None and not scoring(here):
            cue = replace(cue, pieces=loose.pieces)
        members = members_of(cue, here, self.done, self.lines[index])
        rest = scoring(later)
        whole = math.fsum(node.marks for node in scoring(self.done))
        route = close_to(math.fsum(node.marks for node in (*members, *rest)), whole)
        taken = rest if cue.scope == "one" and route else []
        first = replace(members[0], context=(*members[0].context, *self.heading))
        self.done = joined(self.done, cue, [first, *members[1:], *taken])
        self.waiting = None
        self._keep(here)
        return {id(node) for node in taken}

    def _keep(self, here: Sequence[Entry]) -> None:
        """Keep what modifies an alternative; "is also acceptable" has become the alternative itself."""
        nodes = (entry for entry in here if isinstance(entry, NativeNode) and not entry.scores)
        self.done.extend(node for node in nodes if node.flags != ("accepted",))

    def add(self, entry: Entry, later: Sequence[Entry]) -> None:
        """Take up one more entry."""
        if isinstance(entry, NativeNode):
            self.done.append(entry)
        elif isinstance(entry, Header):
            self.done.extend(entry.otherwise)
        elif isinstance(entry, Lesser):
            self._lesser(entry, later)
        elif chosen := subset(entry, self.done):
            self.done = one_of(self.done, chosen, entry)
        else:
            self.done.append(entry.source.note_of(entry.pieces))

    def _lesser(self, entry: Lesser, later: Sequence[Entry]) -> None:
        """A lesser award for a named answer joins the part above; for a flaw it is guidance."""
        node, change = entry.node, entry.modifier
        last = next((at for at in range(len(self.done) - 1, -1, -1) if self.done[at].scores), None)
        if last is None and not scoring(later):
            self.done.append(node)
        elif last is not None and self._joins(entry, self.done[last]):
            part = replace(node, marks=min(change.marks, self.done[last].marks))
            self.done[last] = either(self.done[last], part, {"alternatives", *change.flags})
        else:
            self.done.append(replace(node, kind="note", marks=0.0, answer_line=None, answer_span=None))

    @staticmethod
    def _joins(entry: Lesser, above: NativeNode) -> bool:
        """Whether a smaller award is for an answer of its own: it quotes one, or leaves it to the marker."""
        if entry.modifier.act == "discretion":
            return True
        return entry.firm and entry.modifier.marks < above.marks
