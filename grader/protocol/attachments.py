"""Input files as a model sees them: their text."""

from __future__ import annotations

from grader.errors import UsageError
from grader.problem.set import ProblemSet
from grader.problem.visible import Attachment
from grader.protocol.messages import ContentOf


def contents(problems: ProblemSet, problem_id: str) -> ContentOf:
    """The text of each input file of a problem; it raises UsageError for one that is no text."""

    def content_of(attachment: Attachment) -> str:
        data = problems.files[problem_id, "files", attachment.file].read()
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise UsageError(
                "an input file is no text, so it can't be put into a message",
                file=attachment.file,
                do="Leave the problem out: name the others by --problem.",
            ) from None

    return content_of
