"""What may happen now: the list for boards and bots, and the conditions that `apply` enforces."""

from __future__ import annotations

from collections.abc import Iterator

from barpoint.error import IllegalEvent
from barpoint.game.event import Event, kind_of
from barpoint.game.payment import resigned_points
from barpoint.game.phase import Allowed, Phase, RollRecord
from barpoint.game.state import Game
from barpoint.language import N_, Word


def refusal(game: Game, event: Event, why: object, /, **values: object) -> IllegalEvent:
    """The error for an event that may not happen: what was found, then what is allowed. why: a text, or another error."""
    player = getattr(event, "player", None)
    offers = [
        item.kind if item.player is None else f"{item.kind} (player {item.player})" for item in legal_events(game)
    ]
    said = {
        "event": kind_of(event),
        "why": IllegalEvent(why, **values),
        "allowed": ", ".join(offers) or Word("nothing"),
    }
    if player is None:
        return IllegalEvent("%(event)s: %(why)s; allowed now: %(allowed)s", **said)
    return IllegalEvent("%(event)s by player %(player)s: %(why)s; allowed now: %(allowed)s", player=player, **said)


def tokens_after(tokens: tuple[int, int], player: int) -> tuple[int, int]:
    """The tokens after this player has used one."""
    return (tokens[0] - 1, tokens[1]) if player == 0 else (tokens[0], tokens[1] - 1)


def reroll_right(game: Game, player: int) -> Allowed | None:
    """The roll that this player may spend a token on now; None when there is none (rulings 2.3 and 2.4)."""
    rolled, rerolls = game.last_roll, game.rules.rerolls
    if rolled is None or player not in (0, 1) or game.tokens[player] < 1:
        return None
    if rolled.player == player:
        cancellable = rerolls.own and game.phase is Phase.TO_PLAY and not game.position.us.owed
        if not cancellable or (rolled.opening and not rerolls.opening_cancellable):
            return None
        return _reroll(player, rolled, "own")
    if game.rerollable_id != rolled.id:
        return None
    early = game.phase is Phase.TO_PLAY and rerolls.early_call
    if not early and game.phase not in (Phase.TO_ROLL, Phase.PROVISIONAL_END):
        return None
    if game.phase is Phase.PROVISIONAL_END and not rerolls.final_roll_cancellable:
        return None
    return _reroll(player, rolled, "other")


def _reroll(player: int, rolled: RollRecord, on: str) -> Allowed:
    return Allowed("rollover", player, roll_id=rolled.id, faces=rolled.faces, on=on)


def doubling_barred(game: Game, player: int) -> str | IllegalEvent:
    """Why this player may not double now; "" when they may (S2-20, S0-9, RC-3, RC-4, DG-2)."""
    after_call = (
        game.phase is Phase.MUST_REROLL
        and game.rules.rerolls.double_after_cancel
        and game.rerolled_by == 1 - game.player
    )
    if player != game.player or not (game.phase is Phase.TO_ROLL or after_call):
        return N_("a double is offered at the start of one's own turn, before the roll")
    if not game.cube_in_play:
        return N_("this game has no cube")
    if game.turn_number < 2 or game.further:
        return N_("the first turn, and a further roll in a turn, have no cube")
    if game.turn_number <= 2 * game.stakes.rolls_before_double:
        rolls = game.stakes.rolls_before_double
        return IllegalEvent("each side makes %(rolls)s rolls before the cube may be turned", rolls=rolls)
    if game.cube.owner not in (None, player):
        return N_("the other player owns the cube")
    return _too_high(game, 2 * game.cube.value)


def raising_barred(game: Game) -> str | IllegalEvent:
    """Why the pending offer may not be doubled again; "" when it may."""
    if game.cube.raises >= game.stakes.beavers:
        return IllegalEvent("beavers and raccoons after one double: at most %(most)s", most=game.stakes.beavers)
    return _too_high(game, 2 * game.cube.offered)


def _too_high(game: Game, value: int) -> str | IllegalEvent:
    limit = game.stakes.cube_limit
    return (
        IllegalEvent("a cube of %(value)s; the highest is %(limit)s", value=value, limit=limit) if value > limit else ""
    )


def resignation_levels(game: Game, player: int) -> tuple[int, ...]:
    """Levels this player may offer to lose in this position; those just rejected are not among them."""
    levels = range(1, game.rules.scoring.levels + 1)
    return tuple(level for level in levels if not game.rejected[player] >> level & 1)


def legal_events(game: Game) -> tuple[Allowed, ...]:
    """Everything that may happen now except a time-out and a claim, which are for whoever keeps the clock to judge."""
    found = tuple(_by_phase(game))
    if game.stakes.money and game.phase not in (Phase.OPENING, Phase.OVER):
        return (*found, Allowed("settle"))
    return found


def _by_phase(game: Game) -> Iterator[Allowed]:
    player, other = game.player, 1 - game.player
    match game.phase:
        case Phase.OPENING:
            yield Allowed("opening")
            if not game.opening_dice:
                yield Allowed("abort")
        case Phase.TO_ROLL | Phase.MUST_REROLL:
            yield Allowed("roll", player)
            if not doubling_barred(game, player):
                yield Allowed("double", player, value=2 * game.cube.value)
            if game.disputed:
                yield Allowed("object", player)
            yield from _rights(game)
        case Phase.TO_PLAY:
            yield Allowed("play", player)
            yield from _rights(game)
            if game.before is not None:
                yield from (Allowed("void", who, roll_id=game.roll_id, faces=game.faces) for who in (player, other))
        case Phase.DOUBLED:
            yield from _answers(game)
        case Phase.RESIGNED:
            assert game.resigning is not None
            yield Allowed("accept", game.actor, points=(resigned_points(game, *game.resigning),))
            yield Allowed("reject", game.actor)
        case Phase.TO_CORRECT:
            yield Allowed("correct", player)
        case Phase.PROVISIONAL_END:
            yield Allowed("keep", other)
            if game.disputed:
                yield Allowed("object", other)
            yield from _rights(game)
        case Phase.OVER:
            return


def _rights(game: Game) -> Iterator[Allowed]:
    """What both players may do besides: reroll, resign."""
    for player in (game.player, 1 - game.player):
        if reroll := reroll_right(game, player):
            yield reroll
        if game.phase in (Phase.TO_ROLL, Phase.TO_PLAY) and (levels := resignation_levels(game, player)):
            points = tuple(resigned_points(game, player, level) for level in levels)
            yield Allowed("resign", player, levels=levels, points=points)


def _answers(game: Game) -> Iterator[Allowed]:
    actor, offered = game.actor, game.cube.offered
    yield Allowed("take", actor, value=offered)
    yield Allowed("pass", actor, points=(offered // 2,))
    if not raising_barred(game):
        yield Allowed("raccoon" if actor == game.player else "beaver", actor, value=2 * offered)
