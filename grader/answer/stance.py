"""What a response does with a value: asserts it, doubts it, denies it, or takes it back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from grader.answer.discourse import Spans, clauses, sentences
from grader.answer.frames import any_of as _any
from grader.answer.frames import attributed, mistaken
from grader.answer.guard import may_match, stems
from grader.answer.hypotheses import CUES, one_of_several, supposed
from grader.answer.withheld import (
    IN_CLAUSE,
    SMALL_WORDS,
    denied_claim,
    of_the_reverse,
    on_condition,
    only_nearly,
    overcome,
    twice_hedged,
    unsure,
)


class Stance(StrEnum):
    """How a response stands to one candidate."""

    ASSERTED = "asserted"
    HEDGED = "hedged"
    NEGATED = "negated"
    RETRACTED = "retracted"


_DENIALS = _any(
    """not, never, neither, nor, cannot, rather than, instead of, in place of, other than, unlike, except,
    as opposed to, compared (?:with|to), in comparison (?:with|to), relative to, in contrast (?:with|to),
    contrary to, excluding, exclude, eliminates?, eliminating, rules? out, ruling out, ruled out,
    reject, rejecting, rejected, discard, without, far from, by no means, no longer, hardly, impossible,
    no way, (?:don't|do not|can't|cannot) (?:believe|buy|accept|expect|suppose),
    (?:opposite|reverse|converse|inverse|reciprocal|negative|mirror image|enantiomer) of,
    (?:similar|analogous) to,
    less (?:likely|probable|plausible), refuse to (?:say|accept|believe|call),
    anything but, everything but, all but, all except, deny, denies, (?<!no )doubt, doubtful,
    (?:false|wrong|untrue|incorrect) (?:that|to say)"""
)
_DENIED_BEFORE = re.compile(
    rf"(?:\b{_DENIALS}|n't|≠|!=)[\s:\"'(\[*]{{0,4}}{SMALL_WORDS}[\"'(\[*]{{0,3}}$", re.I
)
_DENIAL_STEMS = stems(
    """not n't ≠ != never neither nor rather instead place other unlike except opposed compar relative
    contrast contrary exclu eliminat rul reject discard without far means longer hardly impossible way
    opposite reverse converse inverse reciprocal negative mirror enantiomer similar analogous less
    refuse but deny denies doubt false wrong untrue incorrect"""
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|merely|simply)\b[^.;\n]{0,30}$", re.I)
_VERDICTS = _any(
    r"""wrong, incorrect, false, mistaken, impossible, ruled out, excluded, eliminated, rejected, discarded,
    unphysical, implausible, not (?:correct|right|possible|the answer|it|valid|true|accurate|quite
    right), not (?:quite|exactly)(?=\s*(?:[.;)]|$)),
    (?:has|have) to be (?:rejected|discarded|excluded|ruled out),
    (?:is|are|was)n't (?:correct|right|it(?!\s?\?)|possible|the (?:right |correct )?answer),
    (?:do|does|can)(?:n't| not|not) (?:fit|work|hold|match|apply), fails?(?! to),
    no longer, not(?=\s*(?:[.;)]|$)), cannot be, can't be,
    (?:contradicts?|inconsistent with|at odds with) (?:the )?(?:data|observations?|experiments?|evidence),
    an error, a mistake, a typo, too (?:high|low|large|small|big)"""
)
_COPULAS = _any(
    """is, was, are, were, would be, looks, seems, has been, have been, can be, must be, turns out to be,
    turned out to be"""
)
_NOUNS = (
    r"(?:\s(?!(?:and|or|but|so|as|since|because|while|whereas|which|that|who|if|when|where|than|any|all|every|"
    r"anything|everything|others?|the|rest|for|in|at|of|to|is|are|was|were)\b)[a-z-]{3,20}){1,2}"
)
"""What a number counts: "four stereocentres"."""
_WRONG_AFTER = re.compile(
    rf"^(?:,\s(?:which|who|that)\s[^,.;\n]{{1,60}}(?=,\s)|{_NOUNS}(?=\s{_COPULAS}\s|,\s(?:but\s)?not\s(?:quite|exactly)\b)"
    r"|\s\([^()\n]{1,40}\)(?=\s(?!(?:false|wrong|incorrect|mistaken)\b)))?"
    rf"[\"')\]*.,:]{{0,3}}\s{{0,2}}(?:[(,-]\s?)?"
    rf"(?:(?:which|that|this|it|and|but|but that|but this|but it)"
    rf"\s+)?"
    rf"(?:{_COPULAS}\s+)?(?:(?:both|all|clearly|obviously|therefore|thus|also|definitely|certainly|just|"
    rf"simply)\s+)?"
    rf"{_VERDICTS}\b",
    re.I,
)
_BOTH = re.compile(rf"\b(?:both|all|all of|each of)\b{IN_CLAUSE}{{0,60}}$", re.I)
_ONE_OF_THEM = r"(?:(?!\band\b)(?:[^.,;:\n]|[.,](?=\d)))"
_BOTH_WRONG = re.compile(
    rf"^(?:(?:{_ONE_OF_THEM}|,\s){{0,60}}\band\s)?{_ONE_OF_THEM}{{0,60}}?\b(?:is|are|was|were|seem|look)\s"
    rf"(?:both\s|all\s)?{_VERDICTS}\b",
    re.I,
)
_DENIED_AFTER = re.compile(
    r"^\s?\(\s?(?:no(?! [a-z])|wrong|incorrect|rejected|not (?:correct|right|possible))\b"
    r"|^(?:\sgroups?)?\s(?:is|are)\s(?:absent|missing)\b",
    re.I,
)
_ALSO_WRONG = re.compile(
    rf"\b{_VERDICTS}[^;\n]{{0,20}}?[.,;]?\s{{1,2}}(?:and\s|but\s)?"
    rf"(?:so|neither|nor|as|likewise|similarly)\s(?:is|are|was|were|does|do|did|has|have|must|can|will)\s"
    rf"{SMALL_WORDS}[\"'(\[*`]{{0,3}}$",
    re.I,
)
"""What is called wrong like another before it: "and so is"."""
_LIKEWISE = re.compile(
    r"\b(?:so|neither|nor|as|likewise|similarly) (?:is|are|was|were|does|do|did|has|have|must|can|will)\b"
)
_EARLIER_THOUGHT = re.compile(
    r"\b(?:(?:uncorrected|unrevised|provisional|tentative|outdated)\s+(?:value|result|version|number|one|formula|"
    r"structure|answer|guess)"
    rf"|(?:first|initial|original|earlier|naive|wrong|previous)\s+"
    rf"{_any('guess, thought, answer, estimate, attempt, idea, impression, instinct, try')}"
    rf"|i\s+(?:had\s+)?(?:at first|first|initially|originally|previously|mistakenly|wrongly|incorrectly|"
    rf"erroneously)\s+"
    rf"{_any('got, thought, guessed, wrote, said, had, assumed, obtained, found, calculated, took, read')}"
    rf"|i\s+(?:had\s+)?(?:at first|first|initially|originally|previously)\s+"
    rf"{_any('marked, chose, picked, selected, answered, ticked, circled, put')}"
    rf"|at first (?:glance|sight)|initially,? (?:i|it)\b|naively|mistakenly|erroneously|a common (?:mistake|"
    rf"error)"
    rf"|without (?:the |this )?correction"
    rf"|(?<!\bas ){_any('one, you, we, some, people, students')}\s+(?:might|could|may|often)\s+"
    rf"{_any('be tempted, think, expect, assume, guess, say')})\b(?:[^.;:\n]|\.(?=\d)){{0,60}}$",
    re.I,
)
_EARLIER_STEMS = stems(
    """error uncorrected unrevised provisional tentative outdated first initial original earlier naive
    wrong previous mistake erroneous incorrect without might could may often"""
)
_MODALS = _any(
    """could, might, may, possibly, perhaps, maybe, can't decide, cannot decide, unsure, not sure,
    uncertain, unclear, undecided, hopefully,
    conceivably, i guess, guessing, hard to say, whether (?!or not), either,
    torn, not certain, don't know"""
)
_REASONED = _any(
    """calculate, compute, deduce, conclude, find, derive, obtain, determine, infer, express, solve, evaluate,
    read, write, show, see, take, use"""
)
_ABLE_TO = (
    rf"(?:could|can|may|might)\s(?:(?:now|then|also|thus|therefore|easily)\s)?"
    rf"(?:{_REASONED}|be\s(?:\w+ly\s)?(?:{_REASONED}[en]?d?|found|shown|written|taken|solved|seen|read)\b)"
)
"""What a calculation is able to do, said politely: "the pH may be calculated as"."""
_MODAL_BEFORE = re.compile(
    rf"(?<!\bas one )(?<!\bas you )(?<!\bas we )\b(?!{_ABLE_TO}){_MODALS}\b{IN_CLAUSE}{{0,60}}$"
    r"|\bbetween\s(?:\S{1,40}\s(?:and|or)\s)?[\"'(\[]{0,2}$",
    re.I,
)
_MODAL_STEMS = stems(
    """could might may possibl perhaps decide not n't unsure uncertain unclear hopefully conceivabl guess
    hard whether either torn between"""
)
_ASSUMED = re.compile(
    r"\b(?:assum(?:e|ing)|suppos(?:e|ing)|let|let's say|pretend)\s+(?:that\s+)?"
    r"(?:(?:the\s+)?[A-Za-z_0-9()]{1,14}\s?(?:=|is|were|was|be)\s?)?$",
    re.I,
)
_DOUBTS = _any(
    """perhaps, maybe, possibly, i guess, no (?:real )?idea, (?:just |only )?a (?:wild |pure |mere )?guess,
    (?:but )?(?:i am|i'm) not (?:sure|certain), not sure, unsure, or
    so i think, is also possible, are both possible, only (?:if|when), could be,
    might be, may be, but i can't decide,
    (?:seems?|looks?|appears?|sounds?) (?:both )?(?:possible|plausible|conceivable|promising),
    would also work, or (?:vice versa|the (?:reverse|opposite|converse|other way)),
    (?:might|may|could) (?:(?:just as|equally) well|equally) be"""
)
_TAGS = _any(
    "right, correct, no, yes, surely, is(?:n't| it not) it, is it, (?:does|was|would|are)n't (?:it|they)"
)
_DOUBT_AFTER = re.compile(
    rf"^{IN_CLAUSE}{{0,40}}\b{_DOUBTS}\b|^(?:\s[a-z]{{1,14}}){{0,3}}\s?[)\"'*]?(?:,\s{_TAGS})?\s?\?"
    r"|^\W{0,3}(?:is|are|seems?|looks?|would be) (?:just as|equally) "
    r"(?:likely|plausible|possible|probable|conceivable)\b",
    re.I,
)
_ABLE = _any(
    "say, tell, know, determine, compute, calculate, decide, answer, give, provide, help, solve, find, "
    "choose, pick"
)
_DONE = _any("determined, decided, calculated, answered, known, computed, given, found")
_REFUSAL = re.compile(
    rf"\b(?:(?:i|we)\s+(?:am|are|'m|'re)?\s?(?:not able|unable|cannot|can't|can not|could not|couldn't|do "
    rf"not|don't|won't)"
    rf"\s+(?:to\s+)?(?:be\s+)?{_ABLE}|impossible to {_ABLE}|(?:cannot|can't|can not|could not) be {_DONE}"
    rf"|(?<=[;,—.] )(?:it(?: is|'s) )?hard to (?:say|tell)(?=\W{{0,3}}(?:$|\n))"
    rf"|not enough (?:information|data)|insufficient (?:information|data))\b",
    re.I,
)
_WITHDRAWALS = _any(
    """scratch that, i (?:made|have made) (?:a|an) (?:mistake|error|slip), i was wrong, strike that,
    (?:disregard|cancel) that, (?:disregard|forget|ignore) (?:all )?the above, my mistake,
    correct(?:ing|ed) (?:that|this|myself), let me (?:correct|redo|fix|restart|start over),
    i (?:take|took) (?:that|it|this) back, i (?:retract|withdraw) (?:that|this|it)"""
)
_CALLED_WRONG = (
    r"(?:that|this)(?: (?:guess|idea|answer|structure|assignment|value|result|formula))?"
    r"(?:(?:'s| is| was| must be| (?:turns|turned) out(?: to be)?)(?: clearly| obviously| just| simply)?"
    r" (?:wrong|incorrect|mistaken|impossible|not right|not correct|a mistake|an error)"
    r"|(?: is| was)n't (?:right|correct)|(?: cannot| can't| couldn't) be (?:right|correct|true)"
    r"|(?: makes no|(?: doesn't| does not) make) sense|(?: doesn't| does not) add up)"
)
_TAKEN_BACK = re.compile(rf"\b(?:{_WITHDRAWALS}|{_CALLED_WRONG})\b", re.I)
_WITHDRAWAL_STEMS = stems(
    """scratch error slip wrong strike disregard cancel forget ignore correct redo fix restart let take
    took cannot retract withdraw impossible right n't sense add"""
)
_TURN_OPENINGS = _any(
    r"""but wait, wait, no\W\W?(?:wait|that|actually|sorry), nope, (?:well|oh)\W\W?no, hold on, hmm+,
    (?:wh?)?oops, actually, sorry, (?:my )?apologies, on reflection, on second thoughts?,
    on (?:a )?(?:closer|second|further) (?:look|inspection|reading|examination),
    looking at (?:it|this|that) again, in truth, rather, better(?=\s?:),
    errat(?:um|a), corrigendum, let me re\w+, re-?check\w*, re-?consider\w*, re-?calculat\w*, re-?examin\w*,
    corrected, correction, revised, i mean, in fact, (?:edit|update)(?=\s?:)"""
)
_TURNS = _any(
    """on reflection, on second thoughts?, i now (?:think|believe|see|get), changed my mind,
    thinking (?:about it|it over|it through|again), silly me,
    my bad, my apologies, or so i thought, i (?:have |had )?(?:mixed up|confused|misread|overlooked|forgot),
    corrected (?:answer|value|to), should (?:instead|actually) be, should have been, is actually, revised
    (?:answer|value|to), more carefully"""
)
_CORRECTED = (
    r"->(?=\s[^.;\n]{1,80}?\((?:(?:after|upon|on|by)\s(?:a\s)?)?"
    r"(?:correct(?:ion|ed|ing)|revis(?:ion|ed|ing)|reflection|re-?check\w*|re-?consider\w*|"
    r"second thoughts?)\b)"
)
"""An arrow to what a bracket calls corrected."""
_TURN = re.compile(
    rf"{_CORRECTED}|(?:^|(?<=[.!?\n;—,(:*-])\s{{0,3}})\W{{0,3}}{_TURN_OPENINGS}\b|\b{_TURNS}\b", re.I
)
_TURN_STEMS = stems(
    """-> wait no hold hm oops actual sorry apolog reflection second closer further looking truth rather
    better errat corrig let check consider calculat examin correct revis mean fact edit update mind
    thinking silly bad thought mixed confused misread overlooked forgot should careful"""
)
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~")
SUPPOSED = "holds in a supposed case"
OF_THE_REVERSE = "is said of the reverse"
_REACH = 120
"""How many characters before or after a candidate a cue may stand."""


