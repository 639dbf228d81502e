"""Reports and blocks of people met at a match or a chouette, and reports of who writes while they watch a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.language import N_, _
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_NAME
from barpoint.server.live.chat import clean_report, other_player
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import chat as chat_storage
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, form_of, go

SAID: Final = {
    "report": N_("The administrators have been told. Thank you."),
    "block": N_("You two do not meet in the lobby any more."),
    "unblock": N_("You two may meet again."),
}
"""Messages of the match or chouette page after each action."""


class NotReported(BarpointError):
    """A report about somebody who cannot be found."""


async def report(request: Request) -> Response:
    """Reports the opponent of a match, who has written around it, or a player of a chouette, to the administrators; NotReported."""
    services, person = service_of(request), await person_of(request)
    form = await form_of(request)
    met = await _met(request, person, form)
    text = clean_report(form.get("text", ""))
    if text and person is not None:
        if not services.allowance.letters.spend(f"report by {person.id}"):
            return too_many_reports(request, form)
        now, told = services.matches.clock(), f"{met.where}{text}"
        await services.store.write(chat_storage.put_report, person.id, met.other, met.match_id, told, now)
    return go(f"{met.back}?said=report")


def too_many_reports(request: Request, form: Mapping[str, str]) -> Response:
    """The page for a report too many: its form once more with what was written, to send it later."""
    return render(
        request,
        "error.html",
        429,
        title=_("One moment"),
        text=_(TOO_MUCH),
        report=form.get("text", ""),
        kept=[(name, form[name]) for name in ("name", "player") if name in form],
    )


async def block(request: Request) -> Response:
    """Blocks somebody the user plays with, or removes the block."""
    services, person = service_of(request), await person_of(request)
    form = await form_of(request)
    met = await _met(request, person, form)
    assert person is not None, "who has no seat was refused"
    off = "off" in form
    await (services.chat.unblock if off else services.chat.block)(person, met.other)
    return go(f"{met.back}?said={'unblock' if off else 'block'}")


@dataclass(frozen=True, slots=True)
class _Met:
    """Somebody the user has met. match_id: the match, if it was one; where: the place to report if it was not."""

    other: str
    back: str
    match_id: str | None = None
    where: str = ""


async def _met(request: Request, person: Guest | None, form: Mapping[str, str]) -> _Met:
    """The opponent of a match, or the player with the form's number at a chouette; 403 for people who do not play.

    With a name in the form, whoever is called so and has written around the match, for everybody with an account; NotReported.
    """
    services, ids = service_of(request), request.path_params
    if "chouette_id" in ids:
        live_chouette = await services.chouettes.live_chouette(ids["chouette_id"])
        own, number = live_chouette.number_of(person.id if person else None), form.get("player", "")
        other = next((place.guest for place in live_chouette.places if str(place.player) == number != str(own)), None)
        if own is None or other is None:
            raise HTTPException(403)
        chouette_id = live_chouette.header.id
        return _Met(other, f"/chouette/{chouette_id}", where=f"(chouette {chouette_id}) ")
    header = (await services.matches.live_match(ids["match_id"])).header
    found = other_player(header, person)
    if "name" in form and person is not None and person.registered:
        name = form["name"]
        if (found := await services.store.read(chat_storage.watcher_named, header.id, name)) is None:
            raise NotReported(
                "%(name)r has written nothing here while watching; choose a name out of the chat", name=name[:MAX_NAME]
            )
    if found is None:
        raise HTTPException(403)
    return _Met(found, f"/match/{header.id}", header.id)


ROUTES: Final = (
    Route("/match/{match_id}/block", block, methods=["POST"]),
    Route("/chouette/{chouette_id}/report", report, methods=["POST"]),
    Route("/chouette/{chouette_id}/block", block, methods=["POST"]),
)
