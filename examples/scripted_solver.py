"""Scripted solvers for the demo set. No model is asked: they repeat its written replies.

    python3 examples/scripted_solver.py problems/demo --fault propagation

answers JSON lines, as docs/solvers.md says. A solver gives the reply of ``demo-strong`` where
nothing keeps it from being right, else that of ``demo-weak``, and goes by nothing but the
messages that reach it. Each has one fault:

- ``propagation``: it starts each chain wrong, and is right later only if the result before is
  (carried from its own answer, or granted).
- ``integration``: asked everything at once, it gets only the first two answers right.
- ``images``: it is wrong where a question has a figure of its own, unless somebody tells it
  what that shows.

    python3 examples/scripted_solver.py problems/demo --marks RUN.jsonl ...

prints the set's marks of those two solvers' replies as marks of the runs that repeat them.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

RIGHT, WRONG = "demo-strong", "demo-weak"
FAULTS = ("propagation", "integration", "images")
MARK = ("model", "protocol", "mode", "point_id", "points", "by")
"""What is said of a mark."""

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """A subquestion, and what is said to it."""

    sub_id: str
    text: str
    result: str
    """The standard result."""
    figures: Mapping[str, str]
    """Its own, by the names that a solver sees; what each shows."""
    right: str
    wrong: str


@dataclass(frozen=True)
class Problem:
    """A problem of the set."""

    problem_id: str
    header: str
    questions: Sequence[Question]


def read_set(folder: Path) -> list[Problem]:
    """The problems of the demo set, with the replies that its run holds."""
    replies = {(line["model"], line["sub_id"]): line["text"] for line in _lines(folder / "run.jsonl")[1:]}
    return [
        _problem(json.loads(path.read_text("utf-8")), replies)
        for path in sorted(folder.glob("tasks/*/problem.json"))
    ]


def _problem(raw: Mapping[str, Any], replies: Mapping[tuple[str, str], str]) -> Problem:
    number = count(1 + len(raw["header_images"]))
    questions = []
    for sub in raw["subquestions"]:
        figures = {f"Figure {next(number)}": image["description"] for image in sub["text_images"]}
        said = (replies[RIGHT, sub["sub_id"]], replies[WRONG, sub["sub_id"]])
        questions.append(
            Question(sub["sub_id"], sub["text_open"], sub.get("standard_result", ""), figures, *said)
        )
    return Problem(raw["problem_id"], raw["header"], questions)


class Solver:
    """A solver with one fault."""

    def __init__(self, problems: Sequence[Problem], fault: str) -> None:
        self._problems = problems
        self._fault = fault

    def reply(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Its reply to a conversation: a text, or calls of the tool that reads figures."""
        seen = _Seen.of(messages)
        problem = next(one for one in self._problems if one.header in seen.shown[0])
        asked = [index for index, one in enumerate(problem.questions) if one.text in seen.shown[-1]]
        figures = {name: says for index in asked for name, says in problem.questions[index].figures.items()}
        if tools and (unread := [name for name in figures if name not in seen.read]):
            return {"text": None, "tool_calls": [_call(name) for name in unread]}
        texts = [self._answer(problem.questions, index, len(asked) > 1, seen) for index in asked]
        if len(texts) == 1:
            return {"text": texts[0]}
        return {"text": "\n\n".join(f"## ({n})\n\n{text}" for n, text in enumerate(texts, start=1))}

    def _answer(self, questions: Sequence[Question], index: int, everything: bool, seen: _Seen) -> str:
        question = questions[index]
        if self._fault == "propagation":
            right = index > 0 and seen.knows(questions[index - 1])
        elif self._fault == "integration":
            right = index < 2 or not everything
        else:
            right = all(seen.told(name, says) for name, says in question.figures.items())
        return question.right if right else question.wrong


@dataclass(frozen=True)
class _Seen:
    """What a conversation holds."""

    shown: Sequence[str]
    """The texts of the user's messages."""
    said: Sequence[str]
    """The solver's own earlier answers."""
    read: Mapping[str, str]
    """What a reader said of figures, by their names."""

    @classmethod
    def of(cls, messages: Sequence[Message]) -> _Seen:
        figures = {
            call["id"]: json.loads(call["function"]["arguments"])["figure"]
            for message in messages
            for call in message.get("tool_calls") or ()
        }
        return cls(
            [_text(one) for one in messages if one["role"] == "user"],
            [_text(one) for one in messages if one["role"] == "assistant"],
            {figures[one["tool_call_id"]]: one["content"] for one in messages if one["role"] == "tool"},
        )

    def knows(self, before: Question) -> bool:
        """Whether the right result of the question before is there: granted, or in its own last answer."""
        granted = bool(before.result) and before.result in self.shown[-1]
        return granted or self.said[-1:] == [before.right]

    def told(self, figure: str, says: str) -> bool:
        """Whether somebody has told what a figure shows."""
        return says in self.read.get(figure, "") or any(says in text for text in self.shown)


def _text(message: Message) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


def _call(figure: str) -> dict[str, Any]:
    arguments = json.dumps({"figure": figure, "question": "What does it show?"})
    return {
        "id": figure.replace(" ", "-"),
        "type": "function",
        "function": {"name": "read_image", "arguments": arguments},
    }


def marks_of(run: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """The set's marks of the replies that a run repeats."""
    marks = _lines(folder / "marks.jsonl")
    questions = {one.sub_id: one for problem in read_set(folder) for one in problem.questions}
    subs = {problem.problem_id: [one.sub_id for one in problem.questions] for problem in read_set(folder)}
    header, *responses = _lines(run)
    for response in responses:
        for sub_id in [response["sub_id"]] if "sub_id" in response else subs[response["problem_id"]]:
            written = RIGHT if questions[sub_id].right in response["text"] else WRONG
            place = {"model": header["model"], "protocol": response["protocol"], "mode": response["mode"]}
            for mark in marks:
                if (mark["model"], mark["sub_id"]) == (written, sub_id):
                    yield {**place, **{name: mark[name] for name in MARK[3:]}}


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Answer lines, or print marks."""
    parser = argparse.ArgumentParser(description="Scripted solvers for the demo set; no model is asked.")
    parser.add_argument("set", type=Path, help="the demo set")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--fault", choices=FAULTS)
    what.add_argument("--marks", type=Path, nargs="+", metavar="RUN")
    given = parser.parse_args()
    if given.marks:
        marks = csv.DictWriter(sys.stdout, MARK, lineterminator="\n")
        marks.writeheader()
        found = (mark for run in given.marks for mark in marks_of(run, given.set))
        # a run's answers stand there as they came
        marks.writerows(sorted(found, key=lambda mark: [mark[name] for name in MARK[:4]]))
        return
    solver = Solver(read_set(given.set), given.fault)
    for line in sys.stdin:
        request = json.loads(line)
        reply = solver.reply(request["messages"], request.get("tools", ()))
        print(json.dumps({"request": request["request"], **reply}), flush=True)


if __name__ == "__main__":
    main()
