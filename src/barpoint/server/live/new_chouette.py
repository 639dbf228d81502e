"""A new chouette from a form or an API request."""

from __future__ import annotations

from collections.abc import Mapping

from barpoint.chouette import MAX_PLAYERS, ChouetteTerms, Consulting
from barpoint.error import FormatError
from barpoint.rules import Rules
from barpoint.server.bots.opponents import OURS, Opponents, find_level
from barpoint.server.domain.agreement_form import MAX_BEAVERS
from barpoint.server.domain.chouettes import DECISIONS
from barpoint.server.domain.seat_names import bot_name
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.chouettes import Proposed


def read_chouette(opponents: Opponents, rules: Rules, form: Mapping[str, str]) -> Proposed:
    """The chouette that a form describes; unchecked boxes are missing from it. FormatError, StakesError."""
    if rules.sequence.games:
        raise FormatError("%(title)s: a chouette plays one game, without others in turn", title=variant_title(rules))
    cubes = form.get("cubes", "each")
    cube = rules.cube and cubes != "none"
    each = cube and cubes == "each"
    try:
        consulting = Consulting(form.get("consulting", "free"))
    except ValueError:
        raise FormatError(
            "consulting: %(form)r; allowed: %(allowed)s", form=form["consulting"][:20], allowed=", ".join(Consulting)
        ) from None
    decision = form.get("decision", "3 minutes")
    if cubes not in ("each", "one", "none") or decision not in DECISIONS:
        raise FormatError(
            "cubes %(cubes)r, decision %(decision)r; allowed: each, one, none; %(allowed)s",
            cubes=cubes[:20],
            decision=decision[:20],
            allowed=", ".join(DECISIONS),
        )
    terms = ChouetteTerms(
        cube=cube,
        one_cube=cube and cubes == "one",
        consulting=consulting,
        half_taken=each and "half_taken" in form,
        jacoby=cube and "jacoby" in form,
        beavers=MAX_BEAVERS if each and "beavers" in form else 0,
        automatic_doubles=1 if cube and "automatic_doubles" in form else 0,
    )
    return Proposed(rules, terms, DECISIONS[decision], "listed" in form, _bots(opponents, rules, form))


def _bots(opponents: Opponents, rules: Rules, form: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Levels and names of the bots that join."""
    wanted = form.get("bots", "0")
    if wanted not in {str(count) for count in range(MAX_PLAYERS)}:
        raise FormatError(
            "bots: %(wanted)r; allowed: 0 to %(max_players)s", wanted=wanted[:20], max_players=MAX_PLAYERS - 1
        )
    if wanted == "0":
        return ()
    level = find_level(opponents, rules, form.get("level"))
    called = "Bot" if level.engine == OURS else level.engine
    return tuple((level.name, bot_name(called, number, level.title)) for number in range(1, int(wanted) + 1))
