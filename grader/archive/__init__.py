"""The archive: every input, output, finding, verdict and mark, in SQLite or PostgreSQL."""
