"""No name breaks a table in any format, and the best of a metric is seen in all of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console

from grader.render.plain import one_line
from grader.render.tables import Cell, Column, DataTable, inside, to_html, to_latex, to_markdown, to_terminal
from grader.render.tables_latex import latex_text
from tests.render.html_reader import read

TABLE = DataTable(
    "scores",
    "Scores & 100 %",
    (Column("model"), Column("full", numeric=True), Column("gap", numeric=True)),
    (
        (Cell("gpt_5|x", href="problems/a.html#p1"), Cell("53.8"), Cell("−11.1")),
        (Cell("o*1"), Cell("64.9", best=True, title="of 820"), Cell("+0.2")),
    ),
    ("H₂O → 10⁻³",),
)
HOSTILE = st.text(
    st.one_of(
        st.sampled_from("|\\`*_[]<>&#~$@!{}\"'^%-=/:.\n\r\t \x1b\u202e\ud800−→₂⁻é中ab1"), st.characters()
    ),
    max_size=24,
)


def printed(table: DataTable, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(to_terminal(table))
    return [line.rstrip() for line in capture.get().splitlines()]


def one_cell(text: str) -> DataTable:
    columns = (Column(text), Column("n", numeric=True))
    return DataTable("t", text, columns, ((Cell(text), Cell(text, best=True)),), (text,))


def test_the_terminal_prints_it_to_the_last_character() -> None:
    assert printed(TABLE) == [
        "Scores & 100 %",
        "",
        " model       full     gap",
        " ────────────────────────",
        " gpt_5|x   53.8     −11.1",
        " o*1       64.9 ★    +0.2",
        "",
        " ★ best of its metric",
        " H₂O → 10⁻³",
    ]


def test_markdown_prints_it_to_the_last_character() -> None:
    assert to_markdown(TABLE) == (
        "**Scores & 100 %**\n\n"
        "| model                             |       full |   gap |\n"
        "| --------------------------------- | ---------: | ----: |\n"
        "| [gpt\\_5\\|x](<problems/a.html#p1>) |       53.8 | −11.1 |\n"
        "| o\\*1                              | **64.9** ★ |  +0.2 |\n\n"
        "- ★ best of its metric\n"
        "- H₂O → 10⁻³\n"
    )


def test_latex_prints_it_to_the_last_character() -> None:
    assert to_latex(TABLE) == "\n".join(
        (
            r"% needs \usepackage{booktabs}",
            r"\begin{table}[htbp]",
            r"\centering",
            r"\caption{Scores \& 100 \%}",
            r"\label{tab:scores}",
            r"\begin{tabular}{lrr}",
            r"\toprule",
            r"model & full & gap \\",
            r"\midrule",
            r"gpt\_5\textbar{}x & 53.8 & $-$11.1 \\",
            r"o{*}1 & \textbf{64.9} & +0.2 \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip{\footnotesize H\textsubscript{2}O $\rightarrow$ 10\textsuperscript{$-$3}\par}",
            r"\end{table}",
            "",
        )
    )


def test_html_says_what_is_heading_number_and_best() -> None:
    html = to_html(TABLE)
    assert '<caption id="scores-title">Scores &amp; 100 %</caption>' in html
    assert '<div class="scroll" role="group" tabindex="0" aria-labelledby="scores-title">' in html
    assert '<th scope="col" class="number">full</th>' in html
    assert '<th scope="row"><a href="problems/a.html#p1">gpt_5|x</a></th>' in html
    assert (
        '<td class="number" title="of 820"><strong>64.9</strong>'
        '<span class="best" aria-hidden="true">★</span><span class="unseen"> (best)</span></td>'
    ) in html
    assert read(html).unbalanced == []


@pytest.mark.parametrize("width", [20, 40, 80, 200])
@pytest.mark.parametrize("names", [1, 2])
def test_a_wide_table_goes_on_below_and_no_number_is_cut(width: int, names: int) -> None:
    columns = (
        *(Column(f"name {at}") for at in range(names)),
        *(Column(f"m{at}", numeric=True) for at in range(30)),
    )
    row = (
        *(Cell("a-long-name-of-a-model") for _ in range(names)),
        *(Cell(f"{at:02}.{at:02}") for at in range(30)),
    )
    lines = printed(DataTable("wide", "Wide", columns, (row,)), width)
    assert all(cell_len(line) <= width for line in lines)
    if width >= 40:
        assert re.findall(r"\d\d\.\d\d", "\n".join(lines)) == [f"{at:02}.{at:02}" for at in range(30)]


def test_names_fold_between_words_and_not_within() -> None:
    columns = (Column("model"), Column("protocol"), *(Column(f"m{at}", numeric=True) for at in range(3)))
    number = Cell("54.6 (51.0 to 66.0)")
    row = (Cell("alpha minus beta in a long line"), Cell("oracle_scaffolded"), number, number, number)
    text = "\n".join(printed(DataTable("wide", "Wide", columns, (row,)), 72))
    assert "oracle_scaffolded" in text
    assert {"alpha", "minus", "beta"} <= set(text.split())


def test_a_row_is_not_repeated_where_there_is_nothing_more_to_say_of_it() -> None:
    columns = (Column("name"), *(Column(f"metric number {at}", numeric=True) for at in range(2)))
    rows = ((Cell("first"), Cell("1.0"), Cell("2.0")), (Cell("second"), Cell("3.0"), Cell("–")))
    text = "\n".join(printed(DataTable("wide", "Wide", columns, rows), 30))
    assert (text.count("first"), text.count("second")) == (2, 1)


@given(HOSTILE)
def test_no_text_breaks_out_of_html(text: str) -> None:
    html = read(to_html(one_cell(text)))
    line = one_line(text)
    assert html.unbalanced == html.other == []
    assert set(html.tags) <= {
        "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong", "span",
    }  # fmt: skip
    assert html.cells == [line, "n", line, f"{line}★"]


@given(HOSTILE)
def test_no_text_is_markup_in_markdown_or_breaks_its_row(text: str) -> None:
    markdown = to_markdown(one_cell(text))
    html = read(MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(markdown))
    line = one_line(text)
    assert not {"a", "code", "em", "s", "img"} & set(html.tags)
    assert html.cells == [line, "n", line, f"{line} ★" if line else ""]


SAFE = re.compile(
    r"""[A-Za-z0-9 À-ÖØ-öø-ſ.,:;/()=+?!@\]]|-(?!-)|--(?!-)|---|\{[\[*]\}|\{\}|\\[{}$&\#%_]
    |\\(?:text(?:backslash|asciitilde|asciicircum|less|greater|bar|quotedbl|quotesingle|asciigrave|degree|mu|bullet
    |dagger)|ldots|quotedblbase)\{\}|`{1,2}\{\}|'{1,2}\{\}|~|\$(?:-|\\[A-Za-z]+)\$
    |\\text(?:super|sub)script\{(?:[0-9+=()n]|\$-\$)+\}""",
    re.VERBOSE,
)
BACK = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textquotedbl{}": '"', r"\textquotesingle{}": "'",
    r"\textasciigrave{}": "`", "{[}": "[", "{*}": "*", "{}": "",
}  # fmt: skip


@given(HOSTILE)
def test_latex_is_made_of_known_pieces_only(text: str) -> None:
    assert SAFE.sub("", latex_text(text)) == ""


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_latex_keeps_every_character_of_plain_text(text: str) -> None:
    pieces = (found[0] for found in re.finditer(r"\\text\w+\{\}|\{.?\}|\\.|.", latex_text(text)))
    assert "".join(BACK.get(piece, piece.removeprefix("\\")) for piece in pieces) == one_line(text)


@pytest.mark.parametrize(
    "href",
    [
        "https://x.org",
        "//x.org",
        "/etc",
        "javascript:alert(1)",
        "\\\\x",
        "a\nb",
        "data:x",
        " javascript:x",
        None,
        "",
    ],
)
def test_no_link_leaves_the_report(href: str | None) -> None:
    assert inside(href) is None


def test_links_within_the_report_are_encoded() -> None:
    assert inside("problems/a b(1).html#p>1") == "problems/a%20b%281%29.html#p%3E1"
    assert inside("#a:b") == "#a:b"


def test_a_row_of_another_width_or_a_strange_key_is_refused() -> None:
    with pytest.raises(ValueError, match="row 0 of t has 1 cells, not 2"):
        DataTable("t", "T", (Column("a"), Column("b")), ((Cell("x"),),))
    with pytest.raises(ValueError, match="lower-case words"):
        DataTable("T}", "T", (Column("a"),), ())
