"""Checks of kind set: does an answer list the expected members, all of them and no others?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.answer.answer import Answer
from grader.answer.candidates import Candidate, Settled, settle
from grader.answer.marks import EXPLICIT
from grader.answer.notation import Text
from grader.formal.lists.anchors import Anchor, Items, Unknown
from grader.formal.lists.deciding import decide_listed, spans_of
from grader.formal.lists.further import DOUBT as FURTHER
from grader.formal.lists.reading import ListReading, found_runs, is_stated, listed
from grader.formal.lists.runs import Run
from grader.formal.outcome import decided, undetermined, unsettled
from grader.formal.registry import by
from grader.formal.structures.comparison import Relation
from grader.problem.checks import CheckModel, SetCheck
from grader.record import Finding, Reason, Rejected, Status

BY = by("set")


def decide(check: CheckModel, answer: Answer) -> Finding:
    """Decide a set check on one answer."""
    assert isinstance(check, SetCheck)

    def finding(text: Text, items: Items) -> Finding:
        return _Case(check, answer, text, items).finding()

    return decide_listed(BY, check, answer, finding)


def spans(check: SetCheck, answer: Answer) -> list[tuple[int, int]]:
    """The raw spans of the lists that an answer writes. Raises TooMany."""
    return spans_of(check, answer, 1)


@dataclass(frozen=True)
class _Case:
    """One check on one answer."""

    check: SetCheck
    answer: Answer
    text: Text
    items: Items

    @cached_property
    def _reading(self) -> ListReading:
        return ListReading(self.text, self.check.asked, self.answer.others)

    def finding(self) -> Finding:
        """The finding by the list that the answer settles on."""
        candidates = self._candidates()
        settled = self._settle(candidates)
        if settled.candidate is None:
            return self._all_wrong(settled) or unsettled(BY, settled, "list")
        finding = self._judge(settled.candidate, settled.rejected)
        if finding.status is Status.MET and self._outdone(settled):
            why = "another list is left open, and which is meant is not said"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, settled.rejected)
        if finding.status is Status.NOT_MET and any(map(self._contrasts, candidates)):
            why = "the answer sets the expected list against another, and which is meant is not said"
            return undetermined(BY, Reason.CONFLICTING_CANDIDATES, why, settled.rejected)
        return finding

    def _outdone(self, settled: Settled[Run]) -> bool:
        """Whether the list taken follows one that was only doubted for what may be added to it."""
        taken = settled.candidate
        assert taken is not None
        return taken.rank < EXPLICIT and any(
            one.why == FURTHER and one.end <= taken.start for one in settled.rejected
        )

    def _contrasts(self, item: Candidate[Run]) -> bool:
        """Whether the expected list is the other side of a contrast, with no label to tell which."""
        before, _ = self._reading.discourse.around(*item.plain)
        right = not self.check.asked and item.aside and self._relation(item.value)[0] is Relation.SAME
        return right and _CONTRAST.search(before) is not None

    def _candidates(self) -> list[Candidate[Run]]:
        runs = found_runs(self.text, self.items, self._reading, parallel=True)
        found = [part for run in runs for one in self._lines(run) if (part := _products(_affirmed(one)))]
        several = [one for one in listed(self.text, found, self._reading) if len(one.value.members) > 1]
        single = [
            one
            for one in listed(self.text, found, self._reading)
            if len(one.value.members) == 1 and is_stated(self.text, one, self._reading)
        ]
        if any(one.value.layout != "equation" for one in several):
            several = [replace(one, aside=one.aside or one.value.layout == "equation") for one in several]
        closed = [one for one in several if _UNFIT.match(self.text.plain, one.plain[1])]
        if closed and (single or len(closed) < len(several)):
            several = [replace(one, doubt=one.doubt or _CLOSED) if one in closed else one for one in several]
        if several and (len(closed) < len(several) or not single):
            single = [one for one in single if self._reading.placed(one).rank >= EXPLICIT]
        return [*several, *single]

    def _lines(self, run: Run) -> list[Run]:
        """A list of keyed lines as one, or each line by itself where a label says which is meant."""
        if not run.parts or not self.check.asked:
            return [run]
        spans = [[one for one in part if isinstance(one, Anchor)] for part in run.parts]
        return [
            replace(
                run,
                members=part,
                links=(",",) * (len(part) - 1),
                start=items[0].start,
                end=items[-1].end,
                parts=(),
            )
            for part, items in zip(run.parts, spans, strict=True)
            if items
        ]

    def _settle(self, candidates: Sequence[Candidate[Run]]) -> Settled[Run]:
        return settle(
            self.text,
            candidates,
            same=self._same,
            asked=self.check.asked,
            others=self.answer.others,
            cut=self.answer.cut,
            reading=self._reading,
        )

    def _same(self, one: Run, two: Run) -> bool:
        return one == two or (self._covers(one, two) and self._covers(two, one))

    def _covers(self, one: Run, two: Run) -> bool:
        """Whether each member of one list is in another."""
        return all(any(self._alike(a, b) for b in two.members) for a in one.members)

    def _alike(self, a: Anchor | Unknown, b: Anchor | Unknown) -> bool:
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return (
                isinstance(a, Unknown) and isinstance(b, Unknown) and a.text.casefold() == b.text.casefold()
            )
        return self.items.compare(a.value, b.value) is Relation.SAME

    def _relation(self, run: Run) -> tuple[Relation, str]:
        """How a list relates to the expected one, and the member that makes it so."""
        table = [[self._compare(one, member) for member in run.members] for one in self.items.expected]
        names = [self._shown(member) for member in run.members]
        extra = [
            name for index, name in enumerate(names) if all(row[index] is Relation.DIFFERENT for row in table)
        ]
        missing = [
            str(item)
            for item, row in zip(self.check.expected, table, strict=True)
            if all(one is Relation.DIFFERENT for one in row)
        ]
        if extra:
            return Relation.DIFFERENT, f"{extra[0]} is none of them"
        if missing:
            return Relation.DIFFERENT, f"{missing[0]} is missing"
        rows = all(Relation.SAME in row for row in table)
        columns = all(any(row[index] is Relation.SAME for row in table) for index in range(len(names)))
        return (
            (Relation.SAME, "every member agrees")
            if rows and columns
            else (Relation.UNSURE, "a member can't be compared")
        )

    def _compare(self, expected: object, member: Anchor | Unknown) -> Relation:
        if isinstance(member, Unknown):
            return Relation.DIFFERENT if self.items.closed else Relation.UNSURE
        return self.items.compare(expected, member.value)

    def _shown(self, member: Anchor | Unknown) -> str:
        return member.text if isinstance(member, Unknown) else self.text.plain[member.start : member.end]

    def _all_wrong(self, settled: Settled[Run]) -> Finding | None:
        """Not met where every list that the answer gives is wrong, whichever of them it means."""
        if settled.reason is not Reason.CONFLICTING_CANDIDATES or not self.answer.cut:
            return None
        wrong = [one for one in settled.rivals if self._relation(one.value)[0] is Relation.DIFFERENT]
        if len(wrong) < len(settled.rivals) or any(one.doubt for one in wrong) or self._joined_right(settled):
            return None
        return self._judge(wrong[-1], settled.rejected)

    def _joined_right(self, settled: Settled[Run]) -> bool:
        """Whether the lists in conflict would be the expected one together."""
        members = tuple(member for one in settled.rivals for member in one.value.members)
        whole = replace(settled.rivals[0].value, members=members)
        return self._relation(whole)[0] is not Relation.DIFFERENT

    def _judge(self, taken: Candidate[Run], rejected: tuple[Rejected, ...]) -> Finding:
        relation, why = self._relation(taken.value)
        shown = ", ".join(dict.fromkeys(self._shown(member) for member in taken.value.members))
        detail = f"{shown} against {', '.join(map(str, self.check.expected))}: {why}"
        if relation is Relation.DIFFERENT and self._one_line_right(taken.value):
            relation, detail = Relation.UNSURE, f"{detail}; which of its lines is meant is not said"
        if relation is Relation.UNSURE:
            found = undetermined(BY, Reason.NOT_COMPARABLE, detail, rejected)
            return replace(found, found=shown, evidence=taken.evidence)
        return decided(BY, relation is Relation.SAME, taken, detail, shown, rejected)

    def _one_line_right(self, run: Run) -> bool:
        """Whether one line of several would be the expected list."""
        return any(
            self._relation(replace(run, members=part))[0] is not Relation.DIFFERENT for part in run.parts
        )


_CLOSED = "what is closed to attack is no answer beside what isn't"
_UNFIT = re.compile(
    r"[)\]\"'*]{0,3}(?:\spositions?|\ssites?|\scarbons?)?\s(?:is|are|was|were)\s"
    r"(?:(?:already|both|all|each|thus|therefore|sterically|too)\s){0,2}"
    r"(?:blocked|occupied|taken|unavailable|inaccessible|unreactive|deactivated|disfavou?red|hindered|shielded|"
    r"substituted)\b",
    re.I,
)
_CONTRAST = re.compile(r"\b(?:whereas|while|whilst|in contrast)\b[^.;:\n]{0,60}$", re.I)
_DENIED = re.compile(
    r"^[\s:|*(—–-]{0,8}(?:no|not|none|absent|false|incorrect|wrong|excluded|never|✗|✘|❌)(?![A-Za-z])|[✗✘❌]",
    re.I,
)


def _affirmed(run: Run) -> Run:
    """A list in lines or a table without the members to which it says no."""
    if run.layout == "prose" or run.parts:
        return run
    kept = tuple(
        one for one, note in zip(run.members, run.notes, strict=True) if not _DENIED.search(note.strip())
    )
    return replace(run, members=kept, links=(",",) * (len(kept) - 1)) if kept else run


def _products(run: Run) -> Run | None:
    """A list, or what stands behind the last arrow of a reaction; a ranking is no set."""
    if any(link in "<>=" for link in run.links):
        return None
    if "->" not in run.links:
        return run
    cut = len(run.links) - run.links[::-1].index("->")
    left = run.members[cut:]
    first = left[0]
    start = first.start if isinstance(first, Anchor) else run.start
    return replace(
        run, members=left, links=run.links[cut:], notes=run.notes[cut:], start=start, layout="equation"
    )
