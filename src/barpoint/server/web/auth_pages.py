"""The auth pages: register, log in, log out, and recover a password."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import StoreError
from barpoint.language import N_, _
from barpoint.server.domain.accounts import (
    LETTER_MS,
    SESSION_COOKIE,
    Account,
    AccountRefused,
    checked_password,
    new_secret,
    typed_code,
)
from barpoint.server.domain.clubs import Club, ClubRefused
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import NameRefused, folded
from barpoint.server.live.accounts import SLOWER, TooOften
from barpoint.server.live.pubsub import person_named
from barpoint.server.services import Services, address_of, person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import push as push_storage
from barpoint.server.web.language import with_language
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import (
    as_sentence,
    back_from,
    device_of,
    form_of,
    go,
    with_device,
    with_session,
    without_guest,
    without_session,
)

LOG: Final = logging.getLogger("barpoint.server")

SENT: Final = N_("If there is an account with this name and a confirmed address, a mail is on its way to it.")


CLUB_LINK: Final = re.compile(r"/clubs/invitation/([\w-]+)", re.ASCII)
"""The path of a club's link, by which somebody came who registers."""


async def login_page(request: Request) -> Response:
    """The login form."""
    back = back_from(request.query_params.get("back", "/"))
    if (person := await person_of(request)) and person.registered:
        return go(back)
    return _login_page(request, "", back)


def _login_page(request: Request, problem: str, back: str, name: str = "", status: int = 200) -> Response:
    return render(request, "login.html", status, problem=problem, back=back, name=name)


async def login(request: Request) -> Response:
    """Begins a session with a name and a password."""
    form = await form_of(request)
    name, password, back = form.get("name", ""), form.get("password", ""), back_from(form.get("back", "/"))
    try:
        account = await service_of(request).accounts.proven(address_of(request), name, password, device_of(request))
    except AccountRefused as error:
        return _login_page(request, as_sentence(error), back, name[:40], 429 if isinstance(error, TooOften) else 403)
    if form.get("alone"):
        services = service_of(request)
        await services.store.write(account_storage.end_sessions, account.id)
        services.pubsub.publish(person_named(account.id))
    return await enter(request, account.id, go(back))


async def enter(request: Request, account_id: str, response: Response) -> Response:
    """Starts a session of an account in place of this browser's earlier one, and adds its cookie to the response."""
    agent = request.headers.get("user-agent", "")
    services = service_of(request)
    if chosen := await services.store.read(account_storage.language_of, account_id):
        with_language(request, chosen, response)
    if (earlier := request.cookies.get(SESSION_COOKIE)) is not None:
        await services.store.write(account_storage.end_session, earlier)  # this browser forgets it now
    secret = await services.accounts.begin_session(account_id, agent)
    return _with_cookies(request, account_id, secret, response)


def _with_cookies(request: Request, account_id: str, secret: str, response: Response) -> Response:
    """Adds the cookies of a session that has begun, and of this device of the account."""
    return with_device(request, account_id, with_session(request, secret, response))


async def logout(request: Request) -> Response:
    """Ends the session, and what this browser is told by push; the account page sends the endpoint along."""
    services, secret = service_of(request), request.cookies.get(SESSION_COOKIE)
    person, endpoint = await person_of(request), (await form_of(request)).get("endpoint", "")
    if secret is not None:
        await services.store.write(account_storage.end_session, secret)
    if person is not None:
        await services.store.write(push_storage.drop, endpoint, person.id)
        services.pubsub.publish(person_named(person.id))
    return without_session(go("/"))


async def register_page(request: Request) -> Response:
    """The registration form."""
    back = back_from(request.query_params.get("back", "/"))
    if (person := await person_of(request)) and person.registered:
        return go(_after_registering(back))
    return _register_page(request, "", {"back": back})


def _register_page(request: Request, problem: str, form: dict[str, str], status: int = 200) -> Response:
    shown = {"name": form.get("name", "")[:254], "email": form.get("email", "")[:254]}
    mail, back = service_of(request).mailer.works, back_from(form.get("back", "/"))
    return render(request, "register.html", status, problem=problem, form=shown, mail=mail, back=back)


def _after_registering(back: str) -> str:
    return "/account" if back == "/" else back


