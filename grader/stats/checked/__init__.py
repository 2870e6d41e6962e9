"""What code and judges said of points, beside what people said of them and why they were asked."""

from grader.stats.checked.reading import Checked, checked_of, is_checked, read_checked

__all__ = ["Checked", "checked_of", "is_checked", "read_checked"]
