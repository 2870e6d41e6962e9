"""What a run recorded and what grading found."""

from grader.record.run_file import Catalogue, ResponseLine, RunHeader, RunReader, response_line, write_run
from grader.record.values import (
    MODES,
    PROTOCOLS,
    Evidence,
    Finding,
    Followed,
    Mode,
    Protocol,
    Reason,
    Rejected,
    Response,
    Status,
    Verdict,
    Vote,
    digest,
)

__all__ = [
    "MODES",
    "PROTOCOLS",
    "Catalogue",
    "Evidence",
    "Finding",
    "Followed",
    "Mode",
    "Protocol",
    "Reason",
    "Rejected",
    "Response",
    "ResponseLine",
    "RunHeader",
    "RunReader",
    "Status",
    "Verdict",
    "Vote",
    "digest",
    "response_line",
    "write_run",
]
