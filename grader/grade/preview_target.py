"""Of what a user names for a preview: the set and the judge that the run would be graded by."""

from __future__ import annotations

from pathlib import Path

from grader.archive.store import Archive
from grader.errors import UsageError, shown
from grader.grade.asking import JudgeRequest
from grader.grade.preview import PreviewRequest, last_grading
from grader.grade.problems import problems_of
from grader.judge.cards import LoadedCard, card_names, load_card


def requested(
    run: Path,
    archive: Archive,
    target: str,
    problems: Path | None = None,
    judge: str | None = None,
    *,
    price: tuple[float, float] | None = None,
    keep_going: bool = False,
    workers: int | None = None,
) -> PreviewRequest:
    """The preview of a run on another set, or by another judge: ``target`` is the one or the other.

    The other of the two is what a grading takes: the set by ``problems`` or
    as the run says; the judge by ``judge``, or the one that judged the run
    last. Raises UsageError where that can't be found, or two are named.
    """
    _, last = last_grading(run, archive)
    if _is_card(target):
        if judge is not None:
            what = "two judges are named"
            raise UsageError(what, got=f"{target} and {judge}", do="Leave out --judge.")
        card: LoadedCard | None = load_card(target)
        chosen = problems_of(run, problems)
    else:
        if problems is not None:
            what = "two problem sets are named"
            raise UsageError(what, got=f"{target} and {problems}", do="Leave out --problems.")
        card = load_card(judge) if judge is not None else _last_judge(last.card)
        chosen = problems_of(run, Path(target))
    asked = None if card is None else JudgeRequest(card, price=price, dry_run=True)
    if asked is None and price is not None:
        raise UsageError(
            "--price is about a judge, and nobody judged the run", do="Name one by --judge CARD."
        )
    return PreviewRequest(run, chosen, asked, keep_going, workers)


def _is_card(target: str) -> bool:
    """Whether a judge card is named; UsageError where neither a card nor anything else is."""
    path = Path(target)
    if path.is_dir():
        return False
    if target.endswith(".toml") or (target in card_names() and not path.exists()):
        return True
    if path.exists():
        return False
    raise UsageError(
        "there is neither a problem set nor a judge card of that name",
        got=shown(target),
        expected="the path of a set, a name of 'argus judges list', or a .toml file",
    )


def _last_judge(label: str | None) -> LoadedCard | None:
    """The card that judged the run last, as it is now."""
    if label is None:
        return None
    name = label.partition("@")[0]
    if name in card_names():
        return load_card(name)
    raise UsageError(
        "the judge of the run is none of 'argus judges list'",
        got=label,
        do=f"Name its file by --judge PATH/{name}.toml.",
    )
