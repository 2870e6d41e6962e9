"""What a run has to ask: its conditions, and the conversations in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.problem.model import Problem
from grader.problem.visible import Figure, visible
from grader.protocol.scaffold import scaffolds
from grader.protocol.turns import Oracle, ShownMode, ShownProtocol, Turn, turns

Condition = tuple[ShownProtocol, ShownMode]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns that have to be asked one after another, each with what was said before."""

    problem_id: str
    condition: Condition
    sample: int
    turns: tuple[Turn, ...]

    @property
    def name(self) -> str:
        """What tells it from all other conversations of a run."""
        return json.dumps([self.problem_id, *self.condition, self.sample, self.turns[0].sub_id])

    def figures(self, index: int) -> tuple[Figure, ...]:
        """The figures shown up to a turn."""
        return tuple(figure for turn in self.turns[: index + 1] for figure in turn.figures)


@dataclass(frozen=True)
class Plan:
    """The conversations of a run, in an order in which a killed run leaves whole problems."""

    problems: Sequence[Problem]
    conditions: Sequence[Condition]
    samples: int = 1
    oracle: Oracle = field(default_factory=Oracle)
    descriptions: bool = False
    """Of figures, in text_reader."""

    def __iter__(self) -> Iterator[Conversation]:
        for sample in range(self.samples):
            for problem in self.problems:
                for condition in self.conditions:
                    yield from self._conversations(problem, condition, sample)

    def expected(self) -> Mapping[Condition, int]:
        """How many responses each condition has when it is complete."""
        chains = self.samples * sum(len(problem.subquestions) for problem in self.problems)
        wholes = self.samples * len(self.problems)
        return {one: wholes if one[0] == "full_problem" else chains for one in self.conditions}

    @property
    def grants(self) -> bool:
        """Whether standard results are granted, as far as there are any."""
        oracle = any(protocol == "oracle_scaffolded" for protocol, _ in self.conditions)
        return oracle and self.oracle.scope != "none"

    def grants_nothing(self) -> bool:
        """Whether there are subquestions whose results would be granted, and none of them has one."""
        chains = [problem for problem in self.problems if len(problem.subquestions) > 1]
        return bool(chains) and not any(map(scaffolds, chains))

    def _conversations(self, problem: Problem, condition: Condition, sample: int) -> Iterator[Conversation]:
        protocol, mode = condition
        granted = scaffolds(problem) if protocol == "oracle_scaffolded" else {}
        shown = turns(visible(problem), protocol, mode, granted, self.oracle, descriptions=self.descriptions)
        begun: list[Turn] = []
        for turn in shown:
            if begun and not turn.continues:
                yield Conversation(problem.problem_id, condition, sample, tuple(begun))
                begun = []
            begun.append(turn)
        yield Conversation(problem.problem_id, condition, sample, tuple(begun))
