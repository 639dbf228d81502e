// The page around the board: connects it, lists the moves, says how a match ended and what can be done then.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {State} from "./link.js" */
import "../board/board.js";
import { Around, countText } from "./around.js";
import { Clocks } from "./clock.js";
import { Link } from "./link.js";
import { MoveList } from "./moves.js";
import { copyButtons, pill, toast } from "./notes.js";
import { Seed } from "./seed.js";
import { Table } from "./table.js";
import { Talk } from "./talk.js";
import { boardOptions, keptWishes, tieWishes } from "./wish.js";

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const find = (id) => /** @type {T} */ (document.getElementById(id));

const board = /** @type {BarpointBoard} */ (find("board"));
const room = /** @type {HTMLElement} */ (document.querySelector("[data-match]"));
const clocks = new Clocks(find("clocks"));
const moves = new MoveList(find("lines"), find("moves"));
const title = document.title;
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const QUIET_REFUSALS = new Set(["stale"]);
const PILLS = new Set(["keep", "next", "claim"]); // what a line says that time will do; the clocks say the rest
const OFFLINE_AFTER_MS = 1200;

board.options = boardOptions(keptWishes());
tieWishes(find("wishes"), (wishes) => {
  if (wishes.notify && "Notification" in window) void Notification.requestPermission();
  board.options = boardOptions(wishes);
});

/** @type {State | null} */
let shown = null;
/** @type {number | undefined} */
let deadline;
let offlineTimer = 0;

function showTime() {
  if (deadline === undefined || !shown) return;
  const seconds = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  const mine = shown.due?.by === "near" && shown.seat !== null;
  const kind = shown.due?.kind;
  const what = kind === "next" ? "Next game" : kind === "claim" ? "Claim" : mine ? "Your answer" : "The answer";
  pill(`${what}: ${seconds} s`);
}

/** @param {State} state */
function showBanner(state) {
  const { view, match, over, seat } = state;
  find("banner").hidden = !over;
  if (!over) return;
  find("rematch").hidden = seat === null;
  if (!view.result) {
    find("banner-title").textContent = "The match is over";
    find("banner-text").textContent = view.last?.text ?? "";
    return;
  }
  const { near, far } = view.score;
  const { winner } = view.result;
  const session = view.score.length === 0;
  const won = winner && !session ? view.labels[winner] : null;
  const score = `${Math.max(near, far)} : ${Math.min(near, far)}`;
  const full = Math.max(near, far) >= view.score.length ? ` ${score}` : ""; // by time or absence it is won without the points
  find("banner-title").textContent = won ? `${won} ${won === "You" ? "win" : "wins"} the match${full}` : session ? `The session is over, ${score}` : "The match is over";
  const counted = countText(state);
  find("banner-text").textContent = `${view.result.how}${counted && "."}`;
  find("banner-count").textContent = counted;
  const button = /** @type {HTMLElement} */ (find("rematch").querySelector("button"));
  button.textContent = match.rematch ? "To the rematch" : "Rematch";
}

/** Tells who looks elsewhere that it is his turn, where he has asked for it and the browser lets us. @param {State} state */
function notify({ view, seat }) {
  const mine = seat !== null && view.to_act === "near";
  const news = mine && shown !== null && shown.view.to_act !== "near";
  if (!news || !document.hidden || !keptWishes().notify || !("Notification" in window)) return;
  if (Notification.permission === "granted") new Notification("It is your turn", { body: title, tag: location.pathname });
}

/** @param {State} state */
function show(state) {
  notify(state);
  const fresh = shown === null;
  shown = state;
  const complete = state.match.seats.every((seat) => seat.kind !== "open");
  const invitation = document.getElementById("invite");
  if (invitation) invitation.hidden = complete;
  for (const seat of [0, 1]) {
    const { name, bot } = state.match.seats[seat];
    find(`name-${seat}`).textContent = state.seat === seat ? "You" : name;
    find(`name-${seat}`).dataset.bot = String(bot);
  }
  clocks.set(state);
  around.set(state);
  moves.add(state.log);
  if (fresh) find("moves").scrollTop = find("moves").scrollHeight;
  board.set(entering ? entering.show(state.view) : state.view);
  showBanner(state);
  document.title = state.view.to_act === "near" && state.seat !== null ? `● ${title}` : title;
  deadline = state.due && PILLS.has(state.due.kind) ? performance.now() + state.due.ms : undefined;
  pill("");
  showTime();
}

const link = new Link(`${scheme}//${location.host}/ws/match/${room.dataset.match}`, new Seed(room.dataset.match ?? ""), {
  state: show,
  refused(code, message) {
    if (!QUIET_REFUSALS.has(code)) toast(message);
    if (shown) board.set(entering ? entering.show(shown.view) : shown.view);
  },
  words: (told) => talk.hear(told, shown ? shown.seat : null, shown ? shown.match.seats : []),
  status(online) {
    clearTimeout(offlineTimer);
    if (online) pill("");
    else offlineTimer = setTimeout(() => pill("Connecting …"), OFFLINE_AFTER_MS);
  },
});

const entering = document.getElementById("table") && new Table(find("table"), board, (event) => link.act(event, "enter"));
const talk = new Talk(find("talk"), (message) => link.send(message));
board.addEventListener("bg-event", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (entering) entering.enter(detail);
  else link.act(detail);
});
board.addEventListener("bg-draft", (event) => link.tryMoves(/** @type {CustomEvent} */ (event).detail.moves));
const around = new Around(document.getElementById("fair"), find("recess"), (wish) => link.ask(wish));
setInterval(showTime, 500);

const settings = /** @type {HTMLDialogElement} */ (find("settings"));
find("open-settings").addEventListener("click", () => settings.showModal());
settings.addEventListener("click", (event) => event.target === settings && settings.close());

copyButtons();
