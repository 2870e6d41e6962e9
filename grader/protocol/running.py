"""One run under way: its conversations, each asked turn after turn, each answer kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from grader.model.reply import Asker, NotAsked
from grader.model.request import Message
from grader.protocol.attachments import contents
from grader.protocol.exchange import Asked, Exchange, exchange
from grader.protocol.messages import message, opening
from grader.protocol.overflow import NOT_ASKED, overflowed
from grader.protocol.pictures import Pictures
from grader.protocol.plan import Conversation
from grader.protocol.request import RunRequest
from grader.protocol.state import RunState, Unasked
from grader.protocol.turns import Turn
from grader.record import Response
from grader.record.run_log import Key, RunLog


class Running:
    """A run's conversations under way."""

    def __init__(
        self,
        request: RunRequest,
        pictures: Pictures,
        log: RunLog,
        state: RunState,
        progress: Callable[[], None],
    ) -> None:
        self.request = request
        self.pictures = pictures
        self._log = log
        self._state = state
        self._progress = progress
        self._conversations = self._missing()

    async def work(self, asker: Asker) -> None:
        """Carry one conversation after another; several may do so, as each takes the next."""
        for conversation in self._conversations:
            await self._converse(conversation, asker)

    def _missing(self) -> Iterator[Conversation]:
        for conversation in self.request.plan:
            if self._left(conversation):
                yield conversation

    def _left(self, conversation: Conversation) -> int:
        """How many of its turns have no response."""
        return sum(self._key(conversation, turn) not in self._log for turn in conversation.turns)

    def _key(self, conversation: Conversation, turn: Turn) -> Key:
        protocol, mode = conversation.condition
        name = self.request.solver.name
        return (name, conversation.problem_id, turn.sub_id, protocol, mode, conversation.sample)

    async def _converse(self, conversation: Conversation, asker: Asker) -> None:
        asked = self._asked(conversation, asker)
        messages: list[Message] = [*opening(self.request.profile)]
        for index, turn in enumerate(conversation.turns):
            messages.append(self._message(conversation, turn))
            key = self._key(conversation, turn)
            if key in self._log:
                line = self._log.line(key)
                if line.get("error") is not None:  # of those that failed, only an overflow is kept
                    await self._end(conversation, index + 1)
                    return
                messages += _carried(line)
                continue
            try:
                done = await exchange(messages, conversation.figures(index), asked)
            except NotAsked as refused:
                self._leave(conversation, refused.why)
                return
            meta = self._meta(conversation, turn, messages[-1], done)
            kept = await self._keep(self._response(conversation, turn, done, meta))
            if overflowed(kept):
                await self._end(conversation, index + 1)
                return
            if kept.error is not None:
                # those after it would have to be asked without it
                self._leave(conversation, "failed", but=1)
                return
            messages += done.carried

    def _asked(self, conversation: Conversation, asker: Asker) -> Asked:
        solver, sample = self.request.solver, conversation.sample
        reader = self.request.reader if conversation.condition[1] == "text_reader" else None
        return Asked(
            asker,
            solver.endpoint,
            solver.at(sample),
            sample,
            lambda figure: self.pictures.of(conversation.problem_id, figure).digest,
            reader,
            # a program may keep a state, and what it was asked under one condition is nothing to another
            conversation.name if solver.kind == "program" else "",
        )

    def _message(self, conversation: Conversation, turn: Turn) -> Message:
        problem_id = conversation.problem_id
        return message(
            turn,
            conversation.condition[0],
            self.request.profile,
            lambda figure: self.pictures.of(problem_id, figure).digest,
            contents(self.request.problems, problem_id),
        )

    async def _end(self, conversation: Conversation, begin: int) -> None:
        """Record of the turns behind an overflow that they can't be asked."""
        for turn in conversation.turns[begin:]:
            if self._key(conversation, turn) not in self._log:
                await self._keep(self._response(conversation, turn, Exchange(error=NOT_ASKED), {}))

    async def _keep(self, response: Response) -> Response:
        kept = await self._log.append(response)
        self._state.count(kept)
        self._progress()
        return kept

    def _response(
        self, conversation: Conversation, turn: Turn, done: Exchange, meta: Mapping[str, Any]
    ) -> Response:
        protocol, mode = conversation.condition
        return Response(
            model=self.request.solver.name,
            problem_id=conversation.problem_id,
            sub_id=turn.sub_id,
            protocol=protocol,
            mode=mode,
            sample=conversation.sample,
            text=done.text,
            finish_reason=done.finish_reason,
            error=done.error,
            meta=meta,
        )

    def _meta(
        self, conversation: Conversation, turn: Turn, shown: Message, done: Exchange
    ) -> Mapping[str, Any]:
        """All that is recorded of a turn besides its answer."""
        reader = self.request.reader
        images = [
            self.pictures.of(conversation.problem_id, figure).record(figure.name)
            for figure in turn.figures
            if conversation.condition[1] == "multimodal"
        ]
        granted = [{"of": one.sub_id, "derived": one.derived} for one in turn.granted]
        given: dict[str, Any] = {"message": shown, "images": images, "granted": granted}
        if turn.ungranted:
            given["ungranted"] = list(turn.ungranted)
        kept: dict[str, Any] = {
            "input": given,
            "usage": done.usage,
            "cost": done.cost,
            "reasoning": done.reasoning,
            "files": list(done.files) or None,
            "timing": {"ended": datetime.now(UTC).isoformat(), "seconds": round(done.seconds, 3)},
        }
        if reader is not None and conversation.condition[1] == "text_reader":
            kept["reader_calls"] = [call.record(reader) for call in done.reader_calls]
            kept["carried"] = done.carried
        return {name: value for name, value in kept.items() if value is not None}

    def _leave(self, conversation: Conversation, why: Unasked, but: int = 0) -> None:
        """Ask no more of a conversation; ``but`` counts the turns without a response that were asked."""
        self._state.leave(conversation.condition, self._left(conversation) - but, why)
        self._progress()


def _carried(line: Mapping[str, Any]) -> list[Message]:
    """What the turns after a recorded response see of it."""
    if (kept := line.get("carried")) is not None:
        return list(kept)
    return [{"role": "assistant", "content": line["text"]}] if line["text"].strip() else []
