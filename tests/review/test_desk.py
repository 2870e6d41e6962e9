"""What the page of an item shows, and above all what it doesn't show before it is marked."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import astuple
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.archive.entry import VerdictEntry
from grader.errors import MarkError
from grader.marks import Scale, worth_of
from grader.problem.model import Deduction, Group, Point, Veto
from grader.record import Evidence, Status, Verdict
from grader.render.answers import raw_html
from grader.review.desk import desk as desk_of
from grader.review.evidence import evidence_in, raw_offsets
from grader.review.subject import Subjects
from tests.review.desking import ANSWERS, MODEL, OTHER, RIGHT

KINDS = ("triage", "spot_check", "second", "gold")


def values(desk, item, reviewer="Ada"):
    return desk_of(desk.archive, Subjects(desk.archive).of(item), reviewer)


def judge(desk, point_id, award, card="kind@abc", **more):
    """A judge's verdict on the first answer; its card is the selected one."""
    (run,) = desk.archive.runs()
    answer = next(iter(desk.archive.graded(run)))
    point = next(one for one in answer.points if one.point_id == point_id)
    status = {1.0: Status.MET, 0.0: Status.NOT_MET}[award]
    verdict = Verdict(point_id, status, f"judge:{card}", award, **more)
    place = (answer.response.digest, "desk", "desk-1", point.point_hash or "", answer.answer.answer_hash)
    desk.archive.put_verdicts([VerdictEntry(*place, verdict)])
    grading = desk.archive.grading(run)
    engines = [one for key, one in desk.archive.view(run).engines.items() if key in grading.engines]
    desk.archive.begin_grading(run, grading.set_digest, engines, card)


def shorn(page):
    """A page without what differs from page to page for everybody."""
    page = re.sub(r'(name="(?:key|form)" value=")[^"]*', r"\1", page)
    return re.sub(r"/items/\d+|\d+ of \d+ done", "", page)


@pytest.mark.parametrize("point_id", ["product", "why"])
def test_before_the_mark_nothing_tells_why_an_item_is_there_or_what_stands(desk, point_id):
    """The page of the same answer is the same, letter by letter, whatever it was queued for."""
    judge(desk, "why", 1.0, rationale="It names the peracid.", evidence=Evidence("oxygen", 62, 68))
    ada = desk.person("Ada")
    pages = []
    for kind in KINDS:
        reasons = ("low_confidence",) if kind == "triage" else ()
        desk.put(point_id, kind, RIGHT, reasons=reasons, gold=0.0 if kind == "gold" else None)
        ada.get("/").next()
        pages.append(shorn(ada.page))
        ada.post(f"/items/{ada.item}/skip")
    assert all(page == pages[0] for page in pages)
    hidden = ("sequential", "text_only", "text only", "judge", "kind@abc", "peracid.", "confidence", "human")
    told = (MODEL, "What stood", "formal:", "equivalent", "spot", "triage")
    visible = re.sub(r"A peracid transfers oxygen\..*", "", pages[0])
    assert [text for text in (*hidden, *told) if text in visible] == []


def test_after_the_mark_what_stood_is_shown_without_the_mark_and_without_other_people(desk):
    judge(desk, "why", 1.0, rationale="It names the peracid.", confidence=0.61, flags=("truncated",))
    desk.put("why", "triage", RIGHT, reasons=("low_confidence",))
    ada = desk.person("Ada").next().mark("not_met", reason="Mine.")
    shown = values(desk, desk.archive.item(ada.item))
    assert astuple(shown.seen.stood) == (
        *("judge kind@abc", "met", "3 of 3 marks", "It names the peracid.", ""),
        ("confidence 0.61", "truncated"),
    )
    assert shown.seen.reasons == ("low_confidence",)
    assert (shown.seen.mine.entry.reason, shown.seen.mine_marks) == ("Mine.", "0 of 3 marks")
    assert values(desk, desk.archive.item(ada.item), "Bo").seen is None


def test_where_code_decided_it_is_told_with_what_it_took(desk):
    desk.put("product", "spot_check", OTHER)
    ada = desk.person("Ada").next()
    assert "In the queue by chance." in ada.mark("not_met").page
    stood = values(desk, desk.archive.item(ada.item)).seen.stood
    assert (stood.who, stood.status, stood.marks) == ("code (smiles)", "not_met", "0 of 2 marks")
    assert stood.details[0] == "taken: OC1CCCCC1O"


def drawn(one):
    return b64decode(one.source.partition(",")[2]).decode()


