"""How much longer opening the next item takes where the archive holds 250,000 verdicts than with 2,500.

    python benchmarks/review.py [--openings 200] [--require]

Both archives hold generated answers of four points with a judge's verdict each; every tenth
point is queued and every tenth of those is marked. In both, one person opens the next item
over HTTP (its page, too) and marks it, in turns, so that a busy minute hits both. Prints the
95th percentiles and their ratio; with --require it exits 1 if the ratio is above 5.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from grader.archive.review_entry import MarkEntry  # noqa: E402
from grader.archive.review_marks import mark  # noqa: E402
from grader.archive.store import Archive, open_archive  # noqa: E402
from grader.record import Status  # noqa: E402
from grader.review.security import form_key, token_hash  # noqa: E402
from tests.review.desking import served  # noqa: E402
from tests.review.generated import POINTS, generate  # noqa: E402

FEW, MANY = 2_500, 250_000
QUEUED_EACH, MARKED_EACH = 10, 10
LIMIT = 5.0
WARM_UP = 10
TOKEN = "t" * 43


class Desk:
    """A person at a desk, over one connection."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._line = HTTPConnection(urlsplit(origin).netloc)

    def open_next(self) -> float:
        """Take the next item and read its page; the seconds that took."""
        began = time.perf_counter()
        where = self._send("/next").getheader("location", "")
        page = self._send(where).read().decode()
        took = time.perf_counter() - began
        form = re.search(r'class="mark".*?name="form" value="([^"]+)"', page, re.S)
        assert form, page
        self._send(f"{where}/mark", form=form[1], status="met")
        return took

    def _send(self, path: str, **form: str) -> HTTPResponse:
        headers = {"Cookie": f"argus_session={TOKEN}", "Origin": self._origin}
        if path.endswith(("/next", "/mark")):
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            self._line.request("POST", path, urlencode({"key": form_key(TOKEN), **form}), headers)
        else:
            self._line.request("GET", path, headers=headers)
        answer = self._line.getresponse()
        assert answer.status in (200, 303), answer.status
        if answer.status == 303:
            answer.read()
        return answer


@contextmanager
def desk(verdicts: int) -> Iterator[Desk]:
    """A desk over a new archive of so many verdicts."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, open_archive(f"{folder}/argus.db") as archive:
        generate(archive, Path(folder), verdicts // POINTS, judged=True, queue_each=QUEUED_EACH)
        give_marks(archive)
        archive.invite("Ada", token_hash(TOKEN))
        counts = archive.counts()
        print(
            f"{counts['verdicts']:7} verdicts, {counts['review_items']:6} items, {counts['review_marks']:5} "
            f"of them marked, written in {time.perf_counter() - began:.0f} s"
        )
        with served(archive) as origin:
            yield Desk(origin)


def give_marks(archive: Archive) -> None:
    """Mark a share of the queue, as if people had been there before; one transaction holds them all."""
    items = list(archive.items())[::MARKED_EACH]
    with archive.database.execution_options(argus_writes=True).begin() as connection:
        for item in items:
            entry = MarkEntry(item.id, "Bo", f"earlier {item.id}", Status.MET, 1.0, seconds=30.0)
            mark(connection, entry, (), item.created)


def compare(openings: int) -> bool:
    """Print both percentiles and their ratio; whether it is within the limit."""
    with ExitStack() as stack:
        desks = [stack.enter_context(desk(verdicts)) for verdicts in (FEW, MANY)]
        for one in desks * WARM_UP:
            one.open_next()
        took = [[one.open_next() for one in desks] for _ in range(openings)]
    few, many = (float(quantiles(times, n=20)[-1]) for times in zip(*took, strict=True))
    print(f"next item, p95: {few * 1000:.1f} ms with {FEW} verdicts, {many * 1000:.1f} ms with {MANY}")
    print(f"ratio {many / few:.2f} (at most {LIMIT})")
    return many / few <= LIMIT


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--openings", type=int, default=200)
    parser.add_argument("--require", action="store_true", help="exit 1 above the limit")
    given = parser.parse_args()
    within = compare(given.openings)
    sys.exit(given.require and not within)


if __name__ == "__main__":
    main()
