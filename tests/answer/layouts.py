"""Ways in which models lay out the answers to several subquestions in one response."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
WORDS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")


@dataclass(frozen=True, slots=True)
class Part:
    """One answer with what a layout may say of it."""

    number: int
    """From 1 on."""
    sub_id: str
    question: str
    answer: str

    @property
    def letter(self) -> str:
        return chr(ord("a") + self.number - 1)

    @property
    def title(self) -> str:
        return " ".join(self.question.split()[1:5]).strip(",.").capitalize()


@dataclass(frozen=True, slots=True)
class Joined:
    """A response with where each answer stands in it, by sub_id."""

    text: str
    at: dict[str, tuple[int, int]]


Form = Callable[[Part], str]


def headed(form: Form, between: str = "\n\n", opening: str = "", closing: str = "") -> Callable[..., Joined]:
    """A layout that writes each answer after a heading."""

    def join(parts: Sequence[Part]) -> Joined:
        text, at = opening, {}
        for part in parts:
            text += form(part)
            at[part.sub_id] = (len(text), len(text) + len(part.answer))
            text += part.answer + between
        return Joined(text + closing, at)

    return join


def shuffled(layout: Callable[..., Joined], order: Callable[[int], int]) -> Callable[..., Joined]:
    """A layout with its parts in another order."""
    return lambda parts: layout(sorted(parts, key=lambda part: order(part.number)))


def summed(layout: Callable[..., Joined], heading: str, form: Form) -> Callable[..., Joined]:
    """A layout that ends by repeating a value of every answer."""

    def join(parts: Sequence[Part]) -> Joined:
        made = layout(parts)
        rows = "".join(form(part) + part.answer.split(". ")[-1].split("\n")[-1] + "\n" for part in parts)
        return Joined(f"{made.text}{heading}{rows}", made.at)

    return join


def echoed(layout: Callable[..., Joined], form: Form) -> Callable[..., Joined]:
    """A layout that opens by repeating all questions."""

    def join(parts: Sequence[Part]) -> Joined:
        opening = (
            "The questions are:\n"
            + "".join(form(part) + part.question + "\n" for part in parts)
            + "\n---\n\n"
        )
        made = layout(parts)
        shifted = {sub: (start + len(opening), end + len(opening)) for sub, (start, end) in made.at.items()}
        return Joined(opening + made.text, shifted)

    return join


LAYOUTS: dict[str, Callable[..., Joined]] = {
    "hash and number": headed(lambda p: f"## {p.number}\n"),
    "hash, number, dot, title": headed(lambda p: f"### {p.number}. {p.title}\n\n"),
    "hash and Part": headed(lambda p: f"## Part {p.number}\n\n", between="\n\n---\n\n"),
    "hash, Part and title": headed(lambda p: f"### Part {p.number}: {p.title}\n\n"),
    "hash and Question": headed(lambda p: f"# Question {p.number}\n"),
    "hash, bold Question": headed(lambda p: f"### **Question {p.number} – {p.title}**\n\n"),
    "hash and brackets": headed(lambda p: f"### ({p.number}) {p.title}\n"),
    "hash and Subquestion": headed(lambda p: f"## Subquestion {p.number}\n"),
    "hash and sub_id": headed(lambda p: f"## {p.sub_id}\n"),
    "Subquestion and sub_id": headed(lambda p: f"**Subquestion {p.sub_id}**\n\n"),
    "sub_id and colon": headed(lambda p: f"{p.sub_id}: "),
    "end of the sub_id": headed(lambda p: f"**{'-'.join(p.sub_id.split('-')[-2:])}** "),
    "bold number": headed(lambda p: f"**{p.number}.** "),
    "bold number and title": headed(lambda p: f"**{p.number}. {p.title}**\n\n"),
    "bold brackets": headed(lambda p: f"**({p.number})** "),
    "bold Part with colon": headed(lambda p: f"**Part {p.number}:** "),
    "bold letter in brackets": headed(lambda p: f"**({p.letter})** "),
    "bold Part and letter": headed(lambda p: f"**Part ({p.letter})**\n"),
    "bold question": headed(lambda p: f"**{p.question}**\n\n"),
    "bold number and question": headed(lambda p: f"**{p.number}. {p.question}**\n\n"),
    "question and answer": headed(lambda p: f"**Q{p.number}:** {p.question}\n\n**A{p.number}:** "),
    "quoted question": headed(lambda p: f"({p.number}) {p.question}\n\nAnswer: "),
    "plain number": headed(lambda p: f"{p.number}. "),
    "plain brackets": headed(lambda p: f"({p.number}) "),
    "plain bracket": headed(lambda p: f"{p.number}) "),
    "plain letters": headed(lambda p: f"({p.letter}) "),
    "plain Q": headed(lambda p: f"Q{p.number}: "),
    "plain Question": headed(lambda p: f"Question {p.number}\n"),
    "plain Answer": headed(lambda p: f"Answer {p.number}: "),
    "Answer to": headed(lambda p: f"**Answer to {p.number}.** "),
    "Answer to question": headed(lambda p: f"Answer to question {p.number}:\n"),
    "underlined": headed(lambda p: f"__{p.number}.__ "),
    "bold roman": headed(lambda p: f"**({ROMAN[p.number - 1]})** "),
    "hash and roman": headed(lambda p: f"## {ROMAN[p.number - 1].upper()}. {p.title}\n"),
    "Part in words": headed(lambda p: f"Part {WORDS[p.number - 1]}:\n"),
    "Problem 7.3": headed(lambda p: f"**Problem 7.3({p.number})**\n\n"),
    "keycaps": headed(lambda p: f"### {p.number}\ufe0f\u20e3 {p.title}\n\n"),
    "emoji": headed(lambda p: f"🔹 **Part {p.number}**\n"),
    "bullets": headed(lambda p: f"- **({p.number})** "),
    "quotes": headed(lambda p: f"> **{p.number}.** {p.question}\n\n"),
    "wide brackets": headed(lambda p: f"（{p.number}） "),
    "LaTeX sections": headed(lambda p: f"\\section*{{Part {p.number}}}\n"),
    "LaTeX bold": headed(lambda p: f"\\noindent\\textbf{{({p.letter})}} "),
    "LaTeX items": headed(
        lambda p: f"\\item[({p.number})] ", opening="\\begin{enumerate}\n", closing="\\end{enumerate}\n"
    ),
    "HTML headings": headed(lambda p: f"<h3>Part {p.number}</h3>\n<p>", between="</p>\n"),
    "HTML bold": headed(lambda p: f"<p><b>{p.number}.</b> ", between="</p>\n"),
    "nested parts": headed(lambda p: f"## {p.number}({p.letter})\n" if p.number > 2 else f"## {p.number}\n"),
    "introduction and farewell": headed(
        lambda p: f"### Part {p.number}\n",
        opening="Let me work through each part carefully.\n\n**Given data:**\n1. T = 298 K\n2. p = 1 bar\n\n",
        closing="\nLet me know if you would like any step explained in more detail!",
    ),
    "thoughts first": headed(
        lambda p: f"**{p.number}.** ",
        opening="<think>\n1. Read.\n2. Plan.\n1. Check.\n" + "Hm. " * 900 + "\n</think>\n",
    ),
    "fence around all": headed(lambda p: f"## {p.number}\n", opening="```markdown\n", closing="```"),
    "backwards": shuffled(headed(lambda p: f"## Part {p.number}\n"), lambda number: -number),
    "second first": shuffled(headed(lambda p: f"**Question {p.number}.** "), lambda number: abs(number - 2)),
    "summary list": summed(
        headed(lambda p: f"## Part {p.number}\n"), "\n## Summary\n", lambda p: f"{p.number}. "
    ),
    "summary of answers": summed(
        headed(lambda p: f"**{p.number}.** "), "\n**Final answers:**\n", lambda p: f"({p.number}) "
    ),
    "summary table": summed(
        headed(lambda p: f"### {p.number}. {p.title}\n"),
        "\n---\n\n### Summary\n\n| Part | Answer |\n|---|---|\n",
        lambda p: f"| {p.number} | ",
    ),
    "questions first": echoed(headed(lambda p: f"**{p.number}.** "), lambda p: f"{p.number}. "),
    "questions first, alike": echoed(headed(lambda p: f"({p.number}) "), lambda p: f"({p.number}) "),
    "rows": headed(
        lambda p: f"| {p.number} | ", between=" |\n", opening="| Part | Answer |\n|:---|:---|\n", closing="\n"
    ),
}
"""By name."""


def rowed(part: Part) -> bool:
    """Whether an answer fits a table's row."""
    return "\n" not in part.answer and "|" not in part.answer
