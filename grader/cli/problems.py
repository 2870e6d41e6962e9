"""argus problems: check, write and look at problem sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AsJson
from grader.errors import SetupError, UsageError, shown

if TYPE_CHECKING:
    from rich.console import RenderableType

    from grader.problem.set import SetReport

app = typer.Typer(help="Check, write and look at problem sets.", no_args_is_help=True)

SetPath = Annotated[Path, typer.Argument(metavar="PATH", help="A problem set.", show_default=False)]


@app.command()
def check(path: SetPath, as_json: AsJson = False) -> None:
    """Name everything that is wrong with a problem set, and what deserves a look.

    Exit 2 if there are errors; lints never change the exit code.
    """
    from grader.formal.lint import set_report

    report = set_report(path)
    if as_json:
        typer.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        _print_report(report)
    if report.errors:
        raise typer.Exit(2)


def _print_report(report: SetReport) -> None:
    for fault in report.errors:
        typer.echo(f"error: {fault}")
    for fault in report.lints:
        typer.echo(f"lint: {fault}")
    typer.echo(
        f"{report.problems} problems, {report.subquestions} subquestions, {report.points} points: "
        f"{len(report.errors)} errors, {len(report.lints)} lints"
    )


@app.command()
def rubric(
    cases: Annotated[Path, typer.Argument(metavar="FILE", help="Cases of native rubrics, JSONL.")],
    as_json: AsJson = False,
) -> None:
    """Read the native rubrics of a case file and say how often the reading is the right one."""
    from grader.problem.rubric import agreement

    found = agreement(cases)
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    for case in found.disagreements:
        typer.echo(f"{case.id}: {'; '.join(case.what)}")
    typer.echo(f"{found.cases} cases: {found.agree} agree, marks agree in {found.marks_agree}")


@app.command()
def new(
    problem_id: Annotated[str, typer.Argument(metavar="ID", help="The new problem's id.")],
    folder: Annotated[
        Path, typer.Option("--set", metavar="PATH", help="The set it belongs to; made if need be.")
    ] = Path(),
) -> None:
    """Write a commented skeleton of a problem, in TOML, for `argus problems compile`."""
    from grader.problem.source import new_problem

    typer.echo(new_problem(folder, problem_id))


@app.command("compile")
def compile_(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A problem.toml, its task folder, or a set.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="NEW", help="The folder to write the drafted set to."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compile a problem.toml to the problem.json beside it; with -o, draft checks for a set's native lines.

    A drafted check never decides before it is accepted: argus problems accept.
    """
    if out is None:
        from grader.problem.source import compile_source

        typer.echo(compile_source(path))
        return
    from grader.formal.draft_sets import draft_set
    from grader.render.drafts import draft_report

    drafted = draft_set(path, out)
    _tell(drafted.as_json(), as_json, lambda: draft_report(drafted))


@app.command()
def accept(
    path: SetPath,
    points: Annotated[
        list[str] | None, typer.Argument(metavar="[POINT]...", help="Points whose drafts are right.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Accept every draft that is left.")] = False,
    reject: Annotated[
        list[str] | None,
        typer.Option("--reject", metavar="POINT", help="A draft to drop: its point stays flexible."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Accept drafted checks after review, so that code decides their points; without a POINT, list them."""
    from grader.formal.draft_sets import accept_drafts
    from grader.render.drafts import accept_report

    accepted = accept_drafts(path, points or (), reject or (), every=every)
    _tell(accepted.as_json(), as_json, lambda: accept_report(accepted))


@app.command()
def proof(
    path: SetPath,
    points: Annotated[
        list[str] | None, typer.Argument(metavar="[POINT]...", help="Only these points; all by default.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the answers as cards to a page.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--accept", help="Keep what came out as the set's own case file, proof.jsonl.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show for each formal point answers that must earn it and near-misses that must not, with the verdicts.

    Exit 4 if any comes out otherwise, an accepted one is out of date, or an expected value can't be read.
    """
    from grader.formal.proof import accept_proofs, prove_set
    from grader.render.proofs import proof_page, proof_table

    report = prove_set(path, points or ())
    _tell(report.as_json(), as_json, lambda: proof_table(report))
    if html is not None:
        _write(html, proof_page(report))
    if keep:
        typer.echo(f"kept in {accept_proofs(report)}", err=True)
    elif not report.sound:
        raise typer.Exit(4)


@app.command()
def mend(
    path: SetPath,
    mends: Annotated[Path, typer.Argument(metavar="MENDS", help="Lines of `argus review mends -o`, edited.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="NEW", help="The folder to write the set to.")],
    as_json: AsJson = False,
) -> None:
    """Write a set anew with what reviewers' marks propose, and keep their answers as its cases.

    `argus grade RUN --preview NEW` shows what it would change.
    """
    from grader.review.mending import mend_set

    mended = mend_set(path, mends, out)
    if as_json:
        typer.echo(json.dumps(mended.as_json(), ensure_ascii=False, indent=2))
        return
    typer.echo(
        f"{mended.applied} mends of {len(mended.points)} points, {mended.cases} cases kept, "
        f"{mended.left} lines left to you: {mended.path}"
    )


@app.command()
def scaffolds(
    path: SetPath,
    scope: Annotated[
        str,
        typer.Option(
            "--scope", help="Who is shown a result: the next question (previous), or all later ones."
        ),
    ] = "previous",
    as_json: AsJson = False,
) -> None:
    """Show what each standard result reveals, given or derived from the rubric, and lint it for leaks.

    Lints never change the exit code.
    """
    from grader.protocol.leaks import scaffold_report
    from grader.render.scaffolds import scaffold_table

    report = scaffold_report(path, scope)  # type: ignore[arg-type]  # the report checks it
    _tell(report.as_json(), as_json, lambda: scaffold_table(report))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise SetupError("the page can't be written", file=str(file), got=error.strerror) from error


def _tell(data: dict[str, object], as_json: bool, report: Callable[[], RenderableType]) -> None:
    if as_json:
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    Console().print(report())


@app.command()
def show(
    problem_id: Annotated[str, typer.Argument(metavar="ID", help="A problem of the set.")],
    folder: Annotated[Path, typer.Option("--problems", metavar="PATH", help="The problem set.")] = Path(),
    viewer: Annotated[str, typer.Option("--as", help="model, judge or reviewer.")] = "model",
    protocol: Annotated[
        str, typer.Option("--protocol", help="full_problem, sequential_carry or oracle_scaffolded.")
    ] = "full_problem",
    mode: Annotated[str, typer.Option("--mode", help="multimodal, text_only or text_reader.")] = "multimodal",
    profile: Annotated[
        str,
        typer.Option("--profile", help="How it is written for a model: a prompt profile, or a .toml file."),
    ] = "plain",
) -> None:
    """Show a problem as a model, the judge or a reviewer sees it."""
    from grader.problem.set import load_set
    from grader.protocol.attachments import contents
    from grader.protocol.profile import load_profile
    from grader.render.views import view

    problems = load_set(folder)
    if problem_id not in problems.problems:
        known = ", ".join(problems.problems)
        raise UsageError("the set has no such problem", got=shown(problem_id), expected=known)
    seen = view(
        problems.problems[problem_id],
        viewer,  # type: ignore[arg-type]  # view checks it, and the next two
        protocol,  # type: ignore[arg-type]
        mode,  # type: ignore[arg-type]
        load_profile(profile),
        contents(problems, problem_id),
    )
    typer.echo(seen, nl=False)
