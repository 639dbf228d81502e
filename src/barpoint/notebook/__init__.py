"""A board to play on in a notebook, for `pip install 'barpoint[notebook]'`: `Board(match, opponent)`."""

try:
    from barpoint.notebook.board import Board
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] == "barpoint":
        raise
    raise ImportError(f"barpoint.notebook needs {error.name}: pip install 'barpoint[notebook]'") from error

__all__ = ["Board"]
