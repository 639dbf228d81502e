// What the pages of matches and chouettes set up alike: board, settings, chat, list of moves, notices about the connection.

import { BarpointBoard } from "../board/board.js";
import { _ } from "../board/language.js";
import { find } from "../dom.js";
import { listenToCopyButtons, listenToOpeners, showNotice, toast } from "../notes.js";
import { boardOptions, keptSettings, onSettings, tieSettings } from "../settings.js";
import { Chat } from "./chat.js";
import { callIfAway, setUpButtons, setUpSound, setUpTip } from "./feedback.js";
import { MoveList } from "./move_list.js";

/**
 * @template {import("./session.js").SharedState} S
 * @typedef {import("./session.js").Session<S>} Session
 */

const OFFLINE_AFTER_MS = 1200;
const TITLE = document.title;

/**
 * Sets up a page with a live board. What the player does goes to the session, which `live` gives once it exists.
 * @template {import("./session.js").SharedState} S
 * @param {() => Session<S>} live
 */
export function setUpPage(live) {
  const board = find("board", BarpointBoard);
  const hear = setUpSound(board);
  board.options = boardOptions(keptSettings());
  tieSettings(find("settings-form"));
  onSettings((settings) => {
    board.options = boardOptions(settings);
    hear(settings);
  });
  board.addEventListener("bg-draft", (event) => live().tryMoves(/** @type {CustomEvent} */ (event).detail.moves));
  setUpButtons(board);
  setUpTip(board);
  listenToOpeners();
  listenToCopyButtons();
  const chat = new Chat(find("chat", HTMLDetailsElement), live, toast);
  return { board, moves: new MoveList(find("lines"), find("moves")), chat };
}

/** Shows why the server refused something; that another event came first shows by itself. @param {string} code @param {string} message */
export function showRefusal(code, message) {
  if (code !== "stale") toast(message);
}

/** Says at the board that what was pressed waits for the connection, until it is back. @param {BarpointBoard} board @param {boolean} waits */
export const showWaiting = (board, waits) => board.line.hold(waits ? _("Will be sent when the connection is back") : "");

/** Says that a line of chat waits for the connection. */
export const showHeld = () => toast(_("No connection. What you did is kept and sent when it is back."));

/** A function that says in the bar when the connection has been lost for a while. @returns {(online: boolean) => void} */
export function connectionNotice() {
  let timer = 0;
  return (online) => {
    clearTimeout(timer);
    if (online) showNotice("");
    else timer = setTimeout(() => showNotice(_("Connecting …")), OFFLINE_AFTER_MS);
  };
}

/** Whether it was the viewer's turn, as far as is known: what a closed page was told may be on the screen still. */
let turn = true;

/** Marks the page's title while it is the viewer's turn; after that no notification speaks of it. @param {boolean} mine */
export function markTitle(mine) {
  document.title = mine ? `● ${TITLE}` : TITLE;
  if (turn && !mine) void closeNotifications().catch(() => undefined); // they are closed by hand
  turn = mine;
}

/**
 * Asks for the viewer's attention as their turn begins: by a sound where they seem to be elsewhere, and by a notification
 * if they asked for it and the browser allows it. @param {BarpointBoard} board @param {string} text
 */
export function notify(board, text) {
  callIfAway(board);
  if (!document.hidden || !keptSettings().notify || !("Notification" in window)) return;
  if (Notification.permission === "granted") void showNotification(text).catch(() => undefined); // the sound has called already
}

/** The notification that this page has shown. @type {Notification | null} */
let notification = null;

/** Shows a notification, also of each turn after the first one; on phones only a service worker may. @param {string} text */
async function showNotification(text) {
  const path = location.pathname;
  const options = { body: TITLE, tag: path, renotify: true };
  try {
    notification = new Notification(text, options);
  } catch {
    const worker = await navigator.serviceWorker.getRegistration("/");
    await worker?.showNotification(text, { ...options, icon: "/static/icon.svg", data: { path } });
  }
}

/** Closes what this page has shown, and what the service worker shows of it. */
async function closeNotifications() {
  notification?.close();
  notification = null;
  const worker = await navigator.serviceWorker?.getRegistration("/");
  for (const shown of await worker?.getNotifications() ?? []) if (shown.data?.path === location.pathname) shown.close();
}

/** Whole seconds until a moment of performance.now(); 0 when it is past. @param {number} deadline */
export const secondsUntil = (deadline) => Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
