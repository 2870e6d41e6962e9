"""The archive: what was asked, answered, found and marked, append-only, in SQLite or PostgreSQL.

Content (problems, points, images, responses) is addressed by its SHA-256.
Whatever can come out differently later (answers, findings, verdicts) is
appended with a revision and never overwritten, so that a score can always be
traced to what it was made from.
"""
