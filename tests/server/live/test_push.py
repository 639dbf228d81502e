"""Web push: a real endpoint on loopback decrypts the messages and verifies the sender (RFC 8291, RFC 8292)."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import func, select

from barpoint.error import FormatError, StoreError
from barpoint.match import MatchTerms
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.web_push import (
    PushKey,
    Subscription,
    checked_subscription,
    encrypted,
    fresh_key,
    post,
    to_text,
)
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import push as push_storage
from barpoint.server.storage.schema.accounts import ACCOUNT, PUSH_SUBSCRIPTION
from barpoint.variants import variant
from tests.support.accounts import PASSWORD, register
from tests.support.live_server import ANNA, BEN, opened
from tests.support.scripted_bots import ChanceBot
from tests.support.serving import Served, serve

LOCAL = ("127.0.0.1",)
CURVE = ec.SECP256R1()


def from_text(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def decrypted(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypts a message as RFC 8291 says, as a browser does."""
    salt, sender, content = body[:16], body[21:86], body[86:]
    mine = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    shared = private.exchange(ec.ECDH(), known)

    def derived(salt: bytes, secret: bytes, about: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, about).derive(secret)

    secret = derived(auth, shared, b"WebPush: info\0" + mine + sender, 32)
    key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    return AESGCM(key).decrypt(nonce, content, None).rstrip(b"\0").removesuffix(b"\x02")


@dataclass
class Browser:
    """A browser with its push services. answer: the service's status. heard: headers and decrypted messages."""

    answer: int = 201
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Condition = field(default_factory=threading.Condition)
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"0123456789abcdef"
    port: int = 0

    @property
    def subscription(self) -> Subscription:
        public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Subscription(f"http://127.0.0.1:{self.port}/push/1?a=b", to_text(public), to_text(self.auth))

    def hear(self, headers: dict[str, str], body: bytes) -> None:
        opened = decrypted(body, self.private, self.auth)
        with self.arrived:
            self.heard.append((headers, opened))
            self.arrived.notify_all()

    def wait(self, number: int) -> list[tuple[dict[str, str], bytes]]:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.heard) >= number, 60), "a message comes"
        return self.heard


