"""Formats: IDs of positions and situations, and files of matches."""

from barpoint.match.situation import GameState, Offer, Situation, situation_of
from barpoint.record.annotation import AnnotatedPosition, Annotation
from barpoint.record.any_id import IdFormat, id_format, parse_id
from barpoint.record.bgf_reader import parse_bgf
from barpoint.record.book import Book
from barpoint.record.collection import match_files
from barpoint.record.digest import match_digest
from barpoint.record.file import (
    SUFFIXES,
    WRITTEN,
    format_book,
    parse_book,
    parse_books,
    read_match,
    read_matches,
    write_match,
)
from barpoint.record.gnuid import format_gnuid, parse_gnuid
from barpoint.record.mat_reader import parse_mat
from barpoint.record.mat_writer import format_mat
from barpoint.record.oddity import Oddity
from barpoint.record.ogid import format_ogid, parse_ogid
from barpoint.record.ogxm_reader import parse_ogxm
from barpoint.record.position_id import format_position, parse_position
from barpoint.record.sgf_reader import parse_sgf
from barpoint.record.sgf_writer import format_sgf
from barpoint.record.text_annotations import format_annotated, parse_annotated
from barpoint.record.xg_reader import parse_xg
from barpoint.record.xg_writer import format_xg
from barpoint.record.xgid import format_xgid, parse_xgid
from barpoint.record.xgp_reader import parse_xgp, read_annotated_position, read_position

__all__ = [
    "SUFFIXES",
    "WRITTEN",
    "AnnotatedPosition",
    "Annotation",
    "Book",
    "GameState",
    "IdFormat",
    "Oddity",
    "Offer",
    "Situation",
    "format_annotated",
    "format_book",
    "format_gnuid",
    "format_mat",
    "format_ogid",
    "format_position",
    "format_sgf",
    "format_xg",
    "format_xgid",
    "id_format",
    "match_digest",
    "match_files",
    "parse_annotated",
    "parse_bgf",
    "parse_book",
    "parse_books",
    "parse_gnuid",
    "parse_id",
    "parse_mat",
    "parse_ogid",
    "parse_ogxm",
    "parse_position",
    "parse_sgf",
    "parse_xg",
    "parse_xgid",
    "parse_xgp",
    "read_annotated_position",
    "read_match",
    "read_matches",
    "read_position",
    "situation_of",
    "write_match",
]
