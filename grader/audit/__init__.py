"""Audits: measurements of a judge, or of the formal track; never of a model."""
