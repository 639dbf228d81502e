"""A server with something on every page: matches, tournaments and chouettes at every stage, files, analyses."""

from __future__ import annotations

import re
from random import Random
from time import sleep
from typing import Final

import httpx

from barpoint.chouette import BOX, TEAM, Act, Ask, Leave, Order
from barpoint.game import Accept, Resign
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.web.rules import GENERAL
from barpoint.variants import variants
from tests.record.test_mat import MATCH
from tests.support.accounts import account_of, hasten, register
from tests.support.played import play_match
from tests.support.serving import Served
from tests.support.tournaments import Club

ODD: Final = MATCH.replace("8/5 6/5", "8/5 8/6")
"""A match file with an illegal play."""

WITHOUT_CONTENT: Final = (
    "/", "/lobby", "/watch", "/tournaments", "/tournaments/new", "/clubs", "/clubs/new", "/chouettes", "/challenge", "/players", "/players?name=a", "/players/ratings", "/tickets", "/review", "/statistics", "/library", "/library?show=matches", "/library/similar", "/analysis", "/study",
    "/openings", "/library/reference", "/practice", "/practice/today", "/practice/session", "/practice/drills", "/practice/drills/pips", "/rules", "/matches",
    "/learn/first-game", "/learn/match-equities", "/verify", "/login", "/register", "/recover", "/account", "/access-tokens", "/offline", "/no-such-page",
    *(f"/rules/{name}" for name in (*GENERAL, *(one.name for one in variants()))),
)  # fmt: skip
"""Pages that every server has."""


def filled(served: Served, http: httpx.Client, name: str = "Anna", club: str = "Club night") -> dict[str, str]:
    """Fills a server; returns the paths of pages by what they show. http: becomes the browser of name, who has an account and a club."""
    hasten(served)
    register(http, name)
    anna = account_of(served, http)
    return {
        **{path: path for path in WITHOUT_CONTENT},
        **_matches(served, http, anna),
        **_tournaments(served, anna),
        **_chouettes(served, http, anna),
        **_reviews(served, http),
        **_practice(http),
        **_club(http, club),
        **_studies(http),
        "a profile": f"/player/{name}",
        "an analysed position": "/analysis?roll=31&length=5",
        "a position that cannot be": "/analysis?position=AAAAAAAAAAAAAA",
        "a position of the twelve-sided die": "/analysis?variant=roll-over%2Bduodecagammon&roll=9",
    }


