"""What each net of nets.toml is trained on."""

from __future__ import annotations

from typing import Final

from barpoint.train import Recipe


def _every_start(modifier: str = "") -> tuple[tuple[str, float], ...]:
    """Mostly the standard start, and all others, under a modifier such as "roll-over"."""
    shares = {"backgammon": 0.88, "nackgammon": 0.06, "longgammon": 0.01}
    shares |= {f"hypergammon(checkers={count})": 0.01 for count in range(1, 6)}
    return tuple((f"{modifier}+{name}" if modifier else name, share) for name, share in shares.items())


_HYPER: Final = tuple(
    (f"hypergammon(checkers={count})", share) for count, share in ((3, 0.4), (4, 0.2), (5, 0.2), (2, 0.12), (1, 0.08))
)

RECIPES: Final = {
    "standard": Recipe(_every_start(), rounds=3, epochs=8, scatter=0.25, rare=0.3),
    "roll-over": Recipe(_every_start("roll-over"), first_games=25_000, rare=0.3),
    "cancelgammon": Recipe(_every_start("cancelgammon"), first_games=25_000, rare=0.3),
    "duodecagammon": Recipe(_every_start("duodecagammon"), first_games=25_000, rare=0.3),
    "roll-over-duodecagammon": Recipe(_every_start("roll-over+duodecagammon"), first_games=25_000, rare=0.3),
    "cancelgammon-duodecagammon": Recipe(_every_start("cancelgammon+duodecagammon"), first_games=25_000, rare=0.3),
    "hypergammon": Recipe(_HYPER, hidden=512, first_games=60_000, scatter=0.1),
    # A 2-1 can have thousands of plays, so 1-ply targets are slow here; fewer units suffice.
    "acey-deucey": Recipe((("acey-deucey", 1.0),), hidden=256, first_games=8_000, rounds=2, scatter=0.3),
    "european-acey-deucey": Recipe(
        (("european-acey-deucey", 1.0),), hidden=256, first_games=8_000, rounds=2, scatter=0.3
    ),
    "dutch": Recipe((("dutch", 1.0),), hidden=512, first_games=20_000),
    "portes": Recipe((("portes", 1.0),), rare=0.3),
    "plakoto": Recipe((("plakoto", 1.0),), hidden=512, first_games=20_000),
    "tapa": Recipe((("tapa", 1.0),), hidden=512, first_games=20_000),
    "fevga": Recipe((("fevga", 1.0),), hidden=512, first_games=20_000),
    "narde": Recipe((("narde", 1.0),), hidden=512, first_games=20_000),
    "gul-bara": Recipe((("gul-bara", 1.0),), hidden=512, first_games=20_000),
    "gioul": Recipe((("gioul", 1.0),), hidden=512, first_games=20_000),
    "moultezim": Recipe((("moultezim", 1.0),), hidden=512, first_games=20_000),
    # 56 rolls, each with a hundred plays: 1-ply targets are slow here too.
    "tabula": Recipe((("tabula", 1.0),), hidden=256, first_games=20_000, rounds=2, scatter=0.3),
    "misere": Recipe(_every_start("misere"), hidden=512, first_games=20_000),
}
