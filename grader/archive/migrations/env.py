"""Alembic's entry: runs the migrations on the connection it is handed, in that connection's transaction."""

from alembic import context

from grader.archive.schema import VERSION_TABLE
from grader.archive.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
)
context.run_migrations()
