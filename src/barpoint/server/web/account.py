"""The account page: password, address, sessions, data export, and deletion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import N_, _, date
from barpoint.server.domain.accounts import SESSION_COOKIE, Account, AccountRefused, checked_email, digest, new_codes
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.vacations import ALLOWANCE_DAYS, days_left, year_of
from barpoint.server.live.accounts import SLOWER
from barpoint.server.live.pubsub import person_named
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import personal_data
from barpoint.server.storage import push as push_storage
from barpoint.server.storage import vacations as vacation_storage
from barpoint.server.web.auth_pages import enter, may_write_to, send_confirmation
from barpoint.server.web.downloads import attachment
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, form_of, go, without_session

Page = Callable[[Request], Awaitable[Response]]

DONE: Final = {
    "password": N_("The password is changed, everybody else is logged out, and the tokens of programs are withdrawn."),
    "email": N_("The address is noted. A link that confirms it is on its way."),
    "email-kept": N_("The address is noted."),
    "notices": N_("Noted."),
    "logged-out": N_("That browser is logged out."),
}
"""Messages of the page after each action."""

BROWSERS: Final = (
    *(("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("OPT/", "Opera")),
    *(("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"), ("YaBrowser/", "Yandex")),
    *(("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome")),
    *(("Safari/", "Safari"), ("iPhone OS", "Safari"), ("iPad", "Safari")),
)
"""What the User-Agents of browsers hold, and their names; others come after those that claim to be them too."""

SYSTEMS: Final = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS")),
    *(("Mac OS", "Mac"), ("Linux", "Linux")),
)
"""The same of systems."""


def for_members(page: Page) -> Page:
    """A page for people with an account; others get the login page."""

    async def guarded(request: Request) -> Response:
        person = await person_of(request)
        if person is None or not person.registered:
            if request.method == "GET":
                query = f"?{request.url.query}" if request.url.query else ""
                return go(f"/login?back={quote(request.url.path + query, safe='/')}")
            raise HTTPException(403)
        return await page(request)

    return guarded


async def member(request: Request) -> Guest:
    """The user who sent the request, on a page for members."""
    person = await person_of(request)
    assert person is not None, "the page is for members"
    return person


async def _account(request: Request) -> Account:
    person = await member(request)
    account = await service_of(request).store.read(account_storage.get_account, person.id)
    if account is None:
        raise HTTPException(403)
    return account


@for_members
async def account_page(request: Request) -> Response:
    """The account page."""
    return await _page(request, "", _(DONE.get(request.query_params.get("done", ""), "")))


async def _page(request: Request, problem: str, said: str = "", status: int = 200) -> Response:
    services, account = service_of(request), await _account(request)
    sessions = await services.store.read(account_storage.sessions_of, account.id, services.matches.clock())
    vacations = await services.store.read(vacation_storage.vacations_of, account.id)
    now = services.matches.clock()
    clubs = await services.store.read(club_storage.clubs_of, account.id)
    this = digest(request.cookies.get(SESSION_COOKIE, ""))
    shown = [(one, browser_named(one.agent), one.id == this) for one in sessions]
    return render(
        request,
        "account.html",
        status,
        account=account,
        since=date(account.created_at),
        sessions=sorted(shown, key=lambda one: not one[2]),
        notified=await services.store.read(push_storage.count, account.id) > 0,
        date=date,
        problem=problem,
        said=said,
        mail=services.mailer.works,
        vacations=[
            (one, date(one.begins_at), date(one.ends_at - 1), one.begins_at <= now)
            for one in vacations
            if one.ends_at > now
        ],
        days_left=days_left(vacations, year_of(now)),
        allowance=ALLOWANCE_DAYS,
        clubs=clubs,
        successions=await services.store.read(club_storage.successions, account.id),
        push_key=services.pusher.key.public if services.pusher.key else "",
    )


async def account_problem(request: Request, problem: str) -> Response:
    """The account page with a reason why something was not done."""
    return await _page(request, problem, status=422)


def browser_named(agent: str) -> str:
    """A short browser name from what is kept of its User-Agent; of a FIBS client, what it calls itself."""
    if agent.startswith("FIBS "):
        return agent
    browser = next((name for sign, name in BROWSERS if sign in agent), _("A program"))
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return _("%(browser)s on %(system)s", browser=browser, system=system) if system else browser


def with_password(page: Callable[[Request, Account, dict[str, str]], Awaitable[Response]]) -> Page:
    """A page for members whose form has their password; refuses others, and too many attempts."""

    async def proven(request: Request) -> Response:
        account, form, accounts = await _account(request), await form_of(request), service_of(request).accounts
        may_try = accounts.may_try(address_of(request), account.name, known=True)
        if may_try and await accounts.passwords.fits(account.password, form.get("password", "")):
            return await page(request, account, form)
        if not may_try:
            return await _page(request, _(SLOWER), status=429)
        return await _page(request, _("This is not your password."), status=403)

    return for_members(proven)


@with_password
async def change_password(request: Request, account: Account, form: dict[str, str]) -> Response:
    """Changes the password, and logs out all other sessions."""
    try:
        await service_of(request).accounts.change_password(account, form.get("new", ""))
    except AccountRefused as error:
        return await _page(request, as_sentence(error), status=422)
    return await enter(request, account.id, go("/account?done=password"))


@with_password
async def change_email(request: Request, account: Account, form: dict[str, str]) -> Response:
    """Stores another address, or none, and sends a confirmation link."""
    services = service_of(request)
    try:
        email = checked_email(form.get("email", ""))
    except AccountRefused as error:
        return await _page(request, as_sentence(error), status=422)
    if email is not None and not may_write_to(request, email):
        return await _page(request, _(SLOWER), status=429)
    await services.store.write(account_storage.set_email, account.id, email)
    if email is None or not services.mailer.works:
        return go("/account?done=email-kept")
    await send_confirmation(services, account.id, account.name, email)
    return go("/account?done=email")


@for_members
async def change_notices(request: Request) -> Response:
    """Stores whether the user wants mail when it is their turn."""
    account, wanted = await _account(request), "notices" in await form_of(request)
    await service_of(request).store.write(account_storage.set_notices, account.id, wanted)
    return go("/account?done=notices")


@with_password
async def change_codes(request: Request, account: Account, _: dict[str, str]) -> Response:
    """Shows new recovery codes, which replace the old ones."""
    codes = new_codes()
    await service_of(request).store.write(account_storage.put_codes, account.id, codes)
    return render(request, "codes.html", name=account.name, codes=codes, fresh=False, mailed=False, back="/")


@for_members
async def logout_everywhere(request: Request) -> Response:
    """Ends all sessions, this one too, and withdraws the tokens of programs."""
    services, account = service_of(request), await _account(request)
    await services.store.write(account_storage.end_access, account.id)
    services.pubsub.publish(person_named(account.id))
    return without_session(go("/login"))


@for_members
async def logout_one(request: Request) -> Response:
    """Ends one session, which may be gone already."""
    services, account, form = service_of(request), await _account(request), await form_of(request)
    session = form.get("session", "")
    await services.store.write(account_storage.end_one_session, account.id, session, form.get("endpoint", ""))
    services.pubsub.publish(person_named(account.id))
    return go("/account?done=logged-out")


@for_members
async def download(request: Request) -> Response:
    """All of the user's data, as a ZIP file of JSON."""
    services, account = service_of(request), await _account(request)
    if not services.allowance.letters.spend(f"data of {account.id}"):
        raise HTTPException(429)
    return attachment("barpoint.zip", "application/zip", await services.accounts.own_data(account.id))


@with_password
async def delete_account(request: Request, account: Account, _: dict[str, str]) -> Response:
    """Deletes the account; its matches stay, without a name."""
    services = service_of(request)
    await services.tournaments.leave_all(Guest(account.id, account.name, registered=True))
    await services.store.write(personal_data.forget_account, account.id, services.matches.clock())
    services.pubsub.renamed(account.id)
    services.pubsub.publish(person_named(account.id))
    return without_session(go("/?deleted"))


ROUTES: Final = (
    Route("/account", account_page),
    Route("/account/password", change_password, methods=["POST"]),
    Route("/account/email", change_email, methods=["POST"]),
    Route("/account/notices", change_notices, methods=["POST"]),
    Route("/account/codes", change_codes, methods=["POST"]),
    Route("/account/logout-one", logout_one, methods=["POST"]),
    Route("/account/logout-everywhere", logout_everywhere, methods=["POST"]),
    Route("/account/barpoint.zip", download),
    Route("/account/delete", delete_account, methods=["POST"]),
)
