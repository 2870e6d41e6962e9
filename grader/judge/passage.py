"""A locator's reply read strictly: one quote, or a plain statement that there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader.judge.replies import relaxed
from grader.judge.replies.body import said
from grader.judge.replies.documents import Document, contents
from grader.judge.replies.quotation import literally, settle
from grader.judge.reply import ReplyError

_FIELD = "quote"


def quoted(reply: str | Mapping[str, Any], answer: str) -> str:
    """The quote of a locator's reply; empty where it says that there is none.

    Raises ReplyError where it says neither, or two things at once.
    """
    quotes = {_quote(document, answer) for document in _documents(reply)}
    if len(quotes) != 1:
        what = "it quotes two passages" if quotes else f"it has no {_FIELD!r}"
        raise ReplyError("unparseable", what)
    return quotes.pop()


def _documents(reply: str | Mapping[str, Any]) -> Iterator[Document]:
    heard = said(reply)
    for text in (*heard.texts, *heard.calls):
        documents = contents(text, (_FIELD,)).documents if isinstance(text, str) else (Document(text, ""),)
        yield from (one for one in documents if isinstance(one.value, Mapping) and _FIELD in one.value)


def _quote(document: Document, answer: str) -> str:
    quote = document.value[_FIELD]
    if quote is None:
        return ""
    if not isinstance(quote, str):
        raise ReplyError("unparseable", f"its {_FIELD!r} is no text")
    return settle(quote, lambda: _literal(document), answer)


def _literal(document: Document) -> str | None:
    """The quote with its backslashes as they were written, where it can be read so."""
    try:
        value, _ = relaxed.read(literally(document.source))
    except (ValueError, IndexError):
        return None
    quote = value.get(_FIELD)
    return quote if isinstance(quote, str) else None
