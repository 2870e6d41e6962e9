"""``python -m grader`` is ``argus``."""

from grader.cli import main

main()
