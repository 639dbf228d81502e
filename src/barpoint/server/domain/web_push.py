"""Web push: messages to a closed browser, encrypted so that the push service cannot read them (RFC 8291, RFC 8292).

Both take a few lines on `cryptography`, which comes with the extra `push`; without it push is not offered. We use no
library for these lines: one has a more demanding licence, one comes without a wheel.
"""

from __future__ import annotations

import base64
import binascii
import http.client
import importlib.util
import json
import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from barpoint.error import FormatError, StoreError
from barpoint.language import Word

SERVICES: Final = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "push.services.mozilla.com",
    "notify.windows.com",
    "web.push.apple.com",
)
"""Hosts of push services, or their suffixes. A browser says where to reach it; messages go to no other hosts."""

LOOPBACK: Final = ("127.0.0.1", "localhost")
TIMEOUT_S: Final = 20.0
KEPT_S: Final = 24 * 3600
"""How long a push service keeps a message for a browser that is offline."""

TOKEN_S: Final = 12 * 3600
GONE: Final = (404, 410)
"""Status codes of a push service that mean that the browser has unsubscribed."""

MAX_ENDPOINT: Final = 1000

RECORD: Final = 4096
"""Bytes of the record that holds a whole message; push services accept no longer ones."""


def available() -> bool:
    """Whether the encryption library is installed."""
    return importlib.util.find_spec("cryptography") is not None


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's subscription. endpoint: its URL at the push service. p256dh, auth: its key and secret (base64url)."""

    endpoint: str
    p256dh: str
    auth: str


def checked_subscription(endpoint: str, p256dh: str, auth: str, services: Sequence[str] = SERVICES) -> Subscription:
    """The subscription that a browser sent; FormatError if it is invalid or not at a known push service."""
    try:
        parts = urlsplit(endpoint if len(endpoint) <= MAX_ENDPOINT and endpoint.isascii() else "")
        host, port = parts.hostname or "", parts.port
    except ValueError:  # no address at all, or a port that is none
        parts, host, port = urlsplit(""), "", None
    known = any(host == service or host.endswith(f".{service}") for service in services)
    open_way = (parts.scheme == "http" and host in LOOPBACK) or (
        parts.scheme == "https" and (port in (None, 443) or host in LOOPBACK)
    )
    if not known or not open_way or parts.username is not None:
        raise FormatError("%(value)r is no push service that is known here", value=host[:60] or Word("this"))
    if not _is_point(_bytes(p256dh)) or len(_bytes(auth)) != 16:
        raise FormatError("the keys of this subscription are damaged")
    return Subscription(endpoint, p256dh, auth)


def _is_point(data: bytes) -> bool:
    """Whether these are the 65 bytes of a public key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        return len(data) == 65 and bool(ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data))
    except ValueError:
        return False


def _bytes(text: str) -> bytes:
    """Decodes base64url, with or without padding; empty if it is invalid."""
    try:
        return base64.urlsafe_b64decode(text[:200] + "=" * (-len(text[:200]) % 4))
    except (ValueError, binascii.Error):
        return b""


def to_text(data: bytes) -> str:
    """Encodes base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def fresh_key() -> str:
    """A new private key, in the form it is stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return f"{ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value:064x}"


class PushKey:
    """The key that identifies this server to push services; made at the first start, and stored."""

    def __init__(self, kept: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._private = ec.derive_private_key(int(kept, 16), ec.SECP256R1())

    @property
    def public(self) -> str:
        """The public key, which a page passes to the browser to subscribe."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return to_text(self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorization(self, endpoint: str, now_s: int, contact: str) -> str:
        """The header that identifies the sender (RFC 8292). contact: an address of the operator, or ""."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        parts = urlsplit(endpoint)
        claims: dict[str, Any] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now_s + TOKEN_S}
        if contact:
            claims["sub"] = contact
        head = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(to_text(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        token = f"{signed}.{to_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
        return f"vapid t={token}, k={self.public}"


def encrypted(
    message: bytes, subscription: Subscription, number: int | None = None, salt: bytes | None = None
) -> bytes:
    """The message encrypted for this browser alone (RFC 8291), in one record (RFC 8188).

    number, salt: the private key and the salt of this message; new and secret unless a test sets them.
    """
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    def derived(salt: bytes, secret: bytes, about: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, about).derive(secret)

    curve, salt = ec.SECP256R1(), salt or os.urandom(16)
    once = ec.generate_private_key(curve) if number is None else ec.derive_private_key(number, curve)
    sender = once.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    browser = _bytes(subscription.p256dh)
    shared = once.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(curve, browser))
    secret = derived(_bytes(subscription.auth), shared, b"WebPush: info\0" + browser + sender, 32)
    key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def post(subscription: Subscription, message: bytes, key: PushKey, now_s: int, contact: str, topic: str) -> int:
    """Sends a message to the push service and returns the status; call it in a thread.

    topic: a later message of the same topic replaces an earlier one that is not delivered yet. StoreError if the
    service does not answer.
    """
    parts = urlsplit(subscription.endpoint)
    host, port = parts.hostname or "", parts.port
    link: http.client.HTTPConnection
    if parts.scheme == "https":
        link = http.client.HTTPSConnection(host, port, timeout=TIMEOUT_S, context=ssl.create_default_context())
    else:
        link = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    headers = {
        "Authorization": key.authorization(subscription.endpoint, now_s, contact),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_S),
        "Topic": topic,
        "Urgency": "normal",
    }
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        link.request("POST", path or "/", encrypted(message, subscription), headers)
        return link.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise StoreError("the push service %(host)s does not answer: %(error)s", host=host[:60], error=error) from None
    finally:
        link.close()
