"""argus check: one check on one answer, or a file of cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.options import AsJson
from grader.errors import UsageError, shown

if TYPE_CHECKING:
    from grader.formal.cases import CaseReport
    from grader.record import Finding


def check(
    kind: Annotated[str | None, typer.Argument(help="The kind of check, such as smiles or quantity.")] = None,
    expected: Annotated[str | None, typer.Argument(help="The right value.")] = None,
    answer: Annotated[str | None, typer.Argument(help="The answer to decide.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", metavar="NAME=VALUE", help="An option of the check; the value may be JSON."
        ),
    ] = None,
    cases: Annotated[
        Path | None, typer.Option("--cases", metavar="FILE", help="Decide every case of a JSONL file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide one check on one answer, or measure the formal track on a file of cases.

    Exit 3 if the one check is undetermined.

        argus check quantity 101.325 "p = 760 mmHg" -o unit=kPa
    """
    if cases is not None:
        if kind is not None:
            raise UsageError("give either a check or --cases, not both")
        _report(cases, as_json)
        return
    if kind is None or expected is None or answer is None:
        raise UsageError("a check needs KIND, EXPECTED and ANSWER", do="Or give --cases FILE.")
    from grader.formal.checking import check as decided
    from grader.formal.single import check_of

    finding = decided(check_of(kind, expected, dict(map(_option, option or ()))), answer)
    _print_finding(finding, as_json)
    if finding.award is None:
        raise typer.Exit(3)


def _option(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    if not sign:
        raise UsageError(f"an option is NAME=VALUE, got {shown(word)}")
    return name, value


def _print_finding(finding: Finding, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps({"schema_version": 1, **asdict(finding)}, ensure_ascii=False, indent=2))
        return
    reason = f" ({finding.reason})" if finding.reason else ""
    typer.echo(f"{finding.status}{reason}: {finding.detail}")
    if finding.evidence:
        evidence = finding.evidence
        typer.echo(f"  took {evidence.quote!r} at {evidence.start}-{evidence.end}, read as {finding.found}")
    for candidate in finding.rejected:
        typer.echo(f"  left {candidate.quote!r} at {candidate.start}-{candidate.end}: {candidate.why}")


def _report(path: Path, as_json: bool) -> None:
    from grader.formal.cases import run_cases

    report = run_cases(path)
    if as_json:
        typer.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return
    _print_report(report)


def _print_report(report: CaseReport) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("kind", title="Findings against right verdicts")
    for heading in ("cases", "agree", "wrong met", "wrong not met", "undetermined"):
        table.add_column(heading, justify="right")
    for kind, count in [*sorted(report.by_kind.items()), ("all", report.total)]:
        numbers = (count.cases, count.agree, count.wrong_met, count.wrong_not_met, count.undetermined)
        table.add_row(kind, *(str(number) for number in numbers))
    Console().print(table)
    for case, finding in report.disagreements:
        typer.echo(f"{case.id}: {finding.status}, right is {case.verdict}: {finding.detail}")
