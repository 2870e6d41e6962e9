"""Numbered migrations of the archive, run by Alembic from within the package."""
