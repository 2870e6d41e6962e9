"""Messages as a person reads them, with their images as files beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.model.body import image_digests
from grader.model.request import IMAGE_SCHEME, Message, ModelRequest
from grader.problem.visible import visible
from grader.protocol.pictures import Pictures
from grader.protocol.request import RunRequest


class FigureFiles:
    """The images of a run as files for a person, as they would be sent to a model, under neutral names."""

    def __init__(self, request: RunRequest, pictures: Pictures, folder: Path) -> None:
        """``folder``: where they are written, those of each problem in one of its own."""
        self._set = request.problems
        self._asked = {problem.problem_id for problem in request.plan.problems}
        self._pictures = pictures
        self._folder = folder
        self._names: dict[str, dict[str, str]] = {}

    def written(self, request: ModelRequest) -> Mapping[str, Path]:
        """Files of the images of a request, by their digests. Raises UsageError where none can be written."""
        digests = set(image_digests(request))
        if not digests:
            return {}
        folder, names = self._problem(digests)
        paths: dict[str, Path] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for digest in digests:
                media_type, data = self._pictures(digest)
                paths[digest] = folder / f"{names[digest]}.{media_type.removeprefix('image/')}"
                paths[digest].write_bytes(data)
        except OSError as error:
            raise UsageError(f"can't write a figure: {error.strerror}", file=str(folder)) from None
        return paths

    def _problem(self, digests: set[str]) -> tuple[Path, Mapping[str, str]]:
        """The folder of the problem that shows these images, and their names in it."""
        for number, problem_id in enumerate(self._set.problems, start=1):
            if problem_id in self._asked and digests <= self._named(problem_id).keys():
                return self._folder / str(number), self._named(problem_id)
        raise KeyError("no problem of the run shows these images")

    def _named(self, problem_id: str) -> Mapping[str, str]:
        """The names of a problem's figures, by digest."""
        if problem_id not in self._names:
            names: dict[str, str] = {}
            for figure in visible(self._set.problems[problem_id]).every_figure:
                names.setdefault(self._pictures.of(problem_id, figure).digest, figure.name)
            self._names[problem_id] = names
        return self._names[problem_id]


def written(message: Message, figures: Mapping[str, Path], figure: Callable[[Path], str]) -> str:
    """A message as a person reads it; ``figure`` says where an image is."""
    content = message["content"]
    parts: Sequence[Mapping[str, Any]] = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    return "\n\n".join(
        part["text"]
        if part["type"] == "text"
        else figure(figures[part["image_url"]["url"].removeprefix(IMAGE_SCHEME)])
        for part in parts
    )
