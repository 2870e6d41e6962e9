"""The tool of text_reader, and all that a model is told by it: words that code says, and no profile.

They are part of every profile's hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TOOL = "read_image"
TOLD: Mapping[str, str] = {
    # a bound that it isn't told of would be a trap
    "description": "Answers a question about a figure. Calls for each answer: at most {most_calls}.",
    "error": "error: {error}",
    "none_left": "no calls are left",
    "no_call": "{tool} takes a figure ({figures}) and a question",
    "refused": "the reader refuses to answer",
    "silent": "the reader gave no answer",
}
"""``none_left``: to a model that asks more often than it may; ``no_call``: where a call can't be read."""


def tool(names: Sequence[str], most_calls: int) -> dict[str, Any]:
    """The tool as the model sees it: which figures there are, and how often it may ask about them."""
    properties = {"figure": {"type": "string", "enum": list(names)}, "question": {"type": "string"}}
    function = {
        "name": TOOL,
        "description": TOLD["description"].format(most_calls=most_calls),
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": ["figure", "question"],
            "additionalProperties": False,
        },
    }
    return {"type": "function", "function": function}


def wording() -> list[object]:
    """All of it that a model may see, of no figure in particular."""
    return [tool((), 0), dict(TOLD)]