def _denied_before(before: str) -> bool:
    return (
        may_match(before, _DENIAL_STEMS)
        and _DENIED_BEFORE.search(before) is not None
        and _NOT_ONLY.search(before) is None
    )


def _may_be(clause: str) -> bool:
    return may_match(clause, _MODAL_STEMS) and _MODAL_BEFORE.search(clause) is not None


@dataclass(frozen=True)
class Discourse:
    """The cues of one plain text, found once."""

    plain: str

    @cached_property
    def sentences(self) -> Spans:
        """Its sentences."""
        return sentences(self.plain)

    @cached_property
    def clauses(self) -> Spans:
        """Its clauses."""
        return clauses(self.plain)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Where the response changes its mind: what follows replaces what stood before."""
        turns = _TURN.finditer(self.plain) if may_match(self.plain, _TURN_STEMS) else ()
        return tuple(sorted({*(match.start() for match in turns), *self.withdrawals}))

    @cached_property
    def withdrawals(self) -> tuple[int, ...]:
        """Where the response calls what it said before wrong."""
        if not may_match(self.plain, _WITHDRAWAL_STEMS):
            return ()
        return tuple(match.start() for match in _TAKEN_BACK.finditer(self.plain))

    @cached_property
    def struck(self) -> tuple[tuple[int, int], ...]:
        """Struck-through spans."""
        return tuple(match.span() for match in _STRUCK.finditer(self.plain))

    def around(self, start: int, end: int) -> tuple[str, str]:
        """What stands before and after a span in its sentence, within reach."""
        low, _ = self.sentences.at(start)
        _, high = self.sentences.at(max(start, end - 1))
        return self.plain[max(low, start - _REACH) : start], self.plain[end : min(high, end + _REACH)]

    @cached_property
    def supposes(self) -> bool:
        """Whether it may speak of supposed cases at all."""
        return CUES.search(self.plain) is not None

    def beside(self, start: int, end: int) -> tuple[str, str]:
        """The sentences before and after the one that holds a span, within reach."""
        low, _ = self.sentences.at(start)
        _, high = self.sentences.at(max(start, end - 1))
        earlier, _ = self.sentences.at(max(0, low - 1))
        _, later = self.sentences.at(min(high, len(self.plain)))
        return self.plain[max(earlier, low - _REACH) : low], self.plain[high : min(later, high + _REACH)]

    def clause_before(self, start: int) -> str:
        """What stands before a position in its clause, within reach."""
        low, _ = self.clauses.at(start)
        return self.plain[max(low, start - _REACH) : start]

    def stance(self, start: int, end: int) -> tuple[Stance, str]:
        """How the text stands to a plain span, and the cue that says so."""
        before, after = self.around(start, end)
        clause = self.clause_before(start)
        if any(low <= start and end <= high for low, high in self.struck):
            return Stance.RETRACTED, "struck through"
        if _denied_before(before) or _DENIED_AFTER.match(after):
            return Stance.NEGATED, "denied"
        if denied_claim(clause):
            return Stance.NEGATED, "denied"
        together = _BOTH.search(before) and _BOTH_WRONG.match(after)
        if self._compares and _ALSO_WRONG.search(self.plain[max(0, start - _REACH) : start]):
            return Stance.NEGATED, "called wrong"
        if together or _WRONG_AFTER.match(after) or overcome(after) or mistaken(before):
            return Stance.NEGATED, "called wrong"
        if may_match(clause, _EARLIER_STEMS) and _EARLIER_THOUGHT.search(clause):
            return Stance.RETRACTED, "an earlier or mistaken thought"
        if attributed(clause, after):
            return Stance.RETRACTED, "reported, not asserted"
        if of_the_reverse(clause):
            return Stance.RETRACTED, OF_THE_REVERSE
        if self.supposes and (cue := self._supposed(start, end, clause, before, after)):
            return Stance.HEDGED, cue
        if _ASSUMED.search(clause):
            return Stance.HEDGED, "assumed, not found"
        if _may_be(clause) or _DOUBT_AFTER.match(after) or self._twice_hedged(start):
            return Stance.HEDGED, "hedged"
        if only_nearly(before):
            return Stance.HEDGED, "only nearly so"
        if on_condition(after):
            return Stance.HEDGED, "on a condition"
        if _REFUSAL.search(before) or _REFUSAL.search(after):
            return Stance.HEDGED, "the answer declines to decide"
        return Stance.ASSERTED, ""

    @cached_property
    def _compares(self) -> bool:
        return _LIKEWISE.search(self.plain) is not None

    @cached_property
    def _unsure(self) -> bool:
        return unsure(self.plain)

    def _twice_hedged(self, start: int) -> bool:
        """Whether a text that says it isn't sure only thinks what follows."""
        low = max(0, start - _REACH)
        return self._unsure and twice_hedged(self.plain[low:start])

    def _supposed(self, start: int, end: int, clause: str, before: str, after: str) -> str:
        """How a value is only one case's; empty if it isn't."""
        earlier, later = self.beside(start, end)
        if supposed(clause, before, after, earlier):
            return SUPPOSED
        return "one of several cases" if one_of_several(clause, before, after, earlier, later) else ""
