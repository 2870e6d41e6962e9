"""argus review: the desk at which people mark what is doubted, and who may sit at it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.options import ArchiveUrl
from grader.errors import UsageError

app = typer.Typer(help="Serve a page on which people mark what is doubted, and what was drawn at random.")

_PORT = 8765
_OTHERS = "For other machines"
Name = Annotated[str, typer.Argument(metavar="NAME", help="The person, as marks name them.")]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, help="The port.")]


@app.callback(invoke_without_command=True)
def review(
    context: typer.Context,
    archive: ArchiveUrl = None,
    port: Port = _PORT,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="A report as JSON: the verdicts that its differences hang on come first.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="What to listen on.", rich_help_panel=_OTHERS)
    ] = "127.0.0.1",
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="URL",
            help="What people open, if not host and port.",
            show_default=False,
            rich_help_panel=_OTHERS,
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option("--tls-cert", help="A certificate, PEM.", show_default=False, rich_help_panel=_OTHERS),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option("--tls-key", help="Its key, PEM.", show_default=False, rich_help_panel=_OTHERS),
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="A proxy with TLS stands before it.", rich_help_panel=_OTHERS),
    ] = False,
) -> None:
    """Fill the queue from the last gradings and serve the desk, until Ctrl-C.

    Only this machine reaches it, unless another --host is given with TLS or
    behind a proxy. People come by links: `argus review invite NAME`.
    """
    if context.invoked_subcommand is not None:
        return
    from grader.review.extra import require_extra

    require_extra()
    from grader.archive.store import open_archive
    from grader.review.fragile import fragile_places
    from grader.review.queue import QueueRules, fill
    from grader.review.serving import Serving, address_of, open_desk

    serving = Serving(host, port, address, tls_cert, tls_key, behind_proxy)
    where = address_of(serving)
    with open_archive(archive, create=False) as opened:
        fragile = fragile_places(opened, report) if report else frozenset()
        serve = open_desk(opened, serving, where)
        new = fill(opened, QueueRules(fragile=fragile))
        waiting = opened.progress().items.get("open", 0)
        typer.echo(
            f"{new} new items, {waiting} wait for a mark. The desk is at {where.origin}, Ctrl-C ends it."
        )
        if not any(one.revoked is None for one in opened.reviewers()):
            typer.echo("Nobody is invited yet: argus review invite NAME")
        serve()


@app.command()
def invite(
    name: Name,
    adjudicator: Annotated[
        bool, typer.Option("--adjudicator", help="They may settle what others differ on.")
    ] = False,
    archive: ArchiveUrl = None,
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="What people open.")
    ] = f"http://127.0.0.1:{_PORT}",
) -> None:
    """Print a link by which a person marks; invited again, they get another and the old one ends."""
    from grader.archive.store import open_archive
    from grader.review.security import new_token, token_hash
    from grader.review.serving import parse_address

    where = parse_address(address)
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise UsageError("no name", got=repr(name), expected="printable characters")
    token = new_token()
    with open_archive(archive, create=False) as opened:
        opened.invite(name, token_hash(token), adjudicates=adjudicator)
    typer.echo(f"{where.origin}/enter?token={token}")


@app.command()
def revoke(name: Name, archive: ArchiveUrl = None) -> None:
    """End a person's link, and let go of what they hold. Their marks stay."""
    from grader.archive.store import open_archive

    with open_archive(archive, create=False) as opened:
        if not opened.revoke(name):
            known = ", ".join(one.name for one in opened.reviewers()) or "nobody"
            raise UsageError("nobody of that name was invited", got=repr(name), expected=known)
    typer.echo(f"The link of {name} opens nothing any more.")


@app.command()
def status(archive: ArchiveUrl = None) -> None:
    """Say how far the queue is, who has marked how much, and how narrow that has made the correction."""
    from grader.archive.store import open_archive
    from grader.render.plain import one_line
    from grader.review.reached import reached

    with open_archive(archive, create=False) as opened:
        progress, people = opened.progress(), opened.reviewers()
        runs = opened.runs()
        said = list(reached(opened))
    items = ", ".join(f"{progress.items.get(state, 0)} {state}" for state in ("open", "done", "withdrawn"))
    typer.echo(f"items: {items}")
    for one in people:
        count, seconds = progress.by_reviewer.get(one.name, (0, 0.0))
        role = ", adjudicator" if one.adjudicates else ""
        ended = ", revoked" if one.revoked else ""
        each = f", {seconds / count:.0f} s each" if count else ""
        typer.echo(f"{one_line(one.name)}{role}{ended}: {count} marked{each}")
    for line in said:
        typer.echo(line)
    for run in runs:  # the desk names runs by digest only
        typer.echo(f"run {run.digest[:12]}: {one_line(run.name)}")
