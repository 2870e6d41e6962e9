"""Audits of judges by other people's marks, on a table that no archive of ours holds."""
