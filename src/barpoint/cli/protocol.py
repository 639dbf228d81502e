"""The language of `barpoint engine`: one JSON object a line in, one out (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.engine.limits import MAX_PLIES, MAX_ROLLS, MAX_THREADS, MAX_TIME_MS, MAX_TRIALS
from barpoint.error import (
    BarpointError,
    FormatError,
    PositionError,
    RollError,
    UnknownVariant,
    UnsupportedRules,
    VariantsClash,
)
from barpoint.game import MAX_CUBE
from barpoint.wrong_field import wrong_field

MAX_BYTES: Final = 4 * 1024 * 1024
"""Of one line."""
MAX_POSITIONS: Final = 10_000
"""Of one request."""

RequestId = int | str
ShortText = Annotated[str, Meta(max_length=300)]
Faces = Annotated[tuple[Annotated[int, Meta(ge=0, le=100)], ...], Meta(max_length=8)]
TokenCounts = tuple[Annotated[int, Meta(ge=0, le=9)], Annotated[int, Meta(ge=0, le=9)]]
Plies = Annotated[int, Meta(ge=0, le=MAX_PLIES)]
UsOrThem = Literal["us", "them"]


class StakesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Cube, score and money options, seen by the side to act; money when `length` is 0.

    away: points that the side to act and the other still need; all of them where it is left out.
    """

    length: Annotated[int, Meta(ge=0, le=32767)] = 0
    away: tuple[Annotated[int, Meta(ge=1, le=32767)], Annotated[int, Meta(ge=1, le=32767)]] | None = None
    crawford: bool = False
    cube: Annotated[int, Meta(ge=1, le=MAX_CUBE)] = 1
    owner: UsOrThem | None = None
    jacoby: bool = False
    beavers: Annotated[int, Meta(ge=0, le=9)] = 0


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    id: RequestId


class _Judged(_Request, frozen=True, kw_only=True):
    """Fields of every request that needs the engine."""

    variant: ShortText = "backgammon"
    tokens: TokenCounts | None = None
    stakes: StakesBody | None = None
    plies: Plies = 0


class _Decided(_Judged, frozen=True, kw_only=True):
    """Fields of decisions. time_ms: search deeper than `plies` as long as it allows. rollout: of what is close."""

    time_ms: Annotated[float, Meta(gt=0, le=MAX_TIME_MS)] | None = None
    rollout: bool = False


class VersionRequest(_Request, frozen=True, kw_only=True, tag="version"):
    """The version of the program, its nets and instruction set."""


class PlaysRequest(_Request, frozen=True, kw_only=True, tag="plays"):
    """The legal plays of a roll."""

    position: ShortText
    roll: Faces = ()
    variant: ShortText = "backgammon"


class EvaluateRequest(_Judged, frozen=True, kw_only=True, tag="evaluate"):
    """The outcome probabilities and equity of one position, or of each of several."""

    position: ShortText | None = None
    positions: Annotated[tuple[ShortText, ...], Meta(max_length=MAX_POSITIONS)] | None = None


class RankRequest(_Decided, frozen=True, kw_only=True, tag="rank"):
    """The legal plays of a roll, best first."""

    position: ShortText
    roll: Faces = ()


class CubeRequest(_Decided, frozen=True, kw_only=True, tag="cube"):
    """Whether to double, and to take."""

    position: ShortText


class RerollRequest(_Judged, frozen=True, kw_only=True, tag="rollover"):
    """Whether to reroll: the roller their own roll, or the other player one whose play is given in `played`."""

    position: ShortText
    roll: Faces = ()
    caller: UsOrThem
    played: ShortText | None = None
    variant: ShortText = "roll-over"


class RolloutRequest(_Judged, frozen=True, kw_only=True, tag="rollout"):
    """A rollout of a position; with `roll` of the plays of a roll, with `decision` "cube" of doubling and not doubling."""

    position: ShortText
    roll: Faces = ()
    decision: Literal["cube"] | None = None
    candidates: Annotated[int, Meta(ge=1, le=100)] = 5
    trials: Annotated[int, Meta(ge=1, le=MAX_TRIALS)] = 1296
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)] = 1
    truncate: Annotated[int, Meta(ge=0, le=MAX_ROLLS)] = 0
    stop_error: Annotated[float, Meta(ge=0, le=10)] = 0.0
    stop_clear: Annotated[float, Meta(ge=0, le=100)] = 0.0
    threads: Annotated[int, Meta(ge=1, le=MAX_THREADS)] | None = None


class CancelRequest(_Request, frozen=True, kw_only=True, tag="cancel"):
    """Cancels a request that has not been answered yet."""

    request: RequestId


EngineRequest = (
    VersionRequest
    | PlaysRequest
    | EvaluateRequest
    | RankRequest
    | CubeRequest
    | RerollRequest
    | RolloutRequest
    | CancelRequest
)
DOES: Final = ("version", "plays", "evaluate", "rank", "cube", "rollover", "rollout", "cancel")


class RequestCancelled(BarpointError):
    """The request was cancelled before it was answered."""


CODES: Final[tuple[tuple[type[BarpointError], str], ...]] = (
    (UnknownVariant, "unknown_variant"),
    (VariantsClash, "variants_clash"),
    (UnsupportedRules, "unsupported_rules"),
    (RollError, "bad_roll"),
    (RequestCancelled, "cancelled"),
    (PositionError, "bad_position"),
    (FormatError, "bad_position"),  # of an ID: no other text is parsed
)


class BadRequest(BarpointError):
    """A request that cannot be understood or answered."""


def parse_request(line: bytes) -> tuple[RequestId | None, EngineRequest | BadRequest]:
    """The id, if there is one, and the request, or a BadRequest that says what is wrong."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return None, BadRequest("no JSON: %(error)s", error=error)
    except RecursionError:
        return None, BadRequest("JSON nested too deeply")
    if not isinstance(found, dict):
        return None, BadRequest("a request is a JSON object")
    request_id = found.get("id")
    if not isinstance(request_id, int | str) or isinstance(request_id, bool) or not _may_be_echoed(request_id):
        if "id" in found:
            return None, BadRequest(
                "id is %(shown)s; allowed: a number without a fraction (64 bits) or a text (up to 300 characters)",
                shown=_shown(request_id),
            )
        return None, BadRequest("id is missing; a number without a fraction (64 bits) or a text (up to 300 characters)")
    what = found.get("do")
    if what not in DOES:
        return request_id, BadRequest(
            "do is %(shown)s; allowed: %(allowed)s", shown=_shown(what), allowed=", ".join(DOES)
        )
    try:
        return request_id, msgspec.convert(found, EngineRequest)
    except msgspec.ValidationError as error:
        return request_id, BadRequest(wrong_field(error, found, EngineRequest))


def _may_be_echoed(request_id: RequestId) -> bool:
    if isinstance(request_id, str):
        return len(request_id) <= 300
    return -(2**63) <= request_id < 2**63


def _shown(what: object) -> str:
    text = repr(what)
    return text if len(text) <= 60 else text[:57] + "..."


def format_answer(request_id: RequestId | None, answer: dict[str, Any]) -> bytes:
    """One line."""
    return msgspec.json.encode({"id": request_id, **answer}) + b"\n"


def format_error(request_id: RequestId | None, error: BaseException) -> bytes:
    """One line that says what was wrong."""
    code = next((code for kind, code in CODES if isinstance(error, kind)), "bad_request")
    return format_answer(request_id, {"error": {"code": code, "message": str(error)}})
