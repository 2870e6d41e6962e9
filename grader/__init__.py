"""Argus: rubric-grounded grading of chemistry solution chains.

The import package is ``grader``, the command ``argus``. The layers, from the
top down, are drawn in CONTRIBUTING.md and enforced by import-linter.
"""

__version__ = "0.1.0"
