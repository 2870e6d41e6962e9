"""An answer is shown as it reads and as it was written; nothing in it becomes markup, hides or links away."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.render.answers import MAX_RENDERED, Highlight, answer_html, disjoint, raw_html
from grader.render.answers_formulas import formulas
from tests.render.html_reader import Html, read

TAG = re.compile(
    "div|p|pre|code|span|mark|br|hr|em|strong|s|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|math|mrow|mi|mn|mo|"
    "ms|mtext|mspace|mfrac|msqrt|mroot|msub|msup|msubsup|munder|mover|munderover|mmultiscripts|mprescripts|none|"
    "mtable|mtr|mtd|mphantom|mpadded|menclose"
)
FREE = frozenset({"class", "tabindex", "role", "aria-label", "alttext", "display", "start"})
CLASSES = frozenset({"answer", "heading", "control", "unseen", "tex", "display", "scroll", "boxed", "struck"})
PIECES = st.one_of(
    st.sampled_from(
        [
            "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\ce{", "\\pu{", "}", "{", "\\frac", "\\text{",
            "\\href{javascript:x}", "<script>", "<img src=x onerror=alert(1)>", "](http://x.org)", "![",
            "[", "`", "```\n", "~~~", "**", "_", "*", "\n\n", "\n", "| a | b |\n|---|---|\n| ", "> ", "- ",
            "1. ", "# ", "&lt;script&gt;", "&#x3c;", "&#xF0000;", "&#x100000;", "&#x10FFFF;", "\\", "\x00",
            "\x1b[2J", "\u202e", "\u200b", "\ue002", "\U000f0000", "\U0010ffff", "\ud800", "\r\n", "\r",
            "\t", "->", "^2-", "\" onclick=\"x", "' style='x", "--", "---\n", "\\begin{align}",
            "\\end{align}", "&", "\\\\", "H2O", "\\boxed{",
        ]
    ),
    st.text(max_size=6),
)  # fmt: skip
ANSWERS = st.lists(PIECES, max_size=30).map("".join)
MARKS = st.lists(st.builds(Highlight, st.integers(-2, 80), st.integers(-2, 80)), max_size=4)

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)


def assert_harmless(html: Html) -> None:
    assert html.unbalanced == html.other == []
    assert all(map(TAG.fullmatch, html.tags))
    for tag, name, value in html.attributes:
        if name == "class":
            assert value in CLASSES
        elif name not in FREE:
            # of MathML: a length, a keyword or a number
            assert name not in ("style", "href", "src", "id")
            assert not name.startswith("on")
            assert tag.startswith("m")
            assert re.fullmatch(r"[A-Za-z0-9 .+%_-]*", value)
    assert not HIDDEN.search(html.text)


@settings(max_examples=60)
@given(ANSWERS, MARKS)
def test_no_answer_breaks_out_of_its_box(text: str, marks: list[Highlight]) -> None:
    assert_harmless(read(answer_html(text, marks)))


@settings(max_examples=60)
@given(ANSWERS, MARKS)
def test_what_was_written_is_shown_to_the_last_character(text: str, marks: list[Highlight]) -> None:
    html = read(raw_html(text, marks))
    assert_harmless(html)
    named = HIDDEN.sub(lambda found: f"U+{ord(found[0]):04X}", text.replace("\r\n", "\n"))
    assert html.shown == "\n" + named


def marked(html: str) -> list[str]:
    """The texts within marks, as one where they follow each other."""
    pieces = re.findall(
        r'<span class="unseen">\[[^:]*: </span>(.*?)<span class="unseen">\]</span>', html, re.DOTALL
    )
    return [read(piece).shown for piece in pieces]


@given(st.text("ab *_`$\n", max_size=40), st.integers(0, 40), st.integers(1, 10))
def test_evidence_is_always_marked_in_what_was_written(text: str, start: int, length: int) -> None:
    evidence = text[start : start + length]
    assert marked(raw_html(text, [Highlight(start, start + length)])) == ([evidence] if evidence else [])


WORDS = st.lists(
    st.sampled_from(["rate", "constant", "k", "mol", "is", "0.01", "s"]), min_size=1, max_size=12
)


@settings(max_examples=40)
@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_evidence_in_plain_paragraphs_is_marked_to_the_character(
    lines: list[list[str]], data: st.DataObject
) -> None:
    text = "\n\n".join(map(" ".join, lines))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    shown = marked(answer_html(text, [Highlight(start, end)]))
    parts = (part.strip("\n") for part in text[start:end].split("\n\n"))
    assert shown == [part for part in parts if part]


@pytest.mark.parametrize(
    ("text", "evidence", "shown"),
    [
        ("The **rate constant** is 5.", "rate constant** is", ["rate constant is"]),
        ("The **rate** is 5.", "**rate**", ["rate"]),
        ("so $k = 5$ s", "k", ["k=5"]),
        ("so $k = 5$ s", "so $k", ["so k=5"]),
        ("# The rate\n\ntext", "The rate", ["The rate"]),
        ("- one\n- the rate\n- two", "the rate", ["the rate"]),
        ("- one\n- two\n", "one\n- two", ["one", "two"]),
        ("> the rate", "> the rate", ["the rate"]),
        ("| a | b |\n|---|---|\n| rate | 5 |", "rate | 5", ["rate", "5"]),
        ("```\nx = 1\ny = 2\n```", "x = 1\ny", ["x = 1", "y"]),
        ("the `CC(=O)O` is", "CC(=O)O", ["CC(=O)O"]),
        ("a\r\nthe rate\r\n", "the rate", ["the rate"]),
        ("rate, the rate, rate", "the rate", ["the rate"]),
        ("a\\*b the rate", "b the", ["b the"]),
    ],
)
def test_evidence_is_marked_through_markdown(text: str, evidence: str, shown: list[str]) -> None:
    start = text.index(evidence)
    assert marked(answer_html(text, [Highlight(start, start + len(evidence))])) == shown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**b** *i* ~~s~~ `c`", "<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>"),
        ("# Title", '<p class="heading">Title</p>'),
        ("[text](http://x.org)", "<p>[text](http://x.org)</p>"),
        ("![alt](http://x.org/i.png)", "<p>![alt](http://x.org/i.png)</p>"),
        ("C[C@@H](O)N", "<p>C[C@@H](O)N</p>"),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
        ("2. a\n3. b", '<ol start="2"><li>a</li>\n<li>b</li>\n</ol>'),
        ("it costs $5 and $10", "<p>it costs $5 and $10</p>"),
        ("`$x$`", "<p><code>$x$</code></p>"),
        ("```\n$x$ <b>\n```", "<pre><code>$x$ &lt;b&gt;\n</code></pre>"),
        ("a\u202eb", '<p>a<span class="control">U+202E</span>b</p>'),
        ("$\\nosuch{x}$", '<p><code class="tex">\\nosuch{x}</code></p>'),
        ("a_b and c_d", "<p>a_b and c_d</p>"),
    ],
)
def test_markdown_is_read(text: str, html: str) -> None:
    assert answer_html(text) == f'<div class="answer">\n{html}\n</div>'


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("$x$ and $$y$$", ["x", "y"]),
        (r"\(a\) and \[b\]", ["a", "b"]),
        (r"water \ce{H2O} and \pu{5 kJ}", [r"\ce{H2O}", r"\pu{5 kJ}"]),
        (r"so \boxed{k = \frac{1}{2}}.", [r"\boxed{k = \frac{1}{2}}"]),
        ("\\begin{align}a\\\\b\\end{align}", ["\\begin{align}a\\\\b\\end{align}"]),
        ("\\[\na\n\n= b\n\\]", ["\na\n\n= b\n"]),
        ("$5 and $10", []),
        ("$a\n\nb$", []),
        ("`$a$` $b$", ["b"]),
        ("```\n$a$\n```\n$b$", ["b"]),
        ("```\n$a$", []),
        (r"\$a$ b$", []),
        ("$10; `C$x$`", []),
        ("``a ` $x$`` $y$", ["y"]),
        (r"\ce{unclosed $x$", ["x"]),
    ],
)
def test_formulas_are_found_and_money_and_code_are_none(text: str, latex: list[str]) -> None:
    assert [formula.latex for formula in formulas(text)] == latex


def test_a_formula_is_one_character_to_markdown() -> None:
    html = answer_html("$a_1$ and $b_1$ *so*")
    assert html.count("<msub>") == 2
    assert "<em>so</em>" in html


def test_overlapping_evidence_is_joined_under_both_names() -> None:
    marks = [
        Highlight(4, 9, "point 2"),
        Highlight(0, 5, "point 1"),
        Highlight(12, 99, "point 3"),
        Highlight(3, 3),
    ]
    assert disjoint(marks, 15) == (Highlight(0, 9, "point 1, point 2"), Highlight(12, 15, "point 3"))


def test_a_very_long_answer_is_shown_as_written() -> None:
    text = "**a** " * (MAX_RENDERED // 6 + 1)
    html = answer_html(text, [Highlight(0, 5)])
    assert "longer than 100,000 characters" in html
    assert "<strong>" not in html
    assert marked(html) == ["**a**"]


N = MAX_RENDERED


@pytest.mark.parametrize(
    "unit",
    [
        "*", "a* ", "*a **b ", "> ", "- ", "- a\n", "`", "` `` ", "|", "|a\n", "$", "$a ", "$a$", "\\(",
        "\\ce{", "{", "\\begin{align}", "```\n", "~~", "&amp;", "[", "<", "\n", "# a\n", "\u202e", "1. ",
        "\\", "\t- a\n", "![](",
    ],
)  # fmt: skip
@pytest.mark.slow
def test_a_hostile_answer_takes_steps_in_proportion_to_its_length(unit: str) -> None:
    def steps(length: int) -> int:
        import sys

        counted = 0

        def count(*_: object) -> None:
            nonlocal counted
            counted += 1

        text = (unit * length)[:length]
        sys.setprofile(count)
        try:
            answer_html(text, [Highlight(at, at + 3) for at in range(0, length, 100)])
        finally:
            sys.setprofile(None)
        return counted

    answer_html("warm $x$ up")
    assert steps(16_000) < 6 * steps(4_000) + 20_000
