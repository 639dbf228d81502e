"""Pages for administrators: reports, accounts, running matches, jobs, figures of the process, and what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError, FormatError
from barpoint.language import N_, _, date, time
from barpoint.number_text import number_in
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import folded
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.administration import Admin
from barpoint.server.live.pubsub import person_named
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import administration
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.administration import AdministratorAct, JobCount
from barpoint.server.storage.chat import ChatReport
from barpoint.server.storage.lobby import ListedMatch
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, form_of, go

MATCHES_SHOWN: Final = 50
ACTS_SHOWN: Final = 100
MAX_GRANT: Final = 1_000_000

ACTS: Final = {
    "ban": N_("banned"),
    "unban": N_("opened again"),
    "kick": N_("logged out"),
    "reset": N_("new password"),
    "grant": N_("tickets given"),
    "void": N_("match voided"),
    "close": N_("report closed"),
    "delete": N_("deleted"),
    "rename": N_("renamed"),
    "export": N_("data exported"),
    "administrator": N_("made administrator"),
    "no administrator": N_("administrator no longer"),
}
SURE: Final = {
    "reset": (N_("Give a new password?"), True),
    "void": (N_("Void the match?"), True),
    "ban": (N_("Ban the account?"), False),
}
"""Acts that are asked about first, and whether they cannot be undone."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of this process, as `/metrics` has it."""

    name: str
    value: float


async def administrator_of(request: Request) -> Guest:
    """The administrator who asks; 404 for everybody else."""
    person = await person_of(request)
    if person is None or not person.administrator:
        raise HTTPException(404)
    return person


async def admin_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The open reports, running matches, jobs, figures, and the latest acts."""
    await administrator_of(request)
    services = service_of(request)
    since = services.matches.clock() - DAY

    def work(
        connection: Connection,
    ) -> tuple[list[ChatReport], list[ListedMatch], list[JobCount], list[AdministratorAct]]:
        return (
            chat_storage.open_reports(connection),
            lobby_storage.matches_running(connection, since, MATCHES_SHOWN, public=False),
            administration.job_counts(connection),
            administration.acts(connection, ACTS_SHOWN),
        )

    reports, running, jobs, acts = await services.store.read(work)
    return render(
        request,
        "admin.html",
        status,
        problem=problem,
        reports=[(one, date(one.at)) for one in reports],
        running=[match_summary(one) for one in running],
        jobs=[(one, time(one.oldest_at)) for one in jobs],
        figures=list(figures(services)),
        acts=[(one, _(ACTS.get(one.act, one.act)), time(one.at)) for one in acts],
    )


def figures(services: Services) -> Iterator[Figure]:
    """The counters and gauges of this process; of times and sizes their count and sum."""
    for family in services.store.metrics.registry.collect():
        for sample in family.samples:
            kept = sample.name.startswith("barpoint_") and not sample.name.endswith(("_created", "_bucket"))
            if kept and sample.value:
                labels = ", ".join(sample.labels.values())
                yield Figure(f"{sample.name} ({labels})" if labels else sample.name, round(sample.value, 3))


async def account_page(
    request: Request, name: str = "", problem: str = "", password: str = "", status: int = 200
) -> Response:
    """One account, and what can be done about it. password: a new one, shown once."""
    await administrator_of(request)
    store, name = service_of(request).store, name or request.query_params.get("name", "")
    account = await store.read(account_storage.find_account, name[:40])
    if account is None:
        return await admin_page(request, _("Nobody is called %(name)r here.", name=name[:40]), 404)
    tickets = await store.read(result_storage.tickets_of, account.id)
    return render(
        request,
        "admin_account.html",
        status,
        account=account,
        since=date(account.created_at),
        banned=date(account.banned_at) if account.banned_at is not None else "",
        tickets=tickets,
        problem=problem,
        password=password,
        max_grant=MAX_GRANT,
    )


async def act(request: Request) -> Response:
    """Does something as an administrator; the last part of the path names it. Everything is recorded."""
    by, services, form = await administrator_of(request), service_of(request), await form_of(request)
    action, name = request.path_params["action"], form.get("name", "")
    if action in SURE and "sure" not in form:
        return _asking(request, action, form)
    admin = Admin("", services.matches.clock(), services.store, by.id, services.tournaments)
    try:
        password = await _do(services, admin, by, action, form)
    except BarpointError as error:
        problem = as_sentence(error)
        return await (account_page(request, name, problem, status=409) if name else admin_page(request, problem, 409))
    if name and (account := await services.store.read(account_storage.find_account, name)):
        services.pubsub.publish(person_named(account.id))  # open connections end at once
    if password:
        return await account_page(request, name, password=password)
    return go(_back(name))


def _back(name: str) -> str:
    return f"/admin/account?name={quote(name)}" if name else "/admin"


def _asking(request: Request, action: str, form: dict[str, str]) -> Response:
    (title, final), name = SURE[action], form.get("name", "")
    return render(
        request,
        "sure.html",
        back=_back(name),
        title=_(title),
        button=_("Yes, do it"),
        name=name or form.get("match", ""),
        about="",
        final=final,
        form=form,
    )


async def _do(services: Services, admin: Admin, by: Guest, action: str, form: dict[str, str]) -> str:
    """Does it; returns a new password, else ""."""
    name = form.get("name", "")
    if action in ("ban", "kick") and folded(name) == folded(by.name):
        raise FormatError("this is your own account")
    match action:
        case "ban":
            await admin.ban(name, form.get("reason", "").strip())
        case "unban":
            await admin.unban(name)
        case "kick":
            await admin.kick(name)
        case "reset":
            return await admin.reset_password(name)
        case "grant":
            await admin.grant(name, _number(form.get("tickets", ""), MAX_GRANT))
        case "void":
            match_id = form.get("match", "")
            await admin.void(match_id)
            await services.matches.log.refresh(match_id)
        case "close":
            await admin.close_report(_number(form.get("report", ""), 2**31 - 1))
        case _:
            raise HTTPException(404)
    return ""


def _number(text: str, most: int) -> int:
    number = number_in(text, 1, most)
    if number is None:
        raise FormatError("number: %(found)r; allowed: 1 to %(most)s", found=text[:20], most=most)
    return number


ROUTES: Final = (
    Route("/admin", admin_page),
    Route("/admin/account", account_page),
    Route("/admin/{action}", act, methods=["POST"]),
)
"""The addresses of these pages."""
