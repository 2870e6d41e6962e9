"""No guess, ever: whatever judges reply, a verdict is what most of them validly said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.judge.cards import LoadedCard
from grader.judge.task import Criterion
from grader.model.reply import CallFailed
from grader.record import Reason, Status
from tests.judge.one_answer import GRADED, PROSE, SETTLED, TASK, run
from tests.judge.scripted import EMPTY, REFUSED, Said, Script, card, says, verdict

POINTS = (SETTLED, GRADED, Criterion("p3", 3, "Explains the solvent's part."))
WHOLE: Mapping[str, Said] = {
    "prose": PROSE,
    "cut": '{"verdicts": [{"point_id": "p1", "verdict": "met"',
    "empty": EMPTY,
    "refused": REFUSED,
    "html": "<html><body>502 Bad Gateway</body></html>",
    "down": CallFailed("server_error", "HTTP 500"),
}
Scripted1 = str | tuple[str, ...]
"""A reply that fails as a whole, or what it says of each point."""
VALID = ("met", "not_met", "cannot_assess")
SAID = (*VALID, "partial", "absent", "too much")
PLANS = st.lists(
    st.tuples(*[st.sampled_from(list(WHOLE)) | st.tuples(*[st.sampled_from(SAID)] * len(POINTS))] * 2),
    min_size=1,
    max_size=5,
)


def reply_of(plan: Scripted1) -> Said:
    if isinstance(plan, str):
        return WHOLE[plan]
    marks: Mapping[str, str | float] = {"partial": 0.5, "too much": 9.0}
    said = zip(POINTS, plan, strict=True)
    return says(*(verdict(one.id, marks.get(word, word), "SN2") for one, word in said if word != "absent"))


def counts(plan: Scripted1, index: int) -> str | None:
    """What a reply validly says of a point."""
    word = "absent" if isinstance(plan, str) else plan[index]
    if isinstance(plan, str) or word in ("absent", "too much"):
        return None
    return None if word == "partial" and not POINTS[index].partial else word


def heard(first: Scripted1, then: Scripted1, index: int) -> str | None:
    """What a judge validly said of a point, counted by hand: at first, or else when asked again."""
    return counts(first, index) or (None if first == "down" else counts(then, index))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plans=PLANS)
def test_no_reply_however_bad_becomes_a_verdict_that_no_judge_gave(
    plans: list[tuple[Scripted1, Scripted1]], voting: Callable[[int], LoadedCard]
) -> None:
    task = replace(TASK, criteria=POINTS)
    script: Script = lambda asked: reply_of(plans[asked.vote][asked.repair])  # noqa: E731
    verdicts, asker = run(voting(len(plans)), task, script)
    assert list(verdicts) == [one.id for one in POINTS]
    assert max(Counter((asked.vote, asked.repair) for asked in asker.asked).values()) == 1
    for index, given_ in enumerate(verdicts.values()):
        said = Counter(filter(None, (heard(*plan, index) for plan in plans)))
        majority = [word for word, count in said.items() if 2 * count > len(plans)]
        if majority and majority != ["cannot_assess"]:
            assert [given_.status.value] == majority
        else:
            assert (given_.status, given_.award) == (Status.UNDETERMINED, None)
            assert given_.reason is not None
            assert (given_.reason is Reason.CANNOT_ASSESS) == bool(majority)


@pytest.fixture(scope="session")
def voting(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], LoadedCard]:
    """Cards by their number of votes."""
    folder = tmp_path_factory.mktemp("voting")
    cards = {votes: card(folder, f"v{votes}", votes=votes) for votes in range(1, 6)}
    return cards.__getitem__
