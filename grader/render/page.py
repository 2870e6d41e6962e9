"""HTML pages from the templates beside this module, everything escaped that isn't marked as markup."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from grader.render.plain import one_line, plain

if TYPE_CHECKING:
    from jinja2 import Environment

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""The content security policy of a self-contained page: no script, and nothing is loaded from anywhere."""


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("grader.render"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["policy"] = POLICY
    environment.filters.update(one_line=one_line, plain=plain)
    return environment


def page(template: str, **values: Any) -> str:
    """The page that a template makes of values.

    Pages extend ``base.html``, which says what blocks there are; ``parts.html``
    has the macros for what stands on several pages.
    """
    return _environment().get_template(template).render(**values)
