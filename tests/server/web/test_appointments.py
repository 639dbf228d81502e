"""Agreeing on a time to play: proposed, accepted or answered with others, shown to both, and told."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from sqlalchemy import select, update
from websockets.exceptions import InvalidStatus

from barpoint import language
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.appointments import QUIET_MS, SEQUENCE_FROM_MS, Appointment, CalendarEntry, CalendarMethod
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.own_settings import zone_of
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE
from barpoint.server.live.appointments import Reminders
from barpoint.server.live.mail import CalendarFile, Mailer
from barpoint.server.live.matches import seat_for
from barpoint.server.live.notifications import Notifier
from barpoint.server.live.pubsub import seats_of
from barpoint.server.services import wall_clock
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.storage import notifications
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.appointments import APPOINTMENT
from barpoint.variants import variant
from tests.server.web.test_news import at, hear
from tests.support.accounts import browser_of
from tests.support.serving import Served

BERLIN = ZoneInfo("Europe/Berlin")
FIELDS = {"variant": "backgammon", "length": "3", "time_control": "Normal"}


def entered(at: int, zone: ZoneInfo = BERLIN) -> str:
    """A time as a field for dates has it."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%dT%H:%M")


def soon(hours: int) -> int:
    """A whole minute some hours ahead."""
    return (wall_clock() + hours * HOUR) // MINUTE * MINUTE


def late_evening() -> int:
    """Half past eleven tomorrow evening, UTC: in Berlin it is the next day."""
    return soon(24) // DAY * DAY + 23 * HOUR + 30 * MINUTE


def propose(http: httpx.Client, path: str, *times: int) -> httpx.Response:
    return http.post(f"{path}/time", data={"date": [entered(at) for at in times], "zone": "Europe/Berlin"})


def call_off(http: httpx.Client, path: str, at: int) -> httpx.Response:
    return http.post(f"{path}/time/call-off", data={"at": str(at), "sure": "1"})


def shown(page: httpx.Response) -> list[int]:
    """The times on a page."""
    return [int(at) for at in re.findall(r'<time data-at="(\d+)"', page.text)]


def keys(page: httpx.Response) -> list[str]:
    """What the items about times on a page are known by."""
    return re.findall(r'data-key="((?:times|soon) [^"]*)"', page.text)


def person(served: Served, name: str) -> Guest:
    """Somebody with an account, who wants to be notified by mail."""
    read, write = served.services.store.read, served.services.store.write
    account = served.call(read(account_storage.find_account, name))
    assert account
    served.call(write(account_storage.set_email, account.id, f"{name}@example.org"))
    served.call(write(account_storage.set_notices, account.id, True))
    served.call(write(confirm, account.id))
    return Guest(account.id, account.name, registered=True)


def match_of(served: Served, *people: Guest) -> str:
    """The id of a match that two people have not begun."""
    first, second = (seat_for(one) for one in people)
    agreement = Agreement(variant(), MatchTerms(length=1))
    return served.call(served.services.matches.make(agreement, (first, second))).id


def notifier_of(served: Served) -> tuple[Notifier, Told]:
    """Notifications that are kept instead of being sent."""
    services, told = served.services, Told()
    pusher: Any = told
    return Notifier(services.matches, services.mailer, pusher, services.presence, 0), told


