"""How players meet by FIBS clients: login, registration, invitations, saved matches, watching, chat."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import islice

import httpx
import pytest
from websockets.sync.client import connect

from tests.support.accounts import PASSWORD, login
from tests.support.fibs_client import Clip, Wire, at_a_match, clients, member
from tests.support.machine import PATIENCE_S
from tests.support.programs import Member, lines
from tests.support.serving import Served

SERVED = {"fibs": "0"}


# ---------------------------------------------------------------- logging in


def test_a_client_is_welcomed_with_everything_the_protocol_says(served: Served) -> None:
    member(served, "Abel One")
    abel = Clip(served, "Abel_One")
    numbers = [line.split(" ")[0] for line in abel.log if line[:1].isdigit()]
    assert numbers[:4] == ["1", "2", "3", "4"]
    assert numbers[4:].count("6") == 2
    welcome, own = (line.split(" ") for line in abel.log if line.startswith(("1 ", "2 ")))
    assert (welcome[1], len(welcome)) == ("Abel_One", 4)
    assert own[:2] == ["2", "Abel_One"]
    assert len(own) == 22
    assert own[2:15] == ["1", "1", "0", "1", "0", "0", "1", "1", "0", "0", "1", "0", "1"]
    assert own[15:] == ["1500.00", "0", "0", "0", "0", "0", "UTC"]
    who = [line for line in abel.log if line.startswith("5 ")]
    assert any(line.split(" ")[:6] == ["5", "Barpoint_Easy", "-", "-", "1", "0"] for line in who)
    assert all(len(line.split(" ")) == 13 for line in who)


def test_a_person_logs_in_with_name_and_password_and_has_a_prompt(served: Served) -> None:
    member(served, "Bella")
    wire = Wire(served)
    assert "LOG" not in wire.prompt()
    wire.send("Bella")
    wire.prompt(b"password: ")
    wire.send(PASSWORD)
    wire.prompt(b"> ")
    wire.send("who")
    shown = wire.prompt(b"> ")
    assert "No  S  username" in shown
    assert "Bella" in shown
    for command in ("set linelength 30", "toggle wrap", "about"):
        wire.send(command)
        shown = wire.prompt(b"> ")
    assert max(map(len, shown.splitlines())) <= 30
    assert "backgammon and its family" in " ".join(shown.split())
    wire.send("toggle wrap")
    wire.prompt(b"> ")
    wire.send("invite Barpoint_Easy 1")
    wire.hear(r"Starting a new game with Barpoint_Easy\.")
    wire.hear(r" \+-13.*")


def test_who_is_new_registers_as_guest_and_can_log_in_at_the_pages_too(served: Served) -> None:
    http = member(served, "Somebody")
    wire = Wire(served)
    wire.prompt()
    wire.send("guest")
    assert "ONE USERNAME PER PERSON ONLY" in wire.prompt(b"> ")
    wire.send("name Some_body")
    assert "is already used by someone else" in wire.prompt(b"> ")
    wire.send("name x7")
    assert "may only contain letters and the underscore" in wire.prompt(b"> ")
    wire.send("name Clara_B")
    wire.prompt(b"Please give your password: ")
    wire.send("short")
    wire.prompt(b"Please retype your password: ")
    wire.send("short")
    assert "allowed: 8 to 200" in wire.prompt(b"> ")
    wire.send("name Clara_B")
    wire.prompt(b"Please give your password: ")
    wire.send(PASSWORD)
    wire.prompt(b"Please retype your password: ")
    wire.send(PASSWORD)
    assert "You are registered." in wire.prompt()
    wire.send(f"login mine 1008 Clara_B {PASSWORD}")
    wire.hear(r"1 Clara_B \d+ \S+")
    http.post("/logout", data={"x": ""})
    assert login(http, "Clara_B").status_code == 303


def test_a_second_login_takes_the_place_of_the_first(served: Served) -> None:
    (dan,) = clients(served, "Dan")
    again = Clip(served, "Dan")
    assert again.log.count("** Warning: You are already logged in.") == 1
    assert "** You have logged in elsewhere." in dan.rest()
    assert again.told("version", r"\*\* Version .*")


def test_of_two_logins_at_the_same_instant_one_takes_the_place_of_the_other(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    member(served, "Dora")
    begin = served.services.accounts.begin_session

    async def slowly(account_id: str, agent: str) -> str:
        await asyncio.sleep(0.2)
        return await begin(account_id, agent)

    monkeypatch.setattr(served.services.accounts, "begin_session", slowly)
    wires = [Wire(served), Wire(served)]
    for wire in wires:
        wire.prompt()
        wire.send(f"login scripted 1008 Dora {PASSWORD}")
    warning, elsewhere = r"\*\* Warning: You are already logged in\.", r"\*\* You have logged in elsewhere\."
    told = {wire.hear(f"{warning}|{elsewhere}")[0]: wire for wire in wires}
    assert sorted(told) == ["** Warning: You are already logged in.", "** You have logged in elsewhere."]
    told["** You have logged in elsewhere."].rest()
    stays = told["** Warning: You are already logged in."]
    stays.send("version")
    stays.hear(r"\*\* Version .*")


def test_settings_are_kept_until_the_next_login(served: Served) -> None:
    (eva,) = clients(served, "Eva")
    eva.told("toggle autoroll", r"\*\* You won't be asked if you want to double\.")
    eva.told("toggle bell", r"\*\* Your terminal will ring the bell.*")
    assert eva.told("set boardstyle 2", r"Value of .*") == "Value of 'boardstyle' set to 2."
    assert eva.told("set boardstyle 4", r"\*\* .*") == "** Valid arguments are the numbers 1 to 3."
    assert eva.told("set redoubles unlimited", r"Value of .*") == "Value of 'redoubles' set to 'unlimited'."
    assert eva.told("toggle fizz", r"\*\* .*") == "** Don't know how to toggle fizz"
    eva.send("bye")
    assert any("Goodbye." in line for line in eva.rest())
    again = Clip(served, "Eva")
    assert again.told("toggle", r"bell +.*") == "bell            YES"
    again.hear(r"double +YES")
    again.hear(r"ready +YES")
    assert again.told("set", r"boardstyle: .*") == "boardstyle: 2"
    again.hear(r"redoubles:  unlimited")


def test_who_is_a_program_is_marked_in_lists_and_who_is_sorted_as_is_set(served: Served) -> None:
    """A bot account is marked as such."""
    http = member(served, "Robota")
    http.post("/access-tokens/bot", data={"x": ""})
    (finn,) = clients(served, "Finno")
    robota = Clip(served, "Robota")
    line = [line for line in ask_who(finn, "rawwho Robota") if line.startswith("5 Robota ")][-1]
    assert line.split(" ")[10:] == ["fibs", "bot", "-"]
    assert "  Robota is a bot." in ask_who(finn, "whois Robota")
    assert "  Finno is a bot." not in ask_who(robota, "whois Finno")
    finn.told("set sortwho name", r"Value of .*")
    names = [line.split(" ")[1].lower() for line in ask_who(finn, "who") if line.startswith("5 ")]
    assert names == sorted(names)
    assert len(names) > 2


def ask_who(client: Clip, command: str) -> list[str]:
    """The lines that answer a command."""
    client.send(command)
    client.send("version")
    lines = []
    while not (line := client.line().rstrip()).startswith("** Version"):
        lines.append(line)
    return lines


def test_the_password_changes_for_the_pages_too(served: Served) -> None:
    (frank,) = clients(served, "Frank")
    assert frank.told("password x", r"\*\* NOTE: .*")
    assert frank.told("password wrong:new secret 7:new secret 7", r"\*\* .*") == "** Sorry. Old password not correct."
    assert frank.told(f"password {PASSWORD}:one:two", r"\*\* .*") == "** Please give your new password twice."
    assert "allowed: 8 to 200" in frank.told(f"password {PASSWORD}:one:one", r"\*\* .*")
    frank.told(f"password {PASSWORD}:new secret 7:new secret 7", r"Password changed\.")
    assert frank.told("version", r"\*\* .*"), "this connection goes on"
    Clip(served, "Frank", "new secret 7")


# ---------------------------------------------------------------- inviting


def test_an_invitation_is_refused_where_there_is_nobody_to_play(served: Served) -> None:
    gus, hal = clients(served, "Gus", "Hal")
    for line, answer in {
        "invite": "** invite who?",
        "invite Nobody 3": "** There is no one called Nobody",
        "invite Gus 3": "** You can't invite yourself.",
        "invite Hal three": "** The second argument to 'invite' has to be a number or the word 'unlimited'",
        "invite Hal 16": "** A match of 16 points; allowed: 1 to 15, or unlimited.",
        "invite Hal 3 nackgammon": "** Only standard backgammon can be played here; other games are on the web page.",
        "invite Hal": "** There's no saved match with Hal. Please give a match length.",
        "join Hal": "** Hal didn't invite you.",
        "join": "** Error: Join who?",
        "leave": "** Error: No one to leave.",
    }.items():
        assert gus.told(line, r"\*\* .*") == answer
    hal.told("toggle ready", r"\*\* You're now refusing to play with someone\.")
    assert gus.told("invite Hal 3", r"\*\* .*") == "** Hal is refusing games."


def test_a_second_invitation_takes_the_first_back(served: Served) -> None:
    ina, jan, kim = clients(served, "Ina", "Jan", "Kim")
    ina.send("invite Jan 3")
    jan.hear(r"Ina wants to play a 3 point match with you\.")
    ina.send("invite Kim unlimited")
    kim.hear(r"Ina wants to play an unlimited match with you\.")
    assert jan.told("join Ina", r"\*\* .*") == "** Ina didn't invite you."
    kim.told("join Ina", r"\*\* You are now playing an unlimited match with Ina")
    ina.hear(r"\*\* Player Kim has joined you for an unlimited match\.")
    assert jan.told("invite Ina 1", r"\*\* .*") == "** Ina is already playing with someone else."
    assert ina.told("invite Jan 1", r"\*\* .*") == "** You are already playing."
    assert ina.board().length == 0


def test_a_match_is_left_saved_and_gone_on_with(served: Served) -> None:
    lea, max_ = at_a_match(served, "Lea", "Max", 5)
    lea.hear(r"board:You:.*")
    max_.hear(r"board:You:.*")
    before = lea.board()
    assert max_.told("leave", r"\*\* .*") == "** You terminated the game. The game was saved."
    assert lea.hear(r"\*\* .*")[0] == "** Player Max has left the game. The game was saved."
    assert lea.told("show saved", r"\*\*Max.*").split() == ["**Max", "5", "0", "-", "0"]
    assert lea.told("oldboard Max", r"board:You:.*")
    assert lea.told("oldmoves Max", r"Score is .*") == "Score is 0-0 in a 5 point match."
    lea.send("invite Max")
    max_.hear(r"Lea wants to resume a saved match with you\.")
    max_.hear(r"Type 'join Lea' to accept\.")
    max_.send("join Lea")
    max_.hear(r"You are now playing with Lea\. Your running match was loaded\.")
    max_.hear(r"match length: 5")
    lea.hear(r"Max has joined you\. Your running match was loaded\.")
    lea.hear(r"turn: \w+\.")
    assert lea.board() == before


@pytest.mark.parametrize(("asked", "first", "second"), [(5, "Uma", "Vito"), (3, "Uta", "Veit")])
def test_of_two_saved_matches_the_one_that_is_asked_for_goes_on(
    served: Served, asked: int, first: str, second: str
) -> None:
    """Whoever invites to a new match keeps the saved one; either may be asked for later."""
    page = Member(served, first)
    member(served, second)
    uma, vito = Clip(served, first), Clip(served, second)
    vito.told("toggle ready", r"\*\* You're now ready to invite or join someone\.")
    for length in (5, 3):
        uma.send(f"invite {second} {length}")
        vito.hear(rf"Type 'join {first}' to accept\.")
        vito.send(f"join {first}")
        uma.hear(rf"Starting a new game with {second}\.")
        vito.told("leave", r"\*\* You terminated the game\. The game was saved\.")
        uma.hear(rf"\*\* Player {second} has left the game\. The game was saved\.")
    with page.client.stream("GET", "/api/stream/event") as answer:
        ids = {told["match"]["length"]: told["match"]["id"] for told in islice(lines(answer), 2)}
    page.post(f"/api/bot/match/{ids[asked]}/resume")
    assert vito.told(f"oldmoves {first}", r"Score is .*") == f"Score is 0-0 in a {asked} point match."
    vito.send(f"join {first}")
    vito.hear(rf"match length: {asked}")


def test_a_lost_connection_saves_the_match_of_two_clients(served: Served) -> None:
    nina, olaf = at_a_match(served, "Nina", "Olaf", 3)
    nina.hear(r"board:You:.*")
    olaf.socket.close()
    nina.hear(r"Olaf drops connection\. The game was saved\.")
    nina.hear(r"8 Olaf Olaf drops connection\.")
    again = Clip(served, "Olaf")
    nina.hear(r"7 Olaf Olaf logs in\.")
    again.send("invite Nina")
    nina.hear(r"Olaf wants to resume a saved match with you\.")
    nina.told("join Olaf", r"You are now playing with Olaf\. Your running match was loaded\.")
    again.hear(r"Nina has joined you\. Your running match was loaded\.")
    again.hear(r"board:You:.*")
    assert again.told("bye", r"Your game with .*") == "Your game with Nina was saved."
    nina.hear(r"Olaf logs out\. The game was saved\.")


def test_a_match_against_a_bot_waits_for_who_comes_back(served: Served) -> None:
    (paul,) = clients(served, "Paul")
    paul.send("invite Barpoint_Easy 7")
    paul.hear(r"board:You:.*")
    paul.socket.close()
    again = Clip(served, "Paul")
    again.send("invite Barpoint_Easy")
    again.hear(r"Barpoint_Easy has joined you\. Your running match was loaded\.")
    assert again.board().length == 7


# ---------------------------------------------------------------- watching and chat


def test_a_watcher_sees_both_sides_and_is_seen(served: Served) -> None:
    quin, rosa = at_a_match(served, "Quin", "Rosa", 3)
    (sam,) = clients(served, "Sam")
    assert sam.told("look Quin", r"board:Quin:Rosa:3:.*")
    assert sam.told("watch Rosa", r"You're .*") == "You're now watching Rosa."
    sam.hear(r"board:Rosa:Quin:3:.*")
    rosa.hear(r"Sam is watching you\.")
    quin.hear(r"Sam starts watching Rosa\.")
    assert sam.told("pip", r"Pipcounts: .*").startswith("Pipcounts: Rosa ")
    assert sam.told("show watchers", r"Sam is watching .*") == "Sam is watching Rosa."
    sam.told("whisper Nice", r"\*\* But nobody heard you\.")
    quin.told("kibitz Hello", r"\*\* 2 users heard you\.")
    assert sam.hear(r"15 .*")[0] == "15 Quin Hello"
    player, other = (quin, rosa) if quin.board().yours else (rosa, quin)
    player.send(player.move_typed(player.board()))
    sam.hear(rf"{player.name} moves .* \.")
    sam.hear(r"board:Rosa:Quin:.*")
    other.send("double")
    sam.hear(rf"{other.name} doubles\.")
    player.hear(rf"{other.name} doubles\. Type 'accept' or 'reject'\.")
    player.send("accept")
    sam.hear(rf"{player.name} accepts the double\.")
    rosa.told("blind Sam", r"\*\* You blind Sam\.")
    sam.hear(r"Rosa bans you from watching\.")
    assert sam.told("watch Rosa", r"\*\* .*") == "** Rosa doesn't want you to watch."
    assert sam.told("watch Quin", r"\*\* .*") == "** Quin doesn't want you to watch."
    assert sam.told("unwatch", r"\*\* .*") == "** You're not watching."


def test_who_watches_somebody_sees_their_next_match_from_the_start(served: Served) -> None:
    tess, ulla = clients(served, "Tess", "Ulla")
    tess.told("watch Ulla", r"Ulla is not doing anything interesting\.")
    ulla.send("invite Barpoint_Easy 1")
    tess.hear(r"Ulla and Barpoint_Easy start a 1 point match\.")
    tess.hear(r"Starting a new game with Barpoint_Easy\.")
    tess.hear(r"board:Ulla:Barpoint_Easy:.*")
    ulla.send("bye")
    tess.hear(r"Ulla logs out\.\. You're not watching anymore\.")


def test_words_reach_whom_they_are_for(served: Served) -> None:
    vera, will, xena = clients(served, "Vera", "Will", "Xena")
    vera.told("tell Will Hi there", r"16 Will Hi there")
    will.hear(r"12 Vera Hi there")
    assert vera.told("tell Nobody x", r"\*\* .*") == "** There is no one called Nobody"
    will.told("shout All welcome", r"17 All welcome")
    vera.hear(r"13 Will All welcome")
    xena.hear(r"13 Will All welcome")
    xena.told("gag Will", r"\*\* You gag Will\.")
    assert xena.told("gag", r"\*\* .*") == "** Gagged users: Will"
    assert will.told("tell Xena x", r"\*\* .*") == "** Xena won't listen to you."
    assert xena.told("tell Will x", r"\*\* .*") == "** You can't talk if you won't listen."
    vera.told("away Lunch", r"You're away\. Please type 'back'")
    assert will.told("away", r"Vera: .*") == "Vera: Lunch"
    vera.told("back", r"Welcome back\.")
    vera.send("bye")
    vera.rest()
    assert will.told("message Vera See you", r"11 .*") == "11 Vera"
    again = Clip(served, "Vera")
    assert any(line.startswith("9 Will ") and line.endswith(" See you") for line in again.log)
    assert will.told("say x", r"\*\* .*") == "** 'say' can't be used outside a game"
    assert will.told("kibitz x", r"\*\* .*") == "** You're not watching or playing."


def test_what_a_watcher_says_is_read_by_who_watches_on_the_web(served: Served) -> None:
    ulrika, _ = at_a_match(served, "Ulrika", "Volkan", 3)
    (wotan,) = clients(served, "Wotan")
    wotan.told("watch Ulrika", r"You're .*")
    page = member(served, "Xerxa")
    users = served.app.state.fibs.users.values()
    match_id = next(one.followed.match_id for one in users if one.name == "Ulrika")
    cookie = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    address = f"ws://127.0.0.1:{served.port}/ws/match/{match_id}"
    with connect(address, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE_S) as web:
        web.send(json.dumps({"do": "join", "protocol": 2, "seq": None}))
        wotan.told("kibitz Well played", r"\*\* 2 users heard you\.")
        assert ulrika.hear(r"15 .*")[0] == "15 Wotan Well played"
        wotan.told("whisper Bold", r"\*\* But nobody heard you\.")  # of those with such a client
        assert wotan.told("kibitz  ", r"\*\* .*") == "** You can't say nothing."
        read: list[str] = []
        while len(read) < 2:
            message = json.loads(web.recv(PATIENCE_S))
            read += [f"{line['name']}: {line['text']}" for line in message.get("lines", ())]
    assert read == ["Wotan: Well played", "Wotan: Bold"]


def test_messages_go_between_clients_and_pages(served: Served) -> None:
    (zita,) = clients(served, "Zita")
    page = member(served, "Yann")
    page.post("/messages/Zita", data={"text": "Dear Zita,\nshall we play?"})
    zita.hear(r"9 Yann \d+ Dear Zita, shall we play\?")
    assert zita.told("message Yann Gladly", r"11 .*") == "11 Yann"
    assert "Zita has written to you" in page.get("/rules").text
    shown = page.get("/messages/Zita").text
    assert "shall we play?" in shown
    assert "Gladly" in shown
    zita.send("bye")
    zita.rest()
    page.post("/messages/Zita", data={"text": "Where are you?"})
    again = Clip(served, "Zita")
    left = [line.split(" ", 3)[3] for line in again.log if line.startswith("9 ")]
    assert left == ["Where are you?"], "and nothing twice"
    again.told("away Lunch", r"You're away\. .*")
    page.post("/messages/Zita", data={"text": "Back already?"})
    again.told("back", r"Welcome back\.")
    again.hear(r"9 Yann \d+ Back already\?")


def test_a_client_writes_to_nobody_by_whom_it_was_just_blocked(served: Served) -> None:
    (ulf,) = clients(served, "Ulf")
    page = member(served, "Vic")
    assert ulf.told("message Vic Hello", r"11 .*") == "11 Vic"
    page.post("/player/Ulf/block")
    refused = ulf.told("message Vic Hello again", r"\*\* .*")  # by his own session, or where it is stored
    assert refused == "** Vic won't listen to you." or "do not write to each other" in refused
    assert "Hello again" not in page.get("/messages/Ulf").text


def test_a_block_on_a_page_holds_for_clients_that_are_logged_in(served: Served) -> None:
    yorick, zelda = clients(served, "Yorick", "Zelda")
    with httpx.Client(base_url=served.address) as page:
        login(page, "Yorick")
        for action, wanted in (("block", "** Yorick won't listen to you."), ("unblock", "16 Yorick Hi")):
            page.post(f"/player/Zelda/{action}")
            until = time.monotonic() + PATIENCE_S
            while (said := zelda.told("tell Yorick Hi", r"(16|\*\*) .*")) != wanted:
                assert time.monotonic() < until, said
                time.sleep(0.1)
    yorick.hear(r"12 Zelda Hi")


def test_whoever_asks_is_told_about_people_and_the_server(served: Served) -> None:
    (yves,) = clients(served, "Yves")
    assert yves.told("whois Yves", r"Information about .*") == "Information about Yves:"
    yves.hear(r"  Still logged in\. \d+ seconds idle\.")
    yves.hear(r"  Yves is ready to play, not watching, not playing\.")
    yves.hear(r"  Rating: 1500\.00 Experience: 0")
    assert yves.told("whois Nobody", r"No information .*") == "No information found on user Nobody."
    assert yves.told("who Nobody", r"\*\* .*") == "** There is no one called Nobody."
    yves.told("rawwho Yves", r"5 Yves - - 1 0 1500\.00 0 \d+ \d+ fibs scripted -")
    yves.hear("6")
    assert yves.told("ratings from 20 to 10", r"\*\* .*") == "** invalid range from 20 to 10"
    assert yves.told("ratings from x", r"\*\* .*") == "** Please give a positive number after 'from'."
    assert yves.told("time Europe/Berlin", r".* UTC \)")
    assert yves.told("fizzbuzz", r"\*\* .*") == "** Unknown command: 'fizzbuzz'"
    assert yves.told("shutdown", r"\*\* .*") == "** Permission denied"
    assert yves.told("waitfor Nobody", r"\*\* .*") == "** There is no user called 'Nobody'."
    yves.told("help", r"All commands:")
    assert yves.told("help jo", r"  join: .*") == "  join: Accepts an invitation, or goes on to the next game."
    assert yves.hear(r"  invite NAME LENGTH.*")
    assert yves.told("man bye", r"  bye: .*") == "  bye: Logs you out."
    assert yves.told("help wave", r"  wave: .*").startswith("  wave: Waves goodbye")
    assert yves.told("help xyz", r"\*\* .*") == "** There is no help on 'xyz'. Type 'help' for all commands."
    for command in ("average", "stat"):
        assert yves.told(command, r"\*\* .*") == "** This server keeps no statistics of its users."
    Member(served, "Zora")
    yves.send("whois Zora")
    yves.hear(r"  Has never logged in here, only on the web page\.")
    yves.hear(r"  Not logged in right now\.")
