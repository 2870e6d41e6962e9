"""Cutting a response by subquestion, or not at all."""

from __future__ import annotations

from grader.answer.segment import segment

IDS = ("p-1", "p-2", "p-3")


def pieces(text: str, ids: tuple[str, ...] = IDS) -> dict[str, str] | None:
    cut = segment(text, ids).spans
    return None if cut is None else {sub_id: text[start:end] for sub_id, (start, end) in cut.items()}


def test_headings_of_every_usual_style_cut() -> None:
    for form in (
        "## Question {}\n",
        "**{}.** ",
        "{}. ",
        "({}) ",
        "Part {}: ",
        "{}) ",
        "### {}.\n",
        "## {}\n",
        "**{}**\n",
        "**Question {}**\n",
    ):
        text = "Intro\n" + "".join(form.format(n) + f"text {n}\n" for n in (1, 2, 3))
        cut = pieces(text)
        assert cut is not None, form
        assert [
            f"text {n}" in cut[f"p-{n}"] and f"text {n % 3 + 1}" not in cut[f"p-{n}"] for n in (1, 2, 3)
        ] == [True] * 3


def test_the_ids_themselves_cut() -> None:
    text = "**7-3-1** a\n**7-3-2** b\n"
    assert pieces(text, ("7-3-1", "7-3-2")) == {"7-3-1": "**7-3-1** a\n", "7-3-2": "**7-3-2** b\n"}
    assert pieces("p-1: a\np-2: b\np-3: c") is not None


def test_no_cut_is_better_than_a_wrong_one() -> None:
    assert pieces("1. a\n2. b\n") is None
    assert pieces("1. a\n3. b\n2. c\n") is None
    assert pieces("1. a\n2. b\n3. c\n1. again\n") is None
    assert pieces("1. a\n2. b\n3. c\n4. d\n") is None
    assert pieces("a b c") is None
    assert pieces("1\n2\n3\n") is None
    assert pieces("1. a\n(1) x\n(2) y\n(3) z\n2. b\n3. c\n") is None
    assert pieces("1. a\n2. b\n3. c\n", ("p-1", "p-2", "q-3")) is None


def test_steps_inside_an_answer_do_not_cut() -> None:
    text = "## Question 1\n1. first\n2. second\n## Question 2\nb\n## Question 3\nc\n"
    cut = pieces(text)
    assert cut is not None
    assert cut["p-1"].endswith("2. second\n")
    text = "## 1\n1. a\n2. b\n3. c\n## 2\nd\n## 3\ne\n"
    cut = pieces(text)
    assert cut is not None
    assert cut["p-1"].endswith("3. c\n")


def test_one_subquestion_owns_the_response() -> None:
    assert pieces("1. a\n2. b", ("p-1",)) == {"p-1": "1. a\n2. b"}
