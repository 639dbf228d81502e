// What every page does: it starts the service worker, shows times as they are here, sends forms once and shows that they are on the way, and
// shows the settings where the bar has a button for them.

/** @import {BarpointBoard} from "./board/board.js" */
import { find, findIn, localise } from "./dom.js";
import { rememberForms, returnFocus } from "./focus.js";
import { giveSettings, tieSettings } from "./settings.js";

/** A second press of the same button within this time is a slip of the finger. */
const TWICE_MS = 1000;
/** When no answer to a form has come after this time, none is expected any more. */
const LOST_MS = 20_000;
/** So long after it could not be loaded a script is asked for again. */
const LOAD_AGAIN_MS = 5000;

localise();

/** @type {{by: HTMLElement | null, at: number}} the button by which a form was sent last */
let sent = { by: null, at: 0 };
document.addEventListener("submit", (event) => {
  const { submitter: by, target } = event;
  if (event.defaultPrevented || !by || !(target instanceof HTMLFormElement) || target.method !== "post") return;
  const at = performance.now();
  if (by.ariaBusy === "true" || sent.by === by && at - sent.at < TWICE_MS) event.preventDefault();
  else {
    sent = { by, at };
    if (by instanceof HTMLButtonElement && by.dataset.busy) showBusy(by, by.dataset.busy);
    if ("inPlace" in target.dataset) {
      event.preventDefault();
      void sendInPlace(target);
    }
  }
});

/** Sends a form whose next page takes the place of this one: Back leads to where this one was come from. What is refused is said here. @param {HTMLFormElement} form */
async function sendInPlace(form) {
  const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
  if (!answer) form.submit();
  else if (answer.ok) location.replace(answer.url);
  else showAnswer(await answer.text());
}

/** Shows a page in the place of this one, below the bar that stays. @param {string} html */
function showAnswer(html) {
  const page = new DOMParser().parseFromString(html, "text/html"), main = page.getElementById("main");
  document.title = page.title;
  document.body.className = page.body.className;
  if (main) find("main").replaceWith(main);
  else document.body.replaceWith(page.body); // it is not from this server
  main?.focus();
}

/** Shows that a button was pressed, until the next page is there; if none comes, it can be pressed again. @param {HTMLButtonElement} button @param {string} text */
function showBusy(button, text) {
  const label = [...button.childNodes];
  const restore = () => {
    clearTimeout(timer);
    button.replaceChildren(...label);
    for (const name of ["aria-busy", "aria-disabled"]) button.removeAttribute(name);
  };
  const timer = setTimeout(restore, LOST_MS);
  button.replaceChildren(text);
  for (const name of ["aria-busy", "aria-disabled"]) button.setAttribute(name, "true");
  addEventListener("pageshow", restore, { once: true }); // from the cache of pages left
}

/** Loads the script that tells of news; again and again where the connection is lost before it has come. */
function loadNews() {
  import("./news.js").catch(() => setTimeout(loadNews, LOAD_AGAIN_MS));
}

giveSettings();

const opener = document.getElementById("open-page-settings");
const dialog = document.getElementById("page-settings");

if (opener && dialog instanceof HTMLDialogElement) {
  tieSettings(findIn(dialog, "form:not([method])"));
  const keys = findIn(dialog, "[data-keys]", HTMLButtonElement);
  /** The board that is played by keyboard, if there is one. */
  const board = () => /** @type {BarpointBoard[]} */ ([...document.querySelectorAll("bg-board")]).find((one) => one.turn && one.options.keys);
  keys.addEventListener("click", () => board()?.showKeys());
  opener.hidden = false;
  opener.addEventListener("click", () => {
    const menu = document.getElementById("pages");
    if (menu?.matches(":popover-open")) menu.hidePopover();
    findIn(dialog, "p:has([data-keys])").hidden = !board();
    dialog.showModal();
  });
}

// Only whoever has an account is told what waits for them while a page is open; everybody can close what waited before.
if (document.querySelector("#news[data-live-news], .news")) loadNews();

rememberForms();
returnFocus();

// Without https, or in a browser that keeps nothing, there is no page for being off line; everything else works.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