async def register(request: Request) -> Response:
    """Creates an account for the guest who asks, and shows its recovery codes once; who came by a club's link joins it."""
    services, form = service_of(request), await form_of(request)
    name, password, email = (form.get(field, "") for field in ("name", "password", "email"))
    person = await person_of(request)
    back = back_from(form.get("back", "/"))
    if person and person.registered:
        return go(_after_registering(back))
    session = new_secret(), request.headers.get("user-agent", "")
    try:
        account, codes = await services.accounts.make_account(
            address_of(request), person, name, password, email, session
        )
    except (NameRefused, AccountRefused) as error:
        return _register_page(request, as_sentence(error), form, 429 if isinstance(error, TooOften) else 422)
    # The account and its codes are there now: nothing that fails from here on may keep them from being shown.
    mailed, club, member = False, None, Guest(account.id, account.name, registered=True)
    with suppress(StoreError):
        mailed = await _confirmation_sent(request, account)
    with suppress(StoreError):
        club = await _joined(services, member, back)
    page = render(
        request,
        "codes.html",
        person=member,
        own_settings="",
        club=club,
        name=account.name,
        codes=codes,
        fresh=True,
        mailed=mailed,
        back=f"/clubs/{club.id}" if club is not None else back,
    )
    if account.language:
        with_language(request, account.language, page)
    return without_guest(_with_cookies(request, account.id, session[0], page))


async def _confirmation_sent(request: Request, account: Account) -> bool:
    """Sends a new account the link that confirms its address, if it has one and mail works; whether it did."""
    services = service_of(request)
    if account.email is None or not services.mailer.works or not may_write_to(request, account.email):
        return False
    await send_confirmation(services, account.id, account.name, account.email)
    return True


async def _joined(services: Services, member: Guest, back: str) -> Club | None:
    """The club that somebody joins who has registered for its link; None without one, or if the club refuses."""
    found = CLUB_LINK.fullmatch(back)
    club_id = await services.store.read(club_storage.find_invitation, found[1]) if found else None
    if found is None or club_id is None:
        return None
    try:
        await services.clubs.join(club_id, member, found[1])
    except ClubRefused:
        return None
    return (await services.clubs.known(club_id)).club


def may_write_to(request: Request, email: str) -> bool:
    """Whether another letter may be sent, counted by who asks and to whom."""
    letters = service_of(request).allowance.letters
    return letters.spend(f"at {address_of(request)}") and letters.spend(f"to {email}")


async def send_confirmation(services: Services, account_id: str, name: str, email: str) -> None:
    """Sends a link that confirms an address."""
    first = (
        _(
            "Somebody who is called %(name)s at %(address)s gave this address as their own.",
            name=name,
            address=services.mailer.address,
        )
        + "\n"
        + _("If that was you, confirm it here within two hours:")
    )
    last = _("If it was not, do nothing: no more mails will come.")
    await _send_link(services, account_id, email, "confirm", _("Your address at Barpoint"), first, last)


async def _send_link(
    services: Services, account_id: str, email: str, what: str, subject: str, first: str, last: str
) -> None:
    """Sends a link that works once, between the first and the last words. what: confirm or recover."""
    secret, until = new_secret(), services.matches.clock() + LETTER_MS
    await services.store.write(account_storage.put_letter, account_id, what, email, secret, until)
    link = f"{services.mailer.address}/{what}/{secret}"
    services.mailer.send(email, subject, f"{first}\n\n{link}\n\n{last}\n")


async def confirm_page(request: Request) -> Response:
    """The page behind a confirmation link. Opening it changes nothing, because mail programs follow links."""
    services, secret = service_of(request), request.path_params["secret"]
    found = await services.store.read(account_storage.find_letter, secret, "confirm", services.matches.clock())
    return render(request, "confirm.html", 200 if found else 404, email=found and found[1])


async def confirm(request: Request) -> Response:
    """Confirms the address that received the link."""
    services, secret = service_of(request), request.path_params["secret"]
    if not await services.store.write(account_storage.confirm_email, secret, services.matches.clock()):
        return render(request, "confirm.html", 404, email=None)
    return go("/account")


