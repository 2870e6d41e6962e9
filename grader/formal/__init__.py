"""The formal track: one module for each check kind, found through one registry.

Knows no database, no LLM client and no web: others embed it.

    from grader.formal import check, check_many
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.formal.checking import check, check_many

__all__ = ["check", "check_many"]


def __getattr__(name: str) -> Any:
    # imported when it is asked for: naming the package must load nothing
    if name in __all__:
        from grader.formal import checking

        return getattr(checking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
