// The setting on the account page that lets the server notify this browser of one's turn while no page is open.

import { _ } from "./board/language.js";
import { all, find, findIn } from "./dom.js";

const box = find("push");
const tick = findIn(box, "input", HTMLInputElement);
const said = findIn(box, "[role=status]");
const key = box.dataset.key ?? "";

/** @param {ArrayBuffer | null} data */
const toText = (data) => btoa(String.fromCharCode(...new Uint8Array(data ?? new ArrayBuffer(0)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Logging out ends what this browser is told, too; logging another one out does not. @param {PushSubscription | null} subscription */
function tellLogout(subscription) {
  for (const field of all("[name=endpoint]")) /** @type {HTMLInputElement} */ (field).value = subscription?.endpoint ?? "";
}

/** Whether the server keeps it as this account's now. @param {string} path @param {PushSubscription} subscription @returns {Promise<boolean>} */
async function send(path, subscription) {
  const body = new URLSearchParams({ endpoint: subscription.endpoint, p256dh: toText(subscription.getKey("p256dh")), auth: toText(subscription.getKey("auth")) });
  const answer = await fetch(path, { method: "POST", body }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (answer?.ok && said) return said.subscribed;
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
    await subscription.unsubscribe(); // nothing would come
    throw error;
  }
  tellLogout(subscription);
}

async function turnOff() {
  const subscription = await held();
  if (!subscription) return;
  await send("/account/push/drop", subscription);
  await subscription.unsubscribe();
  tellLogout(null);
}

/** The subscription of this browser, whoever has made it. */
async function held() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return await worker?.pushManager.getSubscription() ?? null;
}

/** Whether this browser tells this account something. The subscription of another account, or of a session that has been ended elsewhere, goes. */
async function isOn() {
  const subscription = await held();
  if (!subscription) return false;
  if (await send("/account/push/known", subscription)) {
    tellLogout(subscription);
    return true;
  }
  await subscription.unsubscribe();
  return false;
}

if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
  tick.disabled = true;
  said.textContent = _("This browser cannot do that here; it needs https.");
} else {
  try {
    tick.checked = await isOn();
    tick.disabled = false;
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : String(error);
  }
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
