"""A proposition in words: which game is played, what for, and what the games so far have shown."""

from __future__ import annotations

from barpoint.language import N_, _, ngettext, number
from barpoint.match import Match, Proposition
from barpoint.match.tally import PositionTally, tallies
from barpoint.server.domain.agreement_form import spot_words
from barpoint.server.protocol.match_text import Names


def proposition_text(match: Match, names: Names) -> tuple[str, ...]:
    """A few lines for a viewer; () for other matches."""
    proposition = match.terms.proposition
    if proposition is None:
        return ()
    lines = [_game_text(match, proposition), *_played_for(proposition, names)]
    found = tallies(match)
    if any(tally.games for tally in found.values()):
        lines += _found_text(proposition, tuple(found.values()), names)
    return tuple(lines)


def _game_text(match: Match, proposition: Proposition) -> str:
    game = len(match.finished) + (not match.game.over)
    if not proposition.games:
        return _("Game %(game)s", game=game)
    return _("Game %(game)s of %(games)s", game=game, games=proposition.games)


def _played_for(proposition: Proposition, names: Names) -> list[str]:
    """What each side has, and what a game gives whoever wins it."""
    if proposition.plays:
        return [
            names.said(player, N_("You have made %(play)s"), N_("%(player)s has made %(play)s"), play=play)
            for player, play in enumerate(proposition.plays)
        ]
    return [spot_words(proposition)] if proposition.spot else []


def _found_text(proposition: Proposition, found: tuple[PositionTally, ...], names: Names) -> list[str]:
    """Points a game so far: of each play, or of whoever is to act, what a game gives included."""
    if not proposition.plays:
        (tally,) = found
        return [_("Whoever is to act: %(mean)s in %(games)s", mean=_mean(tally.mean), games=_games(tally))]
    return [
        _("After %(play)s: %(mean)s in %(games)s", play=play, mean=_mean(-tally.mean), games=_games(tally))
        for play, tally in zip(proposition.plays, found, strict=True)
        if tally.games
    ]


def _mean(points: float) -> str:
    return _("%(points)s points a game", points=number(points, 2, sign=True).replace("-", "−"))


def _games(tally: PositionTally) -> str:
    return ngettext("%(num)s game", "%(num)s games", tally.games)
