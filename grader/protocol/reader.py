"""The mode text_reader: a text model may ask a vision model about figures, by a tool and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.errors import UsageError
from grader.model import provider
from grader.model.line import Terms
from grader.model.reply import Asker, CallFailed, Reply
from grader.model.request import IMAGE_SCHEME, Endpoint, Message, ModelRequest
from grader.model.told import withheld
from grader.problem.visible import Figure
from grader.protocol.asker import Kind
from grader.protocol.messages import DigestOf
from grader.protocol.reader_tool import TOLD, TOOL
from grader.protocol.sampling import at_sample
from grader.protocol.spoken import ToolCall, spoken_in

FAILED = "the reader failed"
"""How the error of a turn begins whose reader call failed, behind the kind of the failure."""


@dataclass(frozen=True)
class Reader:
    """The vision model that is asked, and how often."""

    endpoint: Endpoint
    parameters: Mapping[str, Any]
    """``max_tokens`` is always there."""
    terms: Terms = field(default_factory=Terms)
    most_calls: int = 8
    """In one turn; after them the model has to answer with what it has."""
    descriptions: bool = False
    """Show the authors' descriptions beside the tool."""
    vision: bool | None = None
    """Whether it sees images; None: the client's list of models is asked."""
    kind: Kind = "model"
    cmd: str | None = None
    """Of a program: what starts it."""

    def at(self, sample: int) -> dict[str, Any]:
        """The parameters of one sample."""
        return at_sample(self.parameters, sample)

    def check_sees(self) -> None:
        """Raises UsageError for a model that is known not to see; to be named a reader says that it does."""
        known = provider.sees(self.endpoint.model) if self.vision is None else self.vision
        if known is False:
            raise UsageError(
                f"{self.endpoint.model} sees no images, so it can't read figures",
                expected="a vision model as the reader",
                do="Say --reader-vision if it does see them (in a sweep: vision = true below [reader]).",
            )


@dataclass(frozen=True)
class ReaderCall:
    """One question to the reader, as the run records it."""

    figure: str
    question: str
    answer: str | None
    """None where there is none."""
    error: str | None = None
    """Why there is no answer."""
    reply: Reply | None = None
    """None where nothing was asked (no such figure, no question) or what was asked was withheld."""

    @property
    def told(self) -> str:
        """What the model is told."""
        return self.answer if self.answer is not None else TOLD["error"].format(error=self.error)

    def record(self, reader: Reader) -> dict[str, Any]:
        """The call as it stands in run.jsonl."""
        kept: dict[str, Any] = {"figure": self.figure, "question": self.question, "answer": self.answer}
        if self.error is not None:
            kept["error"] = self.error
        if self.reply is not None:
            attempt = self.reply.attempt
            kept["model"] = reader.endpoint.model
            kept["request"] = self.reply.key
            kept["finish_reason"] = attempt.finish_reason
            kept["usage"] = {
                "prompt_tokens": attempt.usage.prompt,
                "completion_tokens": attempt.usage.completion,
            }
            kept["cost"] = attempt.cost
        return kept


async def read(
    call: ToolCall, figures: Sequence[Figure], reader: Reader, asker: Asker, digest_of: DigestOf, sample: int
) -> ReaderCall:
    """Put the model's question to the reader.

    What the model can do something about, it is told: a call that can't be
    read, a reply that is withheld or empty. Any other failure raises
    CallFailed, as an answer given without what it asked for would measure the
    reader's bad day; NotAsked where nothing may be sent.
    """
    arguments = call.arguments or {}
    name, question = str(arguments.get("figure") or ""), str(arguments.get("question") or "")
    figure = next((one for one in figures if one.name.casefold() == name.strip().casefold()), None)
    if call.name != TOOL or figure is None or not question.strip():
        names = ", ".join(one.name for one in figures)
        return ReaderCall(name, question, None, TOLD["no_call"].format(tool=TOOL, figures=names))
    request = ModelRequest(
        reader.endpoint, (_question(digest_of(figure), question),), reader.at(sample), vote=sample
    )
    try:
        reply = await asker.ask(request)
    except CallFailed as failed:
        if failed.failure in ("bad_request", "auth") and withheld(failed.detail):
            return ReaderCall(figure.name, question, None, TOLD["refused"])
        raise CallFailed(failed.failure, f"{FAILED}: {failed.detail}") from None
    text = spoken_in(reply.raw).text
    if not text.strip():
        return ReaderCall(figure.name, question, None, TOLD["silent"], reply)
    return ReaderCall(figure.name, question, text, reply=reply)


def _question(digest: str, question: str) -> Message:
    image = {"type": "image_url", "image_url": {"url": IMAGE_SCHEME + digest}}
    return {"role": "user", "content": [image, {"type": "text", "text": question}]}
