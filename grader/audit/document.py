"""What an audit prints: parts of sentences and tables, before any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.render.tables import DataTable

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Part:
    """A part with a heading."""

    key: str
    title: str
    says: tuple[str, ...] = ()
    """What was found, a list."""
    text: tuple[str, ...] = ()
    """Paragraphs."""
    tables: tuple[DataTable, ...] = ()
    folded: tuple[DataTable, ...] = ()
    """Tables that a page folds away and a terminal leaves out: misses and conflicts one by one."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page of parts; every format prints ``warnings`` before anything else."""

    title: str
    warnings: tuple[str, ...]
    says: tuple[str, ...]
    """What the page comes to."""
    parts: tuple[Part, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    """Its JSON form without ``schema_version``, documented in docs/output.md."""
