// Replaces a part of the page when the server sends a newer one, and goes to the match when one's challenge is accepted.
// Without this script the page works as well; it then shows what was true when it was loaded.

import { _ } from "./board/language.js";
import { all, element, localise } from "./dom.js";
import { showNews } from "./news.js";
import { Connection, LOGGED_OUT, WATCH_MS } from "./session/connection.js";

/** @typedef {{say: "part", html: string} | {say: "news", html: string} | {say: "go", to: string} | {say: "pong"}} Message */

const OFFLINE_AFTER_MS = 1200;
/** How soon a part is replaced in which something is being pressed. */
const PRESSED_MS = 100;

const place = document.querySelector("[data-live]");

/** The part that the server sent last. */
let newest = "";

/** Replaces the part, once nothing in it is being pressed; the focus, what was typed or scrolled and what is asked stay. @param {HTMLElement} part @param {string} html */
function show(part, html) {
  newest = html;
  if (part.matches(":active")) {
    setTimeout(() => newest === html && show(part, html), PRESSED_MS);
    return;
  }
  const scrolled = [...all("[data-scroll]", part)].map((one) => one.scrollLeft);
  const focused = part.contains(document.activeElement) ? document.activeElement?.id : "";
  const asked = part.querySelector(":popover-open")?.id;
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = part.querySelectorAll("input[id]");
  part.innerHTML = html;
  localise();
  enterHere(part);
  if (asked) document.getElementById(asked)?.showPopover();
  all("[data-scroll]", part).forEach((one, index) => (one.scrollLeft = scrolled[index] ?? 0));
  for (const { id, value, defaultValue } of fields) {
    const same = document.getElementById(id);
    if (value !== defaultValue && same instanceof HTMLInputElement) same.value = value;
  }
  if (focused) document.getElementById(focused)?.focus();
}

/** @param {HTMLElement} part */
function connect(part) {
  const lost = element("p", { class: "unreachable", role: "status" });
  document.body.append(lost);
  let timer = 0;
  const connection = new Connection(part.dataset.live ?? "", {
    message(received) {
      connection.settle();
      const message = /** @type {Message} */ (received);
      if (message.say === "part") show(part, message.html);
      else if (message.say === "news") showNews(message.html);
      else if (message.say === "go") location.assign(message.to);
      part.dataset.connected = "yes";
      clearTimeout(timer);
      lost.textContent = "";
    },
    close: (reason) => {
      if (reason === LOGGED_OUT) {
        showNews(""); // what waited was for somebody else
        if ("own" in part.dataset) location.reload(); // and so was all of this
      }
      delete part.dataset.connected;
      clearTimeout(timer);
      timer = setTimeout(() => (lost.textContent = _("Connecting …")), OFFLINE_AFTER_MS);
    },
  });
  setInterval(() => connection.watch(), WATCH_MS);
  document.addEventListener("visibilitychange", () => document.hidden || connection.watch(0));
}

/** Lets dates be entered in this browser's time zone; without this they are in universal time. @param {ParentNode} part */
function enterHere(part) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const field of all("form:has(input[name=zone])", part)) {
    const { zone, starts } = /** @type {{zone: HTMLInputElement, starts?: HTMLSelectElement}} */ (
      /** @type {unknown} */ (/** @type {HTMLFormElement} */ (field).elements)
    );
    for (const date of /** @type {NodeListOf<HTMLInputElement>} */ (field.querySelectorAll("input[name=date]"))) {
      // What was chosen before this script was there counts as if it had been chosen now.
      if (date.value !== date.defaultValue) starts && (starts.value = "");
      else if (starts?.selectedOptions[0]?.defaultSelected === false) date.value = "";
      else if (["", "UTC"].includes(zone.value) && date.value) date.value = local(new Date(`${date.value}Z`));
      starts?.addEventListener("change", () => (date.value = ""));
      date.addEventListener("change", () => starts && (starts.value = ""));
    }
    zone.value = timeZone;
  }
  for (const note of all("[data-zone]", part)) note.textContent = timeZone.replaceAll("_", " ");
}

/**
 * A time as fields for dates take it, such as 2026-12-24T19:30.
 *
 * @param {Date} time
 */
function local(time) {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

enterHere(document);
if (place instanceof HTMLElement) connect(place);
