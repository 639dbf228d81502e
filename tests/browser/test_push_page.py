"""Notifications while no page is open: the service worker runs under the pages' policy and shows push messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from barpoint.server.domain.web_push import Subscription
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import push as push_storage
from tests.browser.site import WAIT_MS, Profiles, Site, open_site, profiles_of, until
from tests.browser.test_lobby_page import join
from tests.support.accounts import hasten

__all__ = ["open_site"]

HELD = "navigator.serviceWorker.getRegistration('/').then((it) => it.pushManager.getSubscription())"
REGISTERED = "navigator.serviceWorker.getRegistration('/')"


@pytest.fixture
def profiles(whole_browser: Browser) -> Iterator[Profiles]:
    """Those of a browser that has notifications."""
    yield from profiles_of(whole_browser)


def test_a_pushed_message_is_shown_with_the_match_it_is_about_until_the_session_ends(
    open_site: Callable[..., Site],
) -> None:
    opened = open_site()
    hasten(opened.served)
    anna = opened.person(service_workers="allow", permissions=["notifications"], viewport={"width": 360, "height": 740})
    page = anna.page
    join(anna, "Anna")
    anna.go("/account")
    expect(page.locator("#push input")).to_be_enabled()
    expect(page.locator("#push input")).not_to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    found: list[dict[str, Any]] = []
    link = anna.context.new_cdp_session(page)
    link.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    link.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => null)")
    page.evaluate(f"{REGISTERED}.then((it) => {{ window.worker = it; return null; }})")
    until(page, "window.worker.active?.state === 'activated'")

    def deliver(topic: str, done: Callable[[], object]) -> None:
        message = (
            f'{{"title":"It is your turn","text":"A match of Backgammon waits","path":"/match/abc","topic":"{topic}"}}'
        )
        for _ in range(WAIT_MS // 250):
            # Nothing confirms that the worker got a message, so the test sends it again, as push services do.
            if done():
                break
            for ours in [one for one in found if one["scopeURL"] == f"{opened.served.address}/"]:
                where = {"origin": opened.served.address, "registrationId": ours["registrationId"]}
                link.send("ServiceWorker.deliverPushMessage", {**where, "data": message})
            page.wait_for_timeout(250)

    shown = "window.worker.getNotifications().then((all) => all.map((one) => [one.title, one.body, one.tag, one.renotify, one.data.path]))"
    deliver("abc", lambda: page.evaluate(shown))
    first = ["It is your turn", "A match of Backgammon waits", "abc", True, "/match/abc"]
    assert page.evaluate(shown) == [first]

    (worker,) = anna.context.service_workers
    worker.evaluate(f"{{ {SUBSCRIBED} PushManager.prototype.subscribe(); }}")
    store, known = opened.served.services.store, Subscription("https://push.example/1", "k", "a")
    account = opened.served.call(store.read(account_storage.find_account, "Anna"))
    assert account
    opened.served.call(store.write(push_storage.put, account.id, known, 1))
    deliver("of the session", lambda: len(page.evaluate(shown)) == 2)
    anna.context.clear_cookies()
    # The subscription stays, since the message is sent again and again: one without a subscription would be shown.
    worker.evaluate(
        "registration.pushManager.getSubscription().then((it) => { it.unsubscribe = async () => (self.ended = true); })"
    )
    deliver("of nobody", lambda: worker.evaluate("self.ended"))
    assert worker.evaluate("self.ended")
    assert [tag for _title, _text, tag, _renotify, _path in page.evaluate(shown)] == ["abc", "of the session"]


SUBSCRIBED = """
let held = null;
const made = { endpoint: 'https://push.example/1', getKey: () => new ArrayBuffer(8), unsubscribe: async () => ((held = null), true) };
PushManager.prototype.subscribe = async () => (held = made);
PushManager.prototype.getSubscription = async () => held;
if (self.window) Notification.requestPermission = async () => 'granted';
"""
"""A browser whose push service answers at once."""


def test_a_browser_that_the_server_does_not_know_keeps_no_subscription(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    hasten(opened.served)
    anna = opened.person(service_workers="allow", permissions=["notifications"])
    page = anna.page
    join(anna, "Anna")
    page.add_init_script(SUBSCRIBED)
    anna.go("/account")
    page.route("**/account/push", lambda route: route.abort())
    page.locator("#push input").click()
    expect(page.locator("#push [role=status]")).to_have_text("The server does not answer.")
    expect(page.locator("#push input")).not_to_be_checked()
    until(page, f"{HELD}.then((held) => !held)")
    opened.forgive("Failed to load resource")

    page.unroute("**/account/push")
    page.add_init_script("PushManager.prototype.subscribe()")  # by another account, say
    anna.go("/account")
    expect(page.locator("#push input")).to_be_enabled()
    expect(page.locator("#push input")).not_to_be_checked()
    until(page, f"{HELD}.then((held) => !held)")

    store = opened.served.services.store
    account = opened.served.call(store.read(account_storage.find_account, "Anna"))
    assert account
    known = Subscription("https://push.example/1", "k", "a")
    opened.served.call(store.write(push_storage.put, account.id, known, 1))
    anna.go("/account")
    expect(page.locator("#push input")).to_be_checked()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.wait_for_url("**/")
    assert opened.served.call(store.read(push_storage.of, account.id)) == ()
