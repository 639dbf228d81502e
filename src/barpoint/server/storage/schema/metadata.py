"""The SQLAlchemy metadata that every table belongs to."""

from typing import Final

from sqlalchemy import MetaData

METADATA: Final = MetaData()
