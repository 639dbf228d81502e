"""What Alembic runs to take a step: on the connection it is given, in the transaction that is open there."""

from __future__ import annotations

from alembic import context

from barpoint.server.storage.schema.shapes import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite cannot change a column: its table is made again
    transactional_ddl=False,  # the transaction is not Alembic's
)
context.run_migrations()