async def recover_page(
    request: Request, problem: str = "", said: str = "", name: str = "", status: int = 200
) -> Response:
    """The form for a lost password."""
    name = name[:40]
    mail = service_of(request).mailer.works
    return render(request, "recover.html", status, problem=problem, said=said, name=name, mail=mail)


async def recover(request: Request) -> Response:
    """Sets a new password with a recovery code."""
    services, form = service_of(request), await form_of(request)
    name, code = form.get("name", ""), typed_code(form.get("code", ""))
    try:
        await services.accounts.tried(address_of(request), name, device_of(request))
    except TooOften as error:
        return await recover_page(request, as_sentence(error), name=name, status=429)
    try:
        password = checked_password(form.get("password", ""), name or "?")
    except AccountRefused as error:
        return await recover_page(request, as_sentence(error), name=name, status=422)
    kept = await services.accounts.passwords.hash(password)

    def work(connection: Connection) -> str | None:
        account = account_storage.find_account(connection, name)
        if (
            account is None
            or account.banned_at is not None
            or not account_storage.use_code(connection, account.id, code)
        ):
            return None
        account_storage.set_password(connection, account.id, kept)
        return account.id

    account_id = await services.store.write(work)
    if account_id is None:
        return await recover_page(
            request, _("This is no unused code of an account with this name."), name=name, status=403
        )
    services.pubsub.publish(person_named(account_id))
    return await enter(request, account_id, go("/account"))


async def send_recovery(request: Request) -> Response:
    """Sends a link that resets the password, if the account has an address; the answer is the same in any case."""
    services, form = service_of(request), await form_of(request)
    if not services.mailer.works:
        raise HTTPException(404)
    name = form.get("name", "")
    letters = services.allowance.letters
    if not (letters.spend(f"at {address_of(request)}") and letters.spend(f"to {folded(name)}")):
        return await recover_page(request, _(SLOWER), name=name, status=429)
    account = await services.store.read(account_storage.find_account, name)
    if account is not None and account.email and account.email_confirmed and account.banned_at is None:
        first = _("Somebody has asked for a new password for %(name)s.", name=account.name)
        first += "\n" + _("Choose it here within two hours:")
        last = _("If you have not asked for it, do nothing: the old one still holds.")
        await _send_link(services, account.id, account.email, "recover", _("A new password for Barpoint"), first, last)
    return await recover_page(request, said=_(SENT), name=name)


async def reset_page(request: Request) -> Response:
    """The page behind a reset link: a form for a new password."""
    services, secret = service_of(request), request.path_params["secret"]
    if await services.store.read(account_storage.find_letter, secret, "recover", services.matches.clock()) is None:
        raise HTTPException(404)
    return render(request, "reset.html", problem="")


async def reset(request: Request) -> Response:
    """Sets the new password, and invalidates the link."""
    services, secret = service_of(request), request.path_params["secret"]
    now, form = services.matches.clock(), await form_of(request)
    if not services.allowance.entries.spend(address_of(request)):
        raise HTTPException(429)
    try:
        kept = await services.accounts.passwords.hash(checked_password(form.get("password", ""), "?"))
    except AccountRefused as error:
        return render(request, "reset.html", 422, problem=as_sentence(error))

    def work(connection: Connection) -> str | None:
        found = account_storage.find_letter(connection, secret, "recover", now)
        if found is None:
            return None
        account_id, _email = found
        account_storage.set_password(connection, account_id, kept)
        return account_id

    account_id = await services.store.write(work)
    if account_id is None:
        raise HTTPException(404)
    services.pubsub.publish(person_named(account_id))
    return await enter(request, account_id, go("/account"))


ROUTES: Final = (
    Route("/login", login_page),
    Route("/login", login, methods=["POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/register", register_page),
    Route("/register", register, methods=["POST"]),
    Route("/confirm/{secret}", confirm_page),
    Route("/confirm/{secret}", confirm, methods=["POST"]),
    Route("/recover", recover_page),
    Route("/recover", recover, methods=["POST"]),
    Route("/recover/mail", send_recovery, methods=["POST"]),
    Route("/recover/{secret}", reset_page),
    Route("/recover/{secret}", reset, methods=["POST"]),
)
