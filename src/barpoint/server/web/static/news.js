// What waits for the person on any page: a challenge, a match that is ready. Shown as the server sends it, over the page's own
// connection or over one for nothing else; what is new is read out, heard if sound is on, and marked in the title.

import { _, ngettext } from "./board/language.js";
import { all, element, findIn, localise, setText } from "./dom.js";
import { toast } from "./notes.js";
import { inWindow } from "./kept.js";
import { Connection, LOGGED_OUT, WATCH_MS } from "./session/connection.js";
import { keptSettings } from "./settings.js";

/** The elements by which a page says that its own connection carries the news. */
const CARRIERS = "[data-live], [data-match], [data-chouette]";
const PROTOCOL = 2;
/** Why the server closes the connection of whoever has no account, or none any more. */
const NO_ACCOUNT = "no account";
/** So often in a row it is asked again: a new session may have begun whose cookie is still on its way. */
const MOST_REFUSALS = 3;
/** For so long one page makes the sound, and others that are open hear the same news without one. */
const HEARD_MS = 3000;
/** How many items wait, in front of the title. */
const MARK = /^\(\d+\) /;
let mark = "";

/** Under this name the keys of what was closed are kept. */
const CLOSED = "news-closed";

const place = document.getElementById("news");
/** Whether this page tells somebody what waits for them. */
export const tellsNews = place?.matches("[data-live-news]") ?? false;

/** The items that the page shows or says elsewhere. @param {ParentNode} root */
const itemsIn = (root) => [...all(".news[data-key]", root)];

/** @param {Element} item */
const keyOf = (item) => (item instanceof HTMLElement && item.dataset.key) || "";

/** What was shown since the page was loaded. */
const known = new Set(place ? itemsIn(place).map(keyOf) : []);

/** @returns {string[]} */
const closed = () => inWindow.value(CLOSED) ?? [];

/** Hides what the page says by itself, and what was closed. @param {ParentNode} root */
function leaveOut(root) {
  for (const item of itemsIn(root)) item.hidden = (item.dataset.toldOn ?? "").split(" ").includes(location.pathname) || closed().includes(keyOf(item));
}

/** Hides an item, on the pages that follow too; the menu and the title still count what waits. @param {Event} event */
function close({ target }) {
  const item = target instanceof Element && target.closest("[data-close]") ? target.closest(".news") : null;
  if (!place || !item) return;
  const focused = item.contains(document.activeElement);
  inWindow.set(CLOSED, JSON.stringify([...closed(), keyOf(item)]));
  leaveOut(place);
  const shown = itemsIn(place).filter(({ hidden }) => !hidden);
  showInBar(shown);
  if (!focused) return;
  const next = shown.find((one) => item.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ?? shown.at(-1);
  (next ? findIn(next, "[data-close]") : document.getElementById("main"))?.focus({ preventScroll: true });
}

/** Shows what waits now, and calls for what is new. @param {string} html  from the server */
export function showNews(html) {
  if (!place) return;
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : "";
  place.innerHTML = html;
  leaveOut(place);
  localise();
  if (focused) document.getElementById(focused)?.focus();
  const items = itemsIn(place);
  mark = items.length ? `(${items.length}) ` : "";
  markTitle();
  showInBar(items.filter(({ hidden }) => !hidden));
  showBoards(place);
  const fresh = items.filter((item) => !known.has(keyOf(item)));
  for (const item of fresh) known.add(keyOf(item));
  // The text of a button is not read out: what it does is found where it is.
  setText(findIn(document, "#news-said"), fresh.map((item) => [...all("a, .news-terms", item)].map((one) => one.textContent?.trim()).join(". ")).join(". "));
  if (fresh.length) void callOnce(fresh.map(keyOf).join("\n"));
}

/** How many boards wait, in the menu; a page of a board has none. @param {Element} news */
function showBoards(news) {
  const shown = document.getElementById("boards");
  if (!shown) return;
  const count = Number(news.querySelector("[data-boards]")?.getAttribute("data-boards") ?? 0);
  shown.hidden = !count;
  setText(findIn(shown, "b"), String(count));
  setText(findIn(shown, ".hidden"), ngettext("%(num)s board waits for you", "%(num)s boards wait for you", count));
}

/** At a board, which fills the screen of a phone, the bar leads to what waits below it. @param {HTMLElement[]} items */
function showInBar(items) {
  document.querySelector(".news-link")?.remove();
  const bar = document.querySelector(".match .top nav");
  if (!bar || !place?.closest(".side")) return;
  const [first] = items;
  const text = first?.querySelector("a")?.textContent?.trim();
  if (!text) return;
  const link = element("a", { class: "pill news-link", href: "#news" }, [text]);
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address stays that of the match
    place.scrollIntoView({ block: "center" });
    findIn(place, "button, a").focus({ preventScroll: true });
  });
  bar.before(link);
}

