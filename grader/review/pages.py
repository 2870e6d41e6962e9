"""HTML pages of the desk, from the templates beside this module; everything is escaped that isn't markup."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from grader.render.plain import one_line, plain

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("grader.review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(one_line=one_line, plain=plain, words=_words)
    return environment


def _words(name: str) -> str:
    return name.replace("_", " ")


def page(template: str, **values: Any) -> str:
    """The page that a template makes of values. Pages extend ``base.html``, which says what each needs."""
    return _environment().get_template(template).render(**values)
