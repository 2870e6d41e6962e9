"""The acceptance document on audits: which planted faults they find, and how often they accuse the sound."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

from tests.audit.acceptance import (
    FAULTS,
    Fault,
    Leniency,
    Outcome,
    Share,
    flagged,
    outcome,
)
from tests.audit.marked_worlds import ASKED, WORLDS, Marked
from tests.audit.scripted_judges import random_flips

FALSE_RUNS, FOUND_RUNS = 4_000, 1_000
ALL_ALIKE = 0.09
"""As the spec's lenient judge."""
ALIKE = Marked("lenient, centred")
FLIPS = 0.1

TITLE = "## What the audits find and claim"
HEAD = """{title}

Required: leniency of .10 towards one model found with Holm's correction in 90 % of runs or more, and a
rise of the flip rate from 3 to 13 % at 200 pairs likewise; of judges without a fault, any accusation of a
family of tests in 6 % of runs or fewer. In brackets the 95 % interval of that rate (Clopper and Pearson
1934). It is known up to chance: it fails where as many accusations would come up in 1 of 100 tries or
fewer if the true rate were 6 %.

### A model that the judge favours, by people's marks (A2, A13)

Four equally able models on the same problems, made as above (`tests/audit/marked_worlds.py`); a share of
points is drawn at random for people. Judges are the above ones, centred: they award exactly as much as
people do, or exactly so much more to one model. *Errs* is the share of points that they award otherwise
than people, by one of two steps of credit; *flipped* judges know no partial credit and err by the whole
point. The power required must be reached in the first world: the good judge is the only one above that is
without bias by itself. *Sound* is how often any model was flagged though none is favoured ({false:,}
archives); *others* how often a wrong one was beside the favoured one, *.10* and *.05* how often the
favoured one was ({found:,} archives each).
"""

ALIKE_SAYS = """
A judge that is lenient to all models alike by {by:.2f} favours none. A13 says so of the judge *{judge}*
above, shifted by that much: any model flagged in {false} of {runs:,} archives, .10 more for one model
found in {found}.
"""

ANEW = """
### Faults that asking anew shows (A6 to A11, A16)

Scripted judges (`tests/audit/scripted_judges.py`), each asked no more than its audit needs so as not to
be only indicative. Without the fault a judge turns 3 % of verdicts round whenever it is asked (A6: 1 %).
The size of a fault is, of A6 and A7, by how much more often a verdict flips; of A8 the share of inverted
stereocentres that is overlooked; of the others the chance with which a point that isn't met is awarded:
for an injected passage, at twice the length (half of it at one and a half), in another order, from
version 2 on. An accusation is any measure of the audit that is flagged. Required to be found in 90 % of
runs: the sizes in bold.
"""

RANDOM = """
A judge that flips {flips:.0%} of its verdicts whatever it is asked does not mind rewritings: A7 accuses
it in {share} of {runs:,} runs.
"""


def section(pool: Executor) -> tuple[str, list[str]]:
    """The section as Markdown, and what in it isn't as it must be."""
    worlds = {world: pool.submit(outcome, world, FALSE_RUNS, FOUND_RUNS) for world in WORLDS}
    alike = pool.submit(outcome, ALIKE, FALSE_RUNS, FOUND_RUNS, ALL_ALIKE)
    sound = {fault.audit: pool.submit(fault.sound) for fault in FAULTS}
    planted = {
        (fault.audit, size): pool.submit(fault.found, size) for fault in FAULTS for size in fault.sizes
    }
    flips = pool.submit(flagged, random_flips, FLIPS, 1_000)
    found = {world: one.result() for world, one in worlds.items()}
    lines = [*_marked(found, alike.result()), ANEW]
    lines += [
        "| audit | the judge | without the fault | found by size of the fault |",
        "| --- | --- | ---: | --- |",
    ]
    faults = [
        f"{world}: {said}" for world, one in found.items() for said in one.faults(required=world == ASKED)
    ]
    faults += [f"lenient to all: {said}" for said in alike.result().faults(lenient_to_all=True)]
    for fault in FAULTS:
        without = sound[fault.audit].result()
        sizes = {size: planted[fault.audit, size].result() for size in fault.sizes}
        lines.append(_row(fault, without, sizes))
        faults += fault.faults(without, sizes)
    share = flips.result()
    lines.append(RANDOM.format(flips=FLIPS, share=_short(share), runs=share.runs).rstrip())
    return "\n".join(lines) + "\n", faults


def _marked(found: dict[Marked, Outcome], alike: Outcome) -> Iterator[str]:
    yield HEAD.format(title=TITLE, false=FALSE_RUNS, found=FOUND_RUNS)
    columns = [f"{audit} {what}" for audit in ("A2", "A13") for what in ("sound", "others", ".10", ".05")]
    names = ["judge", "problems", "marked", "marks a model", "errs", *columns]
    yield f"| {' | '.join(names)} |"
    yield f"| --- |{' ---: |' * (len(names) - 1)}"
    for world, one in found.items():
        about = [world.judge, str(world.problems), f"{world.share:.0%}", f"{one.marks:.0f}", _of(one.error)]
        yield f"| {' | '.join([*about, *_leniency(one.lenient), *_leniency(one.preferred)])} |"
    said = alike.preferred
    yield ALIKE_SAYS.format(
        by=ALL_ALIKE,
        judge=ALIKE.judge,
        false=_short(said.false),
        runs=said.false.runs,
        found=_of(said.found.value),
    ).rstrip()


def _leniency(one: Leniency) -> Iterator[str]:
    return iter([_short(one.false), *(_of(share.value) for share in (one.others, one.found, one.small))])


def _row(fault: Fault, sound: Share, found: dict[float, Share]) -> str:
    said = "; ".join(
        f"{'**' if size == fault.required else ''}{_of(size, 2)}{'**' if size == fault.required else ''}: "
        f"{_of(share.value, 2 if share.runs < 1_000 else 3)}"
        for size, share in found.items()
    )
    return f"| {fault.audit} | {fault.what} | {_short(sound)} of {sound.runs:,} | {said} |"


def _short(share: Share) -> str:
    low, high = share.bounds()
    return f"{_of(share.value)} [{_of(low)}, {_of(high)}]"


def _of(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}".removeprefix("0")  # 0.95 as .95
