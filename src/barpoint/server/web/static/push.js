// The setting on the account page that lets the server notify this browser of one's turn while no page is open.

import { _ } from "./board/language.js";
import { find, findIn } from "./dom.js";

const box = find("push");
const tick = findIn(box, "input", HTMLInputElement);
const said = findIn(box, "[role=status]");
const key = box.dataset.key ?? "";

/** @param {ArrayBuffer | null} data */
const toText = (data) => btoa(String.fromCharCode(...new Uint8Array(data ?? new ArrayBuffer(0)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} path @param {PushSubscription} subscription */
async function send(path, subscription) {
  const body = new URLSearchParams({ endpoint: subscription.endpoint, p256dh: toText(subscription.getKey("p256dh")), auth: toText(subscription.getKey("auth")) });
  const answer = await fetch(path, { method: "POST", body }).catch(() => null);
  if (answer?.ok) return;
  const said = await answer?.json().catch(() => null);
  throw new Error(said?.message ?? _("The server does not answer."));
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(_("The browser does not allow notifications from this page."));
  await navigator.serviceWorker.register("/worker.js");
  const worker = await navigator.serviceWorker.ready;
  const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
  try {
    await send("/account/push", subscription);
  } catch (error) {
    await subscription.unsubscribe(); // else the page shows it as on when it is opened again
    throw error;
  }
}

async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return;
  await send("/account/push/drop", subscription);
  await subscription.unsubscribe();
}

if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
  tick.disabled = true;
  said.textContent = _("This browser cannot do that here; it needs https.");
} else {
  const worker = await navigator.serviceWorker.getRegistration("/");
  tick.checked = Boolean(await worker?.pushManager.getSubscription());
  tick.disabled = false;
  tick.addEventListener("change", async () => {
    tick.disabled = true;
    try {
      await (tick.checked ? turnOn() : turnOff());
      said.textContent = tick.checked ? _("Notifications are on in this browser.") : _("Notifications are off in this browser.");
    } catch (error) {
      tick.checked = !tick.checked;
      said.textContent = error instanceof Error ? error.message : String(error);
    }
    tick.disabled = false;
  });
}