def test_structures_are_drawn_side_by_side_and_their_difference_only_afterwards(desk):
    desk.put("product", "spot_check", OTHER)
    ada = desk.person("Ada").next()
    item = desk.archive.item(ada.item)
    (before,) = values(desk, item).drawings
    assert all(text in drawn(before) for text in (">answer<", ">expected<"))
    assert "<desc>" not in drawn(before)
    ada.mark("not_met")
    (after,) = values(desk, desk.archive.item(item.id)).drawings
    assert "differ" in drawn(after)


def test_a_structure_that_code_did_not_read_leaves_the_expected_one(desk):
    item = desk.items("why")[0]
    assert values(desk, item).drawings == ()
    assert values(desk, item).check_kind is None


def test_the_point_stands_among_its_siblings_with_its_marks(desk):
    (item,) = [one for one in desk.items("units") if len(one.entry.members) == 2]
    shown = values(desk, item)
    assert [(one.point_id, one.marks, one.current, one.shape) for one in shown.rubric] == [
        ("product", "2", False, "point"),
        ("why", "3", False, "point"),
        ("units", "-1", True, "deduction"),
        ("", "", False, "note"),
    ]
    assert (shown.limits, shown.penalty, shown.alike) == ((-1.0, 0.0), True, 2)
    assert [one.text[:11] for one in (*shown.header_figures, *shown.rubric_figures)] == [
        "The scheme.",
        "The mechani",
    ]


def test_a_deduction_is_marked_in_lost_marks(desk):
    ada = desk.person("Ada").next()
    while "Partial, -1 to 0 marks" not in ada.page:
        ada.post(f"/items/{ada.item}/skip")
    ada.mark("partial", marks="−0.5")
    (mark,) = desk.archive.marks()
    assert (mark.entry.status, mark.entry.award) == (Status.PARTIAL, 0.5)
    assert "-0.5 of -1 marks" in ada.page


def test_an_all_or_nothing_point_has_no_field_for_marks(desk):
    desk.put("product", "spot_check", RIGHT)
    ada = desk.person("Ada").next()
    assert 'name="marks"' not in ada.page
    assert "no partial award" in ada.mark("partial", marks="1").page


def fault(what, _pointer, **more):
    return MarkError(what, **more)


@pytest.mark.parametrize(
    ("node", "limits", "partial"),
    [
        (Point(id="a", points=2, text=""), (0, 2), False),
        (Point(id="a", points=2, text="", partial=True), (0, 2), True),
        (Group(id="a", points=3, text="", rule="sum"), (0, 3), True),
        (Deduction(id="a", points=-1, text="", each=True, max=2), (-2, 0), True),
        (Veto(id="a", veto=True, text=""), (0, 0), False),
    ],
)
def test_what_a_mark_may_be_depends_on_the_node(node, limits, partial):
    scale = Scale(node, worth_of(node, (node,), 5.0), fault)
    assert (scale.limits, scale.partial) == (limits, partial)


def subject(text, before=""):
    return SimpleNamespace(text=text, span=SimpleNamespace(start=len(before)))


def shown_text(text):
    """The raw view as the page's script reads it: each character, with what it stands as."""
    page = str(raw_html(text)).removeprefix('<pre class="answer">\n').removesuffix("</pre>")
    pieces = re.findall(r'<span class="control">(U\+[0-9A-F]+)</span>|(&\w+;|&#\d+;|.)', page, re.S)
    entity = {
        "&lt;": "<",
        "&gt;": ">",
        "&amp;": "&",
        "&#34;": '"',
        "&#39;": "'",
        "&quot;": '"',
        "&#x27;": "'",
    }
    return [f"[{written}]" if written else entity.get(plain, plain) for written, plain in pieces]


@given(st.text(st.sampled_from("ab<\r\n\x07\u202e\U0001d54f \u200b&"), min_size=1), st.data())
def test_what_is_selected_in_the_raw_view_is_found_in_the_raw_text(text, data):
    shown = shown_text(text)
    start = data.draw(st.integers(0, len(shown) - 1))
    end = data.draw(st.integers(start + 1, len(shown)))
    quote = "".join(shown[start:end])
    if not quote.strip():
        return
    (found,) = evidence_in(quote, f"{start}-{end}", subject(text, "before"))
    places = raw_offsets(text)
    assert (found.start - 6, found.end - 6) == (places[start], places[end])
    assert found.quote == text[places[start] : places[end]]


@pytest.mark.parametrize("place", ["", "5", "3-1", "0-999", "-1-4", "٣-٤", "1-2-3", "9999999999-1"])
def test_a_place_that_cannot_be_is_no_obstacle(place):
    (found,) = evidence_in("gives  its", place, subject(ANSWERS[0]))
    assert found.quote == "gives its"
