"""The documents in a judge's text: what is JSON, what is thinking, what is prose."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from grader.judge.replies import relaxed
from grader.judge.replies.relaxed import Broken, Clash, TooDeep, Unclosed
from grader.judge.replies.replied import ReplyError

UNSEEN = " \t\n\r\f\v\0\xa0\u200b\u200c\u200d\u2060\ufeff"
"""What may stand around anything without meaning anything."""

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_OPENING = (
    rf"<(?:{_TAGS})\b[^<>]{{0,80}}>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
    r"|<\|channel\|>(?:analysis|commentary)\b"
)
_CLOSING = (
    rf"</\s?(?:{_TAGS})\s?>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|channel\|>final\b(?:<\|message\|>)?"
)
_MARK = re.compile(
    rf"(?P<open>{_OPENING})|(?P<close>{_CLOSING})|(?P<start>[{re.escape(relaxed.STARTS)}])", re.I
)
_MOST_TRIED = 5000
"""Brackets looked into: a bound keeps hostile replies cheap."""
_END_OF_THINKING = re.compile(_CLOSING, re.I)
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|([{\[｛［])|[}\]｝］]', re.S)
_BETWEEN = re.compile(rf"(?:[\s{UNSEEN},;]|```\w*|~~~\w*)*")
_CLOSES = re.compile(rf"[\s{UNSEEN},]*[}}\]｝］]")
_CITED = re.compile(r"[\[［][\w\s.,;–-]*\b(\w+)[\s.,;–-]*")
"""An open bracket of prose: only words and numbers behind it, where a document has quotes and brackets."""
_SAYS = re.compile(r"\b(?:met|unmet|partial|verdict|true|false|null|none)")
_ENCODED = re.compile(r'[{\[｛［][\s{\[]{0,20}\\{1,9}"[^"\\]{0,80}\\{1,9}"\s*[:,]')
"""A document within a string, of which only a reader of the whole string could make anything."""


@dataclass(frozen=True, slots=True)
class Document:
    """A complete document."""

    value: Any
    source: str
    adjoins: bool = False
    """Nothing but white space, commas and fences stands between it and the one before."""
    loose: bool = False
    """More is closed behind it than was opened: it may be a piece of something whose beginning is lost."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a text holds once its thinking is left out."""

    documents: tuple[Document, ...]
    prose: str
    """The text from the end of the thinking on; blank if there is nothing else."""
    unclosed: ReplyError | None = None
    """A last bracket stays open that no document need begin with: right only if the documents cover all."""


def contents(text: str, asked: Collection[str]) -> Contents:
    """The documents of a text, in order.

    ``asked`` are the folded ids: a document that names one and can't be read
    makes the text unparseable, others are passed over. Raises ReplyError
    (truncated, unparseable).
    """
    text = text.strip(UNSEEN)
    try:
        value = relaxed.STRICT.decode(text)
    except Clash as clash:
        raise _clash(clash) from None
    except (ValueError, RecursionError):
        return _scanned(text, asked)
    return Contents((Document(value, text),), text)


def _scanned(text: str, asked: Collection[str]) -> Contents:
    found: list[Document] = []
    unclosed = None
    at = prose = last = tried = 0
    while mark := _MARK.search(text, at):
        tried += 1
        if tried > _MOST_TRIED:
            raise ReplyError("unparseable", "there are thousands of brackets, and no verdicts in them")
        if mark["open"]:
            at = prose = _after_thinking(text, mark.end())
        elif mark["close"]:
            # Its opening tag was eaten: all that stands before it was thinking, drafts included.
            found.clear()
            at = prose = mark.end()
        else:
            try:
                value, at = _document(text, mark.start(), asked)
            except ReplyError as error:
                if not found or not _cites(text[mark.start() :], asked):
                    raise
                unclosed = error
                break
            if isinstance(value, (dict, list)):
                adjoins = bool(found) and _BETWEEN.fullmatch(text, last, mark.start()) is not None
                loose = _CLOSES.match(text, at) is not None
                found.append(Document(value, text[mark.start() : at], adjoins, loose))
                last = at
    return Contents(tuple(found), text[prose:].strip(UNSEEN), unclosed)


def _after_thinking(text: str, at: int) -> int:
    end = _END_OF_THINKING.search(text, at)
    if not end:
        raise ReplyError("truncated", "the thinking doesn't end, so nothing in it is a verdict")
    return end.end()


def _document(text: str, start: int, asked: Collection[str]) -> tuple[Any, int]:
    """The document that starts here and its end; None in place of it where it is none."""
    try:
        return relaxed.read(text, start)
    except Clash as clash:
        raise _clash(clash) from None
    except TooDeep as error:
        raise ReplyError("unparseable", f"the JSON is {error}") from None
    except Unclosed:
        raise ReplyError("truncated", "the JSON document doesn't end") from None
    except Broken as broken:
        if not broken.begun and not _ENCODED.match(text, start):
            return None, max(broken.at, start + 1)
        return None, _passed_over(text, start, broken.at, asked)


def _cites(rest: str, asked: Collection[str]) -> bool:
    """Whether an open bracket is prose: no asked id and no verdict is in it, nor the beginning of one."""
    cited = _CITED.fullmatch(rest)
    said = rest.casefold()
    if not cited or _SAYS.search(said):
        return False
    return not any(point in said or point.startswith(cited[1].casefold()) for point in asked)


def _passed_over(text: str, start: int, at: int, asked: Collection[str]) -> int:
    """The end of a document that can't be read, if nothing that was asked for is in it."""
    end = _closed(text, start)
    broken = ReplyError("unparseable", f"the JSON is broken near {text[at : at + 30]!r}")
    if end is None:
        ends = text.rstrip(UNSEEN + "`~").endswith(("}", "]"))
        raise broken if ends else ReplyError("truncated", "the JSON document doesn't end")
    document = text[start:end].casefold()
    if any(point in document for point in asked):
        raise broken
    return end


def _closed(text: str, start: int) -> int | None:
    """Where the brackets that open here are closed; brackets in strings don't count."""
    depth = 0
    for mark in _STRUCTURE.finditer(text, start):
        if mark[0][0] == '"':
            continue
        depth += 1 if mark[1] else -1
        if depth == 0:
            return mark.end()
    return None


def _clash(clash: Clash) -> ReplyError:
    return ReplyError("unparseable", f"the key {str(clash)!r} has two values in one object")