class _Endpoint(BaseHTTPRequestHandler):
    def __init__(self, browser: Browser, *arguments: Any) -> None:
        self.browser = browser
        super().__init__(*arguments)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.browser.answer)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.browser.hear({name.lower(): value for name, value in self.headers.items()} | {"path": self.path}, body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Endpoint, made))
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_example_of_the_standard_is_encrypted_and_decrypted_as_it_says() -> None:
    """RFC 8291, section 5 and appendix A."""
    known = ec.derive_private_key(
        int.from_bytes(from_text("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"), CURVE
    )
    public = known.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    browser = Subscription("https://example.org/", to_text(public), "BTBZMqHH6r4Tts7J_aSIgg")
    number = int.from_bytes(from_text("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    text = b"When I grow up, I want to be a watermelon"
    made = encrypted(text, browser, number, from_text("DGv6ra1nlYgDCS1FRnbzlw"))
    assert to_text(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert decrypted(made, known, from_text(browser.auth)) == text


def test_a_message_arrives_encrypted_and_signed(browser: Browser) -> None:
    """RFC 8291: only the browser decrypts it; RFC 8292: the token names the service, expires, and is signed."""
    key = PushKey(fresh_key())
    status = post(browser.subscription, b'{"title":"x"}', key, 1_800_000_000, "https://play.example.org", "match1")
    assert status == 201
    headers, message = browser.wait(1)[0]
    assert message == b'{"title":"x"}'
    assert headers["path"] == "/push/1?a=b"
    assert (headers["content-encoding"], headers["topic"], int(headers["ttl"]) > 0) == ("aes128gcm", "match1", True)
    said = re.fullmatch(r"vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(\S+)", headers["authorization"])
    assert said
    head, claims, signature, public = said.groups()
    assert json.loads(from_text(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(from_text(claims)) == {
        "aud": f"http://127.0.0.1:{browser.port}", "exp": 1_800_000_000 + 12 * 3600, "sub": "https://play.example.org",
    }  # fmt: skip
    assert public == key.public
    raw = from_text(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_text(public))
    known.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


def test_the_same_message_is_encrypted_anew_each_time(browser: Browser) -> None:
    assert encrypted(b"x", browser.subscription) != encrypted(b"x", browser.subscription)


def test_a_kept_key_is_the_same_after_a_restart() -> None:
    kept = fresh_key()
    assert PushKey(kept).public == PushKey(kept).public
    assert len(from_text(PushKey(kept).public)) == 65


def test_a_service_that_does_not_answer_is_said_to(browser: Browser) -> None:
    lost = Subscription("http://127.0.0.1:9/x", browser.subscription.p256dh, browser.subscription.auth)
    with pytest.raises(StoreError, match="does not answer"):
        post(lost, b"x", PushKey(fresh_key()), 0, "", "t")


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://example.org/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.example.org/x",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:22/x",
        "https://fcm.googleapis.com:99999/x",
        "https://[",
        "http://127.0.0.1/x",
        "https://169.254.169.254/latest",
        "file:///etc/passwd",
        "",
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_nothing_is_sent_to_what_is_no_push_service(browser: Browser, endpoint: str) -> None:
    """A browser registers its endpoint, and the server trusts nothing that a client says."""
    known = browser.subscription
    with pytest.raises(FormatError, match="no push service"):
        checked_subscription(endpoint, known.p256dh, known.auth)
    good = "https://fcm.googleapis.com/fcm/send/abc"
    assert checked_subscription(good, known.p256dh, known.auth).endpoint == good


@pytest.mark.parametrize(
    ("p256dh", "auth"), [("", ""), ("AAAA", "AAAA"), ("ä", "ö"), ("A" * 5000, "B" * 5000), ("B" * 87, "A" * 22)]
)
def test_damaged_keys_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(FormatError, match="damaged"):
        checked_subscription("https://web.push.apple.com/x", p256dh, auth)


@pytest.mark.usefixtures("each_database")
async def test_browsers_are_kept_by_person_and_the_oldest_makes_room(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        store = matches.store
        many = [
            Subscription(f"https://web.push.apple.com/{n}", "k", "a") for n in range(push_storage.MAX_SUBSCRIPTIONS + 2)
        ]
        for at, one in enumerate(many):
            await store.write(lambda connection, one=one, at=at: push_storage.put(connection, ANNA.id, one, at))  # type: ignore[misc]
        assert await store.read(lambda connection: push_storage.of(connection, ANNA.id)) == tuple(many[2:])
        await store.write(lambda connection: push_storage.put(connection, BEN.id, many[5], 99))
        assert await store.read(lambda connection: push_storage.of(connection, BEN.id)) == (many[5],)
        await store.write(lambda connection: push_storage.drop(connection, many[5].endpoint, ANNA.id))
        assert await store.read(lambda connection: push_storage.of(connection, BEN.id)) == (many[5],)
        await store.write(lambda connection: push_storage.drop(connection, many[5].endpoint, BEN.id))
        assert await store.read(lambda connection: push_storage.of(connection, BEN.id)) == ()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = serve(tmp_path, push_services=LOCAL, notice_ms=20)  # type: ignore[arg-type]
    yield running
    running.stop()


def test_who_is_away_is_told_once_and_a_browser_that_is_gone_is_forgotten(served: Served, browser: Browser) -> None:
    with httpx.Client(base_url=served.address) as http:
        register(http, "Anna")
        page = http.get("/account").text
        key = re.search(r'data-key="([^"]+)"', page)
        assert key
        assert key[1] == served.services.pusher.key.public  # type: ignore[union-attr]
        one = browser.subscription
        form = {"endpoint": one.endpoint, "p256dh": one.p256dh, "auth": one.auth}
        assert http.post("/account/push", data={**form, "endpoint": "https://example.org/"}).status_code == 422
        assert http.post("/account/push", data=form).json() == {"subscribed": True}
        match_id = served.call(_turn_of(served, "Anna"))
        headers, message = browser.wait(1)[0]
        told = json.loads(message)
        assert (told["path"], headers["topic"]) == (f"/match/{match_id}", match_id)
        assert "Backgammon" in told["text"]

        store, person = served.services.store, one
        browser.answer = 410
        served.call(_tell(served))
        browser.wait(2)
        while served.call(store.read(lambda connection: _known(connection, person.endpoint))):
            pass
        assert http.post("/account/push/drop", data=form).json() == {"subscribed": False}


async def _turn_of(served: Served, name: str) -> str:
    """A match that waits for a player."""
    services = served.services
    wanted = select(ACCOUNT.c.id).where(ACCOUNT.c.name == name)
    found = await services.store.read(lambda connection: connection.scalar(wanted))
    anna, other = Guest(str(found), name), await services.accounts.new_guest()
    header = await services.matches.make(
        Agreement(variant("backgammon"), MatchTerms(length=1)), (seat_for(anna), seat_for(other))
    )
    live_match, bot = await services.matches.live_match(header.id), ChanceBot(1)
    while live_match.match.game.actor != 0:
        await services.matches.act(header.id, 1, f"c{live_match.seq}", live_match.seq, bot.event(live_match.match, 1))
    return header.id


async def _tell(served: Served) -> None:
    owner = await served.services.store.read(lambda connection: connection.scalar(select(PUSH_SUBSCRIPTION.c.guest_id)))
    assert owner is not None
    served.services.pusher.tell(owner, "t", "x", "/", "again")


def _known(connection: Any, endpoint: str) -> int:
    return (
        connection.scalar(
            select(func.count()).select_from(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.endpoint == endpoint)
        )
        or 0
    )


@pytest.mark.parametrize("how", ["logout", "account/logout-everywhere", "account/password", "login"])
def test_a_browser_that_is_logged_out_is_told_nothing_more(served: Served, browser: Browser, how: str) -> None:
    one = browser.subscription
    form = {"endpoint": one.endpoint, "p256dh": one.p256dh, "auth": one.auth}
    fields = {"name": "Anna", "password": PASSWORD, "new": "another horse", "alone": "1", "endpoint": one.endpoint}
    with httpx.Client(base_url=served.address) as http, httpx.Client(base_url=served.address) as other:
        register(http, "Anna")
        register(other, "Ben")
        http.post("/account/push", data=form)
        assert http.post("/account/push/known", data=form).json() == {"subscribed": True}
        assert other.post("/account/push/known", data=form).json() == {"subscribed": False}
        other.post("/logout", data=form)
        assert served.call(served.services.store.read(_known, one.endpoint)) == 1, "it is not Ben's"
        assert (http if how != "login" else other).post(f"/{how}", data=fields).status_code == 303
    assert served.call(served.services.store.read(_known, one.endpoint)) == 0


def test_only_members_subscribe(served: Served) -> None:
    with httpx.Client(base_url=served.address) as http:
        assert http.post("/account/push", data={"endpoint": "x"}).status_code == 403
        for more in ("/drop", "/known"):
            assert http.post(f"/account/push{more}", data={"endpoint": "x"}).status_code == 403
        worker = http.get("/worker.js")
        assert worker.headers["content-type"].startswith("text/javascript")
        assert "script-src 'self'" in http.get("/login").headers["content-security-policy"]