def test_two_players_agree_on_a_time_that_both_then_see(served: Served) -> None:
    with browser_of(served, "Anna") as anna, browser_of(served, "Ben") as ben, browser_of(served, "Cleo") as cleo:
        path = anna.post("/challenge", data={"name": "Ben", **FIELDS}).headers["location"]
        assert f'href="{path}/time"' in anna.get(path).text
        assert f'href="{path}/time"' not in cleo.get(path).text
        assert cleo.get(f"{path}/time").status_code == 404
        first, second = soon(24), soon(48)
        assert propose(cleo, path, first).status_code == 404
        for wrong in ((), (soon(-1),), (first, second, soon(3), soon(4)), (soon(24 * 400),)):
            assert propose(anna, path, *wrong).status_code == 422, wrong
        assert propose(anna, path, second, first).status_code == 303
        assert f'href="{path}/time" id="news-' in ben.get("/rules").text, "told on every page"
        assert shown(ben.get(f"{path}/time")) == [first, second], "in the time of each reader"
        assert ben.post(f"{path}/time/accept", data={"at": str(soon(3))}).status_code == 409
        assert anna.post(f"{path}/time/accept", data={"at": str(first)}).status_code == 409, "her own proposal"

        key = keys(ben.get("/rules"))
        propose(anna, path, second, soon(96))
        assert keys(ben.get("/rules")) != key, "whoever closed the first proposal hears of the second"

        third = soon(72)
        assert propose(ben, path, third).status_code == 303
        assert ben.post(f"{path}/time/accept", data={"at": str(first)}).status_code == 409, "answered with another"
        assert f'href="{path}/time" id="news-' not in ben.get("/rules").text
        assert anna.get(f"{path}/time.ics").status_code == 404, "nothing is agreed on"
        assert anna.post(f"{path}/time/accept", data={"at": str(third)}).status_code == 303
        for http in (anna, ben):
            assert shown(http.get("/"))[:1] == [third]
            assert shown(http.get(f"{path}/time")) == [third]
        assert shown(cleo.get("/")) == []
        entry = anna.get(f"{path}/time.ics")
        assert entry.headers["content-type"] == "text/calendar; charset=utf-8"
        assert f"DTSTART:{datetime.fromtimestamp(third / 1000, UTC):%Y%m%dT%H%M%SZ}\r\n" in entry.text
        assert "SUMMARY:Backgammon against Ben\r\n" in entry.text

        club = cleo.post("/clubs/new", data={"name": "Club", "text": "", "joining": "open", "season": "1"})
        for http in (anna, ben):
            http.post(f"{club.headers['location']}/join", data={"x": ""})
        assert shown(anna.get(club.headers["location"])) == [third]
        assert shown(cleo.get(club.headers["location"])) == [], "it is no match of the club"
        ben.post(f"{path.replace('/match', '/lobby/invitation')}/decline", data={"x": ""})
        assert anna.get(f"{path}/time").status_code == 404, "the match is over"
        assert shown(anna.get("/")) == []


def test_a_match_of_a_ladder_is_arranged_within_its_time_and_shown_to_the_club(served: Served) -> None:
    with browser_of(served, "Dora") as dora, browser_of(served, "Emil") as emil, browser_of(served, "Finn") as finn:
        club = dora.post("/clubs/new", data={"name": "Club", "text": "", "joining": "open", "season": "1"}).headers[
            "location"
        ]
        ladder = dora.post(f"{club}/ladder", data={"name": "Ladder", **FIELDS, "reach": "1", "days": "3"}).headers[
            "location"
        ]
        for http in (emil, finn):
            http.post(f"{club}/join", data={"x": ""})
        for http in (dora, emil):
            http.post(f"{ladder}/join", data={"x": ""})
        person = re.search(r'name="person" value="([^"]+)"', emil.get(ladder).text)
        assert person
        path = emil.post(f"{ladder}/challenge", data={"person": person[1]}).headers["location"]
        assert propose(emil, path, soon(80)).status_code == 422, "the challenge lapses before"
        assert propose(emil, path, soon(20)).status_code == 303
        assert dora.post(f"{path}/time/accept", data={"at": str(soon(20))}).status_code == 303
        assert shown(finn.get(club)) == [soon(20)]
        with browser_of(served) as stranger:
            assert shown(stranger.get(club)) == []


class Told:
    """Keeps what is told of times instead of sending it."""

    works = True

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def tell(self, guest_id: str, title: str, text: str, path: str, topic: str) -> None:
        if title == "Time to play":
            self.told.append((guest_id, text))

    def taken(self) -> list[tuple[str, str]]:
        told, self.told = sorted(self.told), []
        return told


