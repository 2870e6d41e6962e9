"""The page of a problem: questions, and every answer to them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.archive.errata import Erratum
from grader.archive.read import Filters, GradedAnswer
from grader.archive.store import Archive
from grader.grade.summary import awards_of
from grader.problem.model import Group, Image, Problem, ScoringNode, Subquestion
from grader.problem.nodes import nodes
from grader.record import MODES, PROTOCOLS
from grader.render.answers import answer_html
from grader.render.page import page
from grader.render.tables import Cell, Column, DataTable, to_html
from grader.report.full.answers import View, answer_view, request_keys
from grader.report.full.files import anchor, answer_anchor
from grader.report.private import Withholder, private_texts
from grader.report.words import NONE, SHORT, marks, short_id
from grader.score import score_subquestion
from grader.stats.reading import GradedRun

_ORDER = {str(name): place for names in (PROTOCOLS, MODES) for place, name in enumerate(names)}


def problem_page(
    archive: Archive,
    runs: Sequence[GradedRun],
    problem: Problem,
    links: Sequence[tuple[str, str]],
    errata: Sequence[Erratum],
    *,
    public: bool,
) -> str:
    """The page, in memory bounded by the problem's answers; ``links``: pages around it, by their texts."""
    filters = Filters(problem_id=problem.problem_id)
    answers = [answer for one in runs for answer in archive.graded(one.run, filters, elsewhere=one.elsewhere)]
    answers.sort(key=_place)
    images = archive.problem(answers[0].problem_hash).images if answers and answers[0].problem_hash else {}
    pictures = Pictures(archive, images)
    withhold = Withholder(private_texts(problem)) if public else None
    return page(
        "report_problem.html",
        title=problem.problem_id,
        links=links,
        header=answer_html(problem.header),
        images=list(pictures.of(problem.header_images)),
        matrix=to_html(_matrix(problem, answers)),
        subquestions=[
            _subquestion(archive, pictures, sub, answers, errata, withhold) for sub in problem.subquestions
        ],
        public=public,
    )


def _place(answer: GradedAnswer) -> tuple[str, int, int, int, int]:
    head = answer.response
    return head.model, _ORDER.get(head.protocol, 9), _ORDER.get(head.mode, 9), head.sample, answer.run.id


def _subquestion(
    archive: Archive,
    pictures: Pictures,
    sub: Subquestion,
    answers: Sequence[GradedAnswer],
    errata: Sequence[Erratum],
    withhold: Withholder | None,
) -> View:
    own = [answer for answer in answers if answer.answer.sub_id == sub.sub_id]
    responses = archive.responses({answer.response.digest for answer in own})
    keys = request_keys(own) if withhold is None else []
    calls = archive.calls_at(keys)
    requests = {key: archive.request(key) for key in calls}
    public = withhold is not None
    disputed = [one for one in errata if one.item.entry.sub_id == sub.sub_id]
    return {
        "sub_id": sub.sub_id,
        "anchor": anchor(sub.sub_id),
        "marks": marks(sub.full_mark),
        "text": answer_html(sub.text_open),
        "images": list(pictures.of(sub.text_images)),
        "rubric": [] if public else list(_rubric(nodes(sub), 0)),
        "rubric_images": [] if public else list(pictures.of(sub.rubric_images)),
        "result": None if public or not sub.standard_result else answer_html(sub.standard_result),
        "answers": [
            answer_view(answer, sub, responses[answer.response.digest], calls, requests, disputed, withhold)
            for answer in own
        ],
    }


def _rubric(rubric: Iterable[ScoringNode], depth: int) -> Iterator[View]:
    for node in rubric:
        yield {
            "id": getattr(node, "id", "note"),
            "worth": marks(node.points) if hasattr(node, "points") else "",
            "text": getattr(node, "text", None) or getattr(node, "note", ""),
            "kind": check.kind if (check := getattr(node, "check", None)) is not None else "",
            "depth": depth,
        }
        if isinstance(node, Group):
            yield from _rubric(node.of, depth + 1)


class Pictures:
    """The images of a problem, as they stand in a page that loads nothing."""

    def __init__(self, archive: Archive, digests: Mapping[str, str]) -> None:
        self._archive = archive
        self._digests = digests

    def of(self, images: Iterable[Image]) -> Iterator[View]:
        """Those of a list that the archive has."""
        for image in images:
            if image.file in self._digests:
                kept = self._archive.image(self._digests[image.file])
                source = f"data:{kept.media_type};base64,{b64encode(kept.data).decode()}"
                yield {"source": source, "description": image.description}


def _matrix(problem: Problem, answers: Sequence[GradedAnswer]) -> DataTable:
    """A row a model, condition and sample; a column a subquestion; every score links to its answer."""
    subs = {sub.sub_id: sub for sub in problem.subquestions}
    rows: dict[tuple[str, ...], dict[str, Cell]] = {}
    for answer in answers:
        cell = _score_cell(answer, subs.get(answer.answer.sub_id))
        rows.setdefault(_whose(answer), {})[answer.answer.sub_id] = cell
    shown = [place for place, name in enumerate(_WHOSE) if not place or len({row[place] for row in rows}) > 1]
    columns = [Column(_WHOSE[place]) for place in shown]
    columns += [
        Column(f"{short_id(problem.problem_id, sub.sub_id)} ({marks(sub.full_mark)})", numeric=True)
        for sub in subs.values()
    ]
    lines = [
        (*(Cell(row[place]) for place in shown), *(cells.get(sub_id, Cell(NONE)) for sub_id in subs))
        for row, cells in rows.items()
    ]
    notes = ("marks of each answer, as they stand; the full marks of a subquestion stand beside its name",)
    return DataTable("answers", "Every answer", tuple(columns), tuple(lines), notes)


_WHOSE = ("model", "protocol", "mode", "run", "sample")


def _whose(answer: GradedAnswer) -> tuple[str, ...]:
    head = answer.response
    return head.model, SHORT.get(head.protocol, head.protocol), head.mode, answer.run.name, str(head.sample)


def _score_cell(answer: GradedAnswer, sub: Subquestion | None) -> Cell:
    if sub is None:
        return Cell(NONE)
    score = score_subquestion(nodes(sub), sub.full_mark, awards_of(answer))
    text = marks(score.earned) if score.low == score.high else f"{marks(score.low)} to {marks(score.high)}"
    return Cell(text, href=f"#{answer_anchor(answer.answer.sub_id, answer.response.digest)}")