def _matches(served: Served, http: httpx.Client, anna: Guest) -> dict[str, str]:
    services = served.services
    ben = served.call(services.accounts.new_guest())

    running = served.call(play_match(services, "backgammon", 3, 12, (anna, ben)))
    over = served.call(play_match(services, people=(anna, ben)))
    watched = served.call(play_match(services, "backgammon", events=9))
    finished = served.call(play_match(services, "roll-over"))
    _analysed(http, f"/match/{over}")

    def made(**fields: str) -> str:
        answer = http.post("/match", data={"length": "3", **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    invited = made(opponent="friend")
    invitation = re.search(r"/join/[^\"/]+", http.get(invited).text)
    assert invitation
    made(opponent="lobby", variant="nackgammon")
    return {
        "a running match": f"/match/{running}",
        "a match that is over": f"/match/{over}",
        "a match to watch": f"/match/{watched}",
        "a match of others that is over": f"/match/{finished}",
        "a match against a bot with a tutor": made(opponent="bot", level="easy", tutor="1"),
        "a match on a real board": made(opponent="board"),
        "a match that waits for a friend": invited,
        "an invitation": invitation[0],
        "a replay": f"/match/{finished}/replay",
        "a replay with its analysis": f"/match/{over}/replay",
        "the dice of a match": f"/verify?match={over}",
    }


def _analysed(http: httpx.Client, path: str) -> None:
    """Has a match analysed without looking ahead, and waits for it."""
    answer = http.post(f"{path}/analysis", data={"plies": "0"})
    while answer.status_code == 202:
        sleep(0.05)
        answer = http.post(f"{path}/analysis", data={"plies": "0"})
    assert answer.status_code == 200, answer.text


def _tournaments(served: Served, anna: Guest) -> dict[str, str]:
    services, call = served.services, served.call
    club = Club(services, services.matches.clock)  # type: ignore[arg-type]
    knockout = call(club.announce(Plan("Club night", lengths=(3,), max_players=5, fee=10, prizes=(70, 30)), 5))
    for bout in call(club.open_bouts(knockout))[:1]:
        call(club.resign(bout, 1))
    call(services.tournaments.look())
    swiss = call(club.announce(Plan("Swiss", form=Form.SWISS, lengths=(1,), max_players=6), 6))
    double = call(club.announce(Plan("Two lives", form=Form.DOUBLE, lengths=(1,), max_players=4), 4))
    ended = call(
        club.announce(Plan("Swiss ended", form=Form.SWISS, lengths=(1,), max_players=5, fee=10, prizes=(60, 40)), 5)
    )
    for tournament_id in (double, ended):
        call(club.finish(tournament_id, Random(1)))
    later = call(services.tournaments.announce(anna, Plan("A" * 60, starts_at=2**42, bots=True)))
    call(services.tournaments.join(later, anna))
    return {
        "a running tournament": f"/tournament/{knockout}",
        "a running Swiss tournament": f"/tournament/{swiss}",
        "the log of a tournament": f"/tournament/{ended}/log",
        "a tournament on a big screen": f"/tournament/{swiss}/screen",
        "a tournament with two lives that is over": f"/tournament/{double}",
        "a Swiss tournament that is over": f"/tournament/{ended}",
        "a tournament that is announced": f"/tournament/{later}",
        "the plan of a tournament": f"/tournament/{later}/plan",
    }


def _club(http: httpx.Client, name: str) -> dict[str, str]:
    made = http.post("/clubs/new", data={"name": name, "text": "", "joining": "request", "season": "2026"})
    assert made.status_code == 303, made.text
    club = made.headers["location"]
    fields = {"name": name, "variant": "backgammon", "length": "3", "time_control": "Normal"}
    ladder = http.post(f"{club}/ladder", data={**fields, "reach": "3", "days": "7"}).headers["location"]
    assert http.post(f"{ladder}/join", data={"x": ""}).status_code == 303
    return {"a club": club, "a ladder": ladder}


def _chouettes(served: Served, http: httpx.Client, anna: Guest) -> dict[str, str]:
    services, call = served.services, served.call
    terms = {
        "cubes": "each",
        "consulting": "in_game",
        "decision": "3 minutes",
        "jacoby": "1",
        "bots": "0",
        "listed": "1",
    }

    def opened() -> str:
        made = http.post("/chouette", data={"variant": "backgammon", **terms})
        assert made.status_code == 303, made.text
        return made.headers["location"].rpartition("/")[2]

    async def play(chouette_id: str) -> None:
        """Three players: Anna is the box, the captain doubles, another one settles a game in which the first has resigned."""
        chouettes = services.chouettes
        for _ in range(2):
            await chouettes.join(chouette_id, await services.accounts.new_guest())
        live = await chouettes.live_chouette(chouette_id)
        for number in range(3):
            await chouettes.act(chouette_id, number, f"a{number}", live.seq, Ask(number, on=number == 2))
        await chouettes.act(chouette_id, 0, "order", live.seq, Order(()))

    async def close(chouette_id: str) -> None:
        """The team resigns, and everybody leaves."""
        chouettes, live = services.chouettes, await services.chouettes.live_chouette(chouette_id)
        box, *team = live.chouette.line
        for number in team:
            await chouettes.act(chouette_id, number, f"r{number}", live.seq, Act(Resign(TEAM, 1), number))
        await chouettes.act(chouette_id, box, "accept", live.seq, Act(Accept(BOX), box))
        for number in range(3):
            await chouettes.act(chouette_id, number, f"l{number}", live.seq, Leave(number))

    first, second, third = opened(), opened(), opened()
    call(play(second))
    call(play(third))
    call(close(third))
    return {
        "a chouette that waits for players": f"/chouette/{first}",
        "a chouette in a game": f"/chouette/{second}",
        "the score sheet of a chouette": f"/chouette/{third}",
    }


def _practice(http: httpx.Client) -> dict[str, str]:
    deck = http.post("/api/practice/deck", json={"name": "Openings"}).json()["id"]
    for address in ({"roll": "31"}, {"roll": "64", "length": 5}, {"turn": "far"}):
        made = http.post("/api/practice/position", json={"address": address, "deck": deck})
        assert made.status_code == 201, made.text
    return {"a deck": f"/practice/deck/{deck}", "a card of a deck": f"/practice/session?deck={deck}"}


def _studies(http: httpx.Client) -> dict[str, str]:
    study = http.post("/api/study", json={"title": "Openings", "board": {"roll": "31"}}).json()["id"]
    for edit in (
        {"kind": "play", "parent": 1, "play": "8/5 6/5"},
        {"kind": "play", "parent": 1, "play": "24/20"},
        {"kind": "note", "node": 2, "name": "Openings", "comment": "Two lives"},
    ):
        assert http.post(f"/api/study/{study}/edit", json={"edit": edit}).status_code == 200
    return {"a study": f"/study/{study}"}


def _reviews(served: Served, http: httpx.Client) -> dict[str, str]:
    brought = http.post("/review", files={"file": ("odd.mat", ODD.encode())})
    link = re.search(r"(/review/[^/\"]+)/replay", brought.text)
    assert link
    _analysed(http, link[1])
    return {"the review of a file in which something was odd": f"{link[1]}/replay"}
