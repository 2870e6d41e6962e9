"""The audits with calls of their own find what they say they can find, and seldom anything else."""

from __future__ import annotations

import pytest

from tests.audit.acceptance import FAULTS, MOST_FALSE, above, flagged

TIMES, FOUND = 80, 30
ANEW = [fault for fault in FAULTS if not fault.quick]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ANEW, ids=lambda fault: fault.audit)
def test_a_judge_that_only_slips_is_seldom_accused(fault):
    """Accusations that would come up in one of 100 tries or fewer at 6 % are too many: 11 of 80."""
    assert not above(flagged(fault.asked, 0.0, TIMES), MOST_FALSE)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ANEW, ids=lambda fault: fault.audit)
def test_a_planted_fault_is_mostly_found(fault):
    assert flagged(fault.asked, fault.required, FOUND, first=1_000).value >= 0.9
