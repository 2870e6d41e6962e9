"""How far raters agree, and how far repeated answers of one rater do: pure functions on arrays."""
