"""How the tables came to be, a step a file; run by Alembic (barpoint.server.storage.migration)."""