def test_who_is_away_is_told_of_proposals_and_agreements_and_both_shortly_before(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = served.services
    with browser_of(served, "Gina") as gina, browser_of(served, "Hugo") as hugo:
        ids = [person(served, name).id for name in ("Gina", "Hugo")]
        notifier, told = notifier_of(served)
        path, at = gina.post("/challenge", data={"name": "Hugo", **FIELDS}).headers["location"], late_evening()
        propose(gina, path, at)
        served.call(notifier.look())
        assert told.taken() == [(ids[1], "Gina proposes times to play Backgammon.")]
        hugo.post(f"{path}/time/accept", data={"at": str(at)})
        served.call(notifier.look())
        (mine,) = told.taken()
        assert mine[0] == ids[0]
        local = rf"{datetime.fromtimestamp(at / 1000, BERLIN).day} \w+, (00|01):30 \(Europe/Berlin\)"
        assert re.fullmatch(rf"You play Backgammon against Hugo: {local}\.", mine[1]), "her zone is known"
        served.call(notifier.look())
        assert told.taken() == [], "once"
        monkeypatch.setattr(services.matches, "clock", lambda: at - 14 * MINUTE)
        served.call(notifier.look())
        both = {
            ids[0]: mine[1],
            ids[1]: f"You play Backgammon against Gina: {language.time(at)} (UTC).",
        }
        assert told.taken() == sorted(both.items())
        served.call(notifier.look())
        assert told.taken() == []
        assert "You play against Hugo at <time" in gina.get("/rules").text


def test_either_player_calls_an_agreed_time_off_of_which_the_other_is_told_and_both_propose_anew(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browser_of(served, "Tim") as tim, browser_of(served, "Ute") as ute, browser_of(served, "Vera") as vera:
        utes, tims, (notifier, told) = person(served, "Ute"), person(served, "Tim"), notifier_of(served)
        path, at = tim.post("/challenge", data={"name": "Ute", **FIELDS}).headers["location"], soon(24)
        propose(tim, path, at)
        ute.post(f"{path}/time/accept", data={"at": str(at), "zone": "Europe/Berlin"})
        served.call(notifier.look())
        told.taken()
        assert propose(ute, path, soon(30)).status_code == 422, "it is called off first"
        assert vera.post(f"{path}/time/call-off", data={"at": str(at)}).status_code == 404
        call_off(ute, path, soon(3))
        assert shown(tim.get("/"))[:1] == [at], "of another time nothing is called off"
        asked = ute.post(f"{path}/time/call-off", data={"at": str(at)})
        assert re.search(rf'name="at" value="{at}">.*>Call it off</button>', asked.text, re.DOTALL)
        assert shown(tim.get("/"))[:1] == [at], "it is asked first"
        assert call_off(ute, path, at).status_code == 303
        assert "times-title" not in tim.get("/").text
        assert "Ute has called off the time to play" in ute.get(f"{path}/time").text
        off = re.search(r'href="([^"]*)" id="news-1">Ute has called off the time to play', tim.get("/rules").text)
        assert off
        assert off[1] == f"{path}/time"
        assert "has called off" not in ute.get("/rules").text
        served.call(notifier.look())
        text = "Ute has called off the time to play Backgammon: "
        assert told.taken() == [(tims.id, f"{text}{language.time(at, zone=BERLIN)} (Europe/Berlin).")]
        served.call(notifier.look())
        assert told.taken() == [], "once"
        for _reading in range(2):
            assert "Ute has called off the time to play" in tim.get(f"{path}/time").text
        assert "has called off" not in tim.get("/rules").text, "news until it is seen"
        assert tim.post(f"{path}/time/accept", data={"at": str(at)}).status_code == 409
        for http in (tim, ute):
            assert "calendar-off" not in http.get(f"{path}/time").text, "nobody organizes it where no mail is sent"
            assert http.get(f"{path}/time.ics").status_code == 404
        monkeypatch.setattr(Mailer, "sender", "club@example.org")
        for http in (tim, ute):
            assert f'href="{path}/time.ics" download id="calendar-off"' in http.get(f"{path}/time").text
            entry = http.get(f"{path}/time.ics").text
            assert "METHOD:CANCEL\r\n" in entry
            assert "ORGANIZER:mailto:club@example.org\r\n" in entry
        assert propose(tim, path, soon(48)).status_code == 303
        assert tim.get(f"{path}/time.ics").status_code == 404
        assert "has called off" not in tim.get(f"{path}/time").text
        assert shown(ute.get(f"{path}/time")) == [soon(48)]
        served.call(notifier.look())
        assert told.taken() == [(utes.id, "Tim proposes times to play Backgammon.")]


def test_who_is_told_of_a_time_only_after_others_are_proposed_instead_is_told_of_both(served: Served) -> None:
    with browser_of(served, "Ada") as ada, browser_of(served, "Bo") as bo:
        bos, (notifier, told) = person(served, "Bo"), notifier_of(served)
        path = ada.post("/challenge", data={"name": "Bo", **FIELDS}).headers["location"]
        at, *others = (soon(hours) for hours in (24, 50, 60, 70))
        other = f"/match/{match_of(served, person(served, 'Ada'), bos)}"
        propose(ada, path, at)
        bo.post(f"{path}/time/accept", data={"at": str(at)})
        propose(ada, other, soon(30))
        served.call(notifier.look())
        told.taken()
        call_off(ada, path, at)
        for times in (others[:1], others):
            assert propose(ada, path, *times).status_code == 303
        assert "Ada has called off the time to play" in bo.get("/rules").text
        served.call(notifier.look())
        text = f"Ada has called off the time to play Backgammon: {language.time(at)} (UTC). "
        assert told.taken() == [(bos.id, f"{text}Ada proposes times to play Backgammon.")]
        page = bo.get(f"{path}/time")
        assert shown(page)[-4:] == [at, *others]
        assert f'value="{at}"' not in page.text
        assert bo.post(f"{path}/time/accept", data={"at": str(at)}).status_code == 409
        assert bo.post(f"{path}/time/accept", data={"at": str(others[1])}).status_code == 303
        assert shown(ada.get(f"{path}/time")) == [others[1]]
        assert "has called off" not in bo.get("/rules").text
        served.call(notifier.look())
        assert told.taken()[0][1].startswith("You play Backgammon against Bo: ")


def test_the_time_zone_is_kept_until_a_script_names_another(served: Served) -> None:
    with browser_of(served, "Ole") as ole, browser_of(served, "Pia") as pia:
        path = ole.post("/challenge", data={"name": "Pia", **FIELDS}).headers["location"]
        oles = select(ACCOUNT.c.settings).where(ACCOUNT.c.name == "Ole")

        def zone() -> str:
            return str(zone_of(served.call(served.services.store.read(lambda db: db.scalar(oles)))))

        assert 'name="zone" value=""' in pia.get(f"{path}/time").text, "without a script it is not known"
        for sent, kept in (("Asia/Tokyo", "Asia/Tokyo"), ("", "Asia/Tokyo"), ("UTC", "UTC")):
            assert ole.post(f"{path}/time", data={"date": entered(soon(24)), "zone": sent}).status_code == 303
            assert zone() == kept
        assert language.time(1_788_215_400_000, zone=zone_of('{"zone":"Asia/Tokyo"}')) == "1 Sept, 07:30"
        assert language.time(1_788_215_400_000, zone=zone_of('{"zone":"Nowhere"}')) == "31 Aug, 22:30"


def test_the_page_of_a_time_follows_what_the_other_player_does(served: Served) -> None:
    with browser_of(served, "Wim") as wim, browser_of(served, "Xena") as xena, browser_of(served, "Yuri") as yuri:
        path, when = wim.post("/challenge", data={"name": "Xena", **FIELDS}).headers["location"], soon(24)
        with at(served, xena, f"/ws{path}/time") as page:
            hear(page, "news")
            propose(wim, path, when)
            assert f'value="{when}" id="accept-1"' in hear(page, "part")["html"]
            xena.post(f"{path}/time/accept", data={"at": str(when)})
            assert f'value="{when}" id="call-off"' in hear(page, "part")["html"]
            call_off(wim, path, when)
            assert "Wim has called off the time to play" in hear(page, "part")["html"]
        with pytest.raises(InvalidStatus), at(served, yuri, f"/ws{path}/time"):
            pass


def test_whoever_was_told_of_a_proposal_is_not_told_of_the_next_for_some_hours(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browser_of(served, "Ines") as ines, browser_of(served, "Jan"):
        jan, (notifier, told) = person(served, "Jan"), notifier_of(served)
        path = ines.post("/challenge", data={"name": "Jan", **FIELDS}).headers["location"]
        propose(ines, path, soon(24))
        served.call(notifier.look())
        assert [one[0] for one in told.taken()] == [jan.id]
        propose(ines, path, soon(30))
        other = match_of(served, person(served, "Ines"), jan)
        propose(ines, f"/match/{other}", soon(30))
        served.call(notifier.look())
        assert told.taken() == [], "of another match neither"
        now = wall_clock()
        monkeypatch.setattr(served.services.matches, "clock", lambda: now + QUIET_MS + MINUTE)
        propose(ines, path, soon(31))
        served.call(notifier.look())
        assert [one[0] for one in told.taken()] == [jan.id]


def test_whoever_blocks_somebody_is_told_of_no_time_and_accepts_none(served: Served) -> None:
    with browser_of(served, "Kai") as kai, browser_of(served, "Lea") as lea:
        person(served, "Lea")
        notifier, told = notifier_of(served)
        path, at = kai.post("/challenge", data={"name": "Lea", **FIELDS}).headers["location"], soon(24)
        propose(kai, path, at)
        assert len(keys(lea.get("/rules"))) == 1
        lea.post("/player/Kai/block", data={"x": ""})
        served.call(notifier.look())
        assert told.taken() == []
        assert keys(lea.get("/rules")) == []
        for http in (kai, lea):
            page = http.get(f"{path}/time")
            assert shown(page) == []
            assert "You two do not play each other." in page.text
        assert lea.post(f"{path}/time/accept", data={"at": str(at)}).status_code == 409


def test_at_most_so_many_are_told_together_and_nobody_is_left_out(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "MAX_AT_ONCE", 3)
    with browser_of(served, "Mia"), browser_of(served, "Noah"):
        mia, noah = person(served, "Mia"), person(served, "Noah")
        notifier, told = notifier_of(served)
        now = served.services.matches.clock()

        def proposed(at: int) -> Appointment:
            match_id, write = match_of(served, mia, noah), served.services.store.write
            served.call(write(appointment_storage.propose, match_id, mia, noah, [at], now))
            return Appointment(match_id, mia, noah, (at,))

        for _expired in range(3):
            proposed(now - MINUTE)
        proposed(now + DAY)
        served.call(notifier.look())
        assert [one[0] for one in told.taken()] == [noah.id], "what has passed hides nothing"
        near = [proposed(now + MINUTE) for _match in range(2)]
        for one in near:
            served.call(served.services.store.write(appointment_storage.accept, one, one.times[0]))
        for _look in near:
            served.call(notifier.look())
            assert [one[0] for one in told.taken()] == sorted((mia.id, noah.id)), "both players of a match"
        served.call(notifier.look())
        assert told.taken() == []


def test_what_is_agreed_on_after_a_proposal_was_read_is_told_on_its_own(served: Served) -> None:
    with browser_of(served, "Otto"), browser_of(served, "Paula"):
        otto, paula = person(served, "Otto"), person(served, "Paula")
        store, now = served.services.store, served.services.matches.clock()
        one = Appointment(match_of(served, otto, paula), otto, paula, (now + DAY,))
        served.call(store.write(appointment_storage.propose, one.match_id, otto, paula, one.times, now))

        def waiting() -> notifications.TimeNotice:
            found = served.call(store.read(notifications.times_waiting, now, 2**60))
            return next(notice for notice in found if notice.match_id == one.match_id)

        proposal = waiting()
        served.call(store.write(appointment_storage.accept, one, one.times[0]))
        assert not served.call(store.write(notifications.claim_time, proposal, now))
        agreement = waiting()
        assert (agreement.guest_id, agreement.agreed_at) == (otto.id, one.times[0])
        assert served.call(store.write(notifications.claim_time, agreement, now))


def test_open_pages_are_told_of_a_time_that_comes_where_no_mail_goes_out(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browser_of(served, "Rita") as rita, browser_of(served, "Sven") as sven:
        services = served.services
        people = [person(served, name) for name in ("Rita", "Sven")]
        path, at = rita.post("/challenge", data={"name": "Sven", **FIELDS}).headers["location"], soon(24)
        propose(rita, path, at)
        sven.post(f"{path}/time/accept", data={"at": str(at)})

        async def heard() -> list[str]:
            topics = list[str]()
            with services.pubsub.listening_to([seats_of(one.id) for one in people], topics.append):
                await reminders.look()
            return sorted(topics)

        async def running() -> set[str]:
            return {task.get_name() for task in asyncio.all_tasks()}

        reminders = Reminders(services.matches)
        assert served.call(heard()) == []
        monkeypatch.setattr(services.matches, "clock", lambda: at - 14 * MINUTE)
        assert served.call(heard()) == sorted(seats_of(one.id) for one in people)
        assert served.call(heard()) == [], "once"
        assert "times to play" in served.call(running())


def confirm(db: Any, account_id: str) -> None:
    db.execute(update(ACCOUNT).where(ACCOUNT.c.id == account_id).values(email_confirmed=True))


def test_lines_of_a_calendar_are_short_and_its_texts_escaped() -> None:
    one = CalendarEntry("m1", DAY, "Nackgammon; " + "ж" * 80 + ", \\", "https://example.org/match/m1")
    entry = one.text(0)
    assert all(len(line.encode()) <= 75 for line in entry.split("\r\n"))
    assert "DTSTART:19700102T000000Z\r\n" in entry
    assert "SUMMARY:Nackgammon\\; " + "ж" * 80 + "\\, \\\\\r\n" in entry.replace("\r\n ", "")


def test_what_cancels_an_entry_of_a_calendar_names_the_same_one_and_is_the_later() -> None:
    now = SEQUENCE_FROM_MS + 90_000
    made = CalendarEntry("m1", now + DAY, "Backgammon", "https://example.org/match/m1", "club@example.org")
    cancelling = replace(made, method=CalendarMethod.CANCEL)
    first, second = (dict(line.split(":", 1) for line in one.text(now).splitlines()) for one in (made, cancelling))
    same = ("UID", "DTSTART", "ORGANIZER", "SUMMARY")
    assert [first[name] for name in same] == [second[name] for name in same]
    assert first["ORGANIZER"] == "mailto:club@example.org"
    assert (first["METHOD"], second["METHOD"], second["STATUS"]) == ("PUBLISH", "CANCEL", "CANCELLED")
    assert (first["SEQUENCE"], second["SEQUENCE"]) == ("90", "91"), "also within the same second"
    assert "VALARM" not in cancelling.text(now), "nobody is reminded of it"
    plain = replace(made, organizer="").text(now)
    assert "METHOD" not in plain, "a method without an organizer is none that calendars take"
    assert "ORGANIZER" not in plain
    with pytest.raises(AssertionError, match="no cancellation without an organizer"):
        replace(cancelling, organizer="")


def test_a_mail_brings_the_agreed_time_for_the_calendar_and_takes_it_out_again(served: Served) -> None:
    with browser_of(served, "Quirin") as quirin, browser_of(served, "Xara") as xara:
        quirins, (notifier, _told) = person(served, "Quirin"), notifier_of(served)
        mailer = Mails()
        notifier._mailer = mailer  # type: ignore[assignment]
        path, at = quirin.post("/challenge", data={"name": "Xara", **FIELDS}).headers["location"], soon(24)
        propose(quirin, path, at)
        served.call(notifier.look())
        xara.post(f"{path}/time/accept", data={"at": str(at)})
        served.call(notifier.look())
        call_off(xara, path, at)
        propose(xara, path, soon(30))
        served.call(notifier.look())
        agreed, off = (entry for to, entry in mailer.sent if to == f"{quirins.name}@example.org")
        assert agreed is not None
        assert off is not None
        match_id = path.rpartition("/")[2]
        assert (agreed.name, agreed.method, off.method) == (f"match-{match_id}.ics", "PUBLISH", "CANCEL")
        for entry in (agreed, off):
            assert f"UID:{match_id}@barpoint\r\n" in entry.text
            assert f"DTSTART:{datetime.fromtimestamp(at / 1000, UTC):%Y%m%dT%H%M%SZ}\r\n" in entry.text
            assert "SUMMARY:Backgammon against Xara\r\n" in entry.text


class Mails:
    """Keeps whom a mail went to, and its entry for calendars."""

    works, address, sender = True, "https://example.org", "club@example.org"

    def __init__(self) -> None:
        self.sent: list[tuple[str, CalendarFile | None]] = []

    def send(self, to: str, subject: str, text: str, entry: CalendarFile | None = None) -> None:
        self.sent.append((to, entry))


def test_whoever_proposed_times_withdraws_them_and_then_nobody_accepts_them(served: Served) -> None:
    with browser_of(served, "Yves") as yves, browser_of(served, "Zoe") as zoe:
        zoes, (notifier, told) = person(served, "Zoe"), notifier_of(served)
        path, at = yves.post("/challenge", data={"name": "Zoe", **FIELDS}).headers["location"], soon(24)
        assert yves.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 409, "nothing is proposed"
        propose(yves, path, at, soon(30))
        served.call(notifier.look())
        assert zoes.id in {one[0] for one in told.taken()}
        assert 'id="withdraw"' in yves.get(f"{path}/time").text
        assert 'id="withdraw"' not in zoe.get(f"{path}/time").text
        assert zoe.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 409, "they are not hers"
        assert shown(zoe.get(f"{path}/time")) == [at, soon(30)]

        assert yves.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 303
        stored = select(APPOINTMENT.c.times).where(APPOINTMENT.c.match_id == path.rpartition("/")[2])
        assert served.call(served.services.store.read(lambda db: db.scalar(stored))) == "0", "older programs read it"
        for http in (yves, zoe):
            assert shown(http.get(f"{path}/time")) == []
        assert f'href="{path}/time" id="news-' not in zoe.get("/rules").text
        assert zoe.post(f"{path}/time/accept", data={"at": str(at)}).status_code == 409
        propose(yves, path, at)
        served.call(notifier.look())
        assert zoes.id not in {one[0] for one in told.taken()}, "she was told of his proposals a moment ago"
        assert zoe.post(f"{path}/time/accept", data={"at": str(at)}).status_code == 303
        assert yves.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 409, "it is agreed on"
        assert shown(zoe.get("/"))[:1] == [at]

        call_off(yves, path, at)
        propose(yves, path, soon(40))
        assert yves.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 303
        assert shown(zoe.get(f"{path}/time")) == [at], "that a time was called off stays"


def test_a_time_called_off_that_was_seen_beside_a_proposal_is_no_news_once_that_is_withdrawn(served: Served) -> None:
    with browser_of(served, "Abel") as abel, browser_of(served, "Bea") as bea:
        beas, (notifier, told) = person(served, "Bea"), notifier_of(served)
        path, at = abel.post("/challenge", data={"name": "Bea", **FIELDS}).headers["location"], soon(24)
        propose(abel, path, at)
        bea.post(f"{path}/time/accept", data={"at": str(at)})
        for seen in (False, True):
            call_off(abel, path, at)
            propose(abel, path, soon(40))
            if seen:
                for _reading in range(2):
                    assert "Abel has called off the time to play" in bea.get(f"{path}/time").text
            assert abel.post(f"{path}/time/withdraw", data={"x": ""}).status_code == 303
            assert shown(bea.get("/rules")) == ([] if seen else [at])
            if not seen:
                propose(bea, path, at)
                abel.post(f"{path}/time/accept", data={"at": str(at)})
        told.taken()
        served.call(notifier.look())
        assert beas.id not in {one[0] for one in told.taken()}
        propose(abel, path, soon(50))
        served.call(notifier.look())
        assert told.taken() == [(beas.id, "Abel proposes times to play Backgammon.")]