/** The page itself may set its title, too. */
function markTitle() {
  const plain = document.title.replace(MARK, "");
  if (document.title !== mark + plain) document.title = mark + plain;
}

/** Plays the sound of a turn, in one of the pages that are open. @param {string} news */
async function callOnce(news) {
  if (!keptSettings().sound || !place) return;
  const { soundOfPage } = await import("./board/sound.js");
  const play = () => {
    const sound = soundOfPage(place);
    sound.on = true;
    sound.ring("turn");
  };
  if (!navigator.locks) play();
  else {
    await navigator.locks.request(`barpoint news ${news}`, { ifAvailable: true }, async (lock) => {
      if (!lock) return;
      play();
      await new Promise((done) => setTimeout(done, HEARD_MS));
    });
  }
}

/** Answers without leaving the page, so that a match that runs goes on. @param {SubmitEvent} event */
function decline(event) {
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof HTMLFormElement) || !target.action.endsWith("/decline")) return;
  event.preventDefault();
  void sendDecline(target);
}

/** Hides the item of a form at once, and shows it again where the server has not taken the answer. @param {HTMLFormElement} form */
async function sendDecline(form) {
  const item = form.closest(".news");
  if (item instanceof HTMLElement) item.hidden = true;
  const answer = await fetch(form.action, { method: "POST", redirect: "manual", body: new URLSearchParams() }).catch(() => null);
  if (answer?.ok || answer?.type === "opaqueredirect") return; // a redirect leads back to where the form stands
  item?.removeAttribute("hidden");
  toast(answer ? _("The server answered %(status)s.", { status: answer.status }) : _("The server cannot be reached."));
}

/** A connection for nothing but news, while the page is shown. */
function connect() {
  let refusals = 0;
  const connection = new Connection("/ws/news", {
    open: () => connection.ask({ do: "join", protocol: PROTOCOL, news: true }),
    message(received) {
      const message = /** @type {{say: string, html: string}} */ (received);
      if (message.say !== "refused") {
        connection.settle();
        refusals = 0;
      }
      if (message.say === "news") showNews(message.html);
    },
    close(reason) {
      if (reason === LOGGED_OUT || reason === NO_ACCOUNT) showNews("");
      if (reason === NO_ACCOUNT && ++refusals === MOST_REFUSALS) connection.end();
    },
  });
  setInterval(() => connection.watch(), WATCH_MS);
  document.addEventListener("visibilitychange", () => document.hidden || connection.watch(0));
  // A page with an open connection could not be kept for the way back.
  addEventListener("pagehide", () => {
    const { socket } = connection;
    if (socket) connection.forget(socket);
    socket?.close();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && connection.open());
}

if (place) {
  leaveOut(place);
  place.addEventListener("click", close);
}
if (place && tellsNews) {
  place.addEventListener("submit", decline);
  const title = document.querySelector("title");
  if (title) new MutationObserver(markTitle).observe(title, { childList: true });
  if (!document.querySelector(CARRIERS)) connect();
}
