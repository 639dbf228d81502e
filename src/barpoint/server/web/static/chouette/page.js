// The page of a chouette: connects the board, lists players and moves, says what the table waits for.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {TableLine, TableState} from "./link.js" */
import "../board/board.js";
import { MoveList } from "../match/moves.js";
import { copyButtons, pill, toast } from "../match/notes.js";
import { Seed } from "../match/seed.js";
import { Talk } from "../match/talk.js";
import { boardOptions, keptWishes, tieWishes } from "../match/wish.js";
import { TableLink } from "./link.js";
import { Players, button } from "./players.js";

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const find = (id) => /** @type {T} */ (document.getElementById(id));

const board = /** @type {BarpointBoard} */ (find("board"));
const room = /** @type {HTMLElement} */ (document.querySelector("[data-table]"));
const moves = new MoveList(find("lines"), find("moves"));
const title = document.title;
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const TO_ONE = new Set(["take", "pass", "beaver", "raccoon", "accept", "reject"]); // the box answers one player at a time
const SOON_MS = 60000;
const OFFLINE_AFTER_MS = 1200;

board.options = boardOptions(keptWishes());
tieWishes(find("wishes"), (wishes) => {
  if (wishes.notify && "Notification" in window) void Notification.requestPermission();
  board.options = boardOptions(wishes);
});

/** @type {TableState | null} */
let shown = null;
/** @type {number | undefined} */
let deadline;
let offlineTimer = 0;
let given = false;

/** @param {TableState} state @param {number} player */
const named = (state, player) => (player === state.player ? "you" : state.places.find((one) => one.player === player)?.name ?? "");

/** Who is at the table, by number. */
const byNumber = () => Object.fromEntries((shown?.places ?? []).map((place) => [place.player, place]));

/** @param {string[]} names */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] ?? "");

/** What the table waits for, in one line. @param {TableState} state */
function moment(state) {
  if (state.over) return "The table is closed.";
  if (!state.playing) {
    const here = state.places.length;
    if (state.box === null) return here < 3 ? `${here} of at least 3 players are here.` : "Roll for the order when all are here.";
    if (here < 2) return "Somebody else must come before the next game.";
    const captain = state.captain === null ? "" : `, captain ${named(state, state.captain)}`;
    return `Game ${state.games + 1}: box ${named(state, state.box)}${captain}.`;
  }
  if (!state.waits_for.length) return "";
  const names = listed(state.waits_for.map((player) => named(state, player)));
  const asked = state.places.some((place) => place.state === "ask");
  const answers = state.places.some((place) => place.state === "answer");
  const you = state.player !== null && state.waits_for.includes(state.player);
  const verb = asked ? "whether to double" : answers ? "an answer" : "a roll or play";
  return you && state.waits_for.length === 1 ? (asked ? "Do you double?" : answers ? "It is your answer." : "It is your turn.") : `Waiting for ${names}: ${verb}.`;
}

/** The question that is not put on the board: whether one doubles. @param {TableState} state */
function decide(state) {
  const box = find("decide");
  const asked = state.may.some((may) => may.kind === "waive");
  box.hidden = !asked;
  if (!asked) box.replaceChildren();
  else if (!box.childElementCount) box.append(button("No double", () => link.want({ kind: "waive" })));
}

/** @param {TableState} state */
function beside(state) {
  const place = state.places.find((one) => one.player === state.player);
  const made = [];
  const may = new Set(state.may.map(({ kind }) => kind));
  if (may.has("order")) made.push(button("Roll for the order and begin", () => link.want({ kind: "order" })));
  if (may.has("ask") && place) {
    made.push(button(place.asks ? "Do not ask me about doubling" : "Ask me before each roll", () => link.want({ kind: "ask", on: !place.asks })));
  }
  if (may.has("leave")) made.push(button(state.playing ? "Leave after this game" : "Leave", () => link.want({ kind: "leave" })));
  const key = made.map((one) => one.textContent).join("|");
  const box = find("beside");
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.replaceChildren(...made);
  }
  const join = document.getElementById("join");
  if (join) join.hidden = !may.has("join");
}

/** Results of single games follow the line of what ended them; that nobody doubles, or gives a seed, is no line. @param {TableLine[]} log */
const withResults = (log) =>
  log.filter(({ kind }) => kind !== "waive" && kind !== "seed").flatMap((line) => [line, ...(line.results ?? []).map((text) => ({ ...line, kind: "result", text, by: null }))]);

/** @param {TableState} state */
function notify(state) {
  const waits = (/** @type {TableState | null} */ one) => one !== null && one.player !== null && one.waits_for.includes(one.player);
  if (!waits(state) || waits(shown) || !document.hidden || !keptWishes().notify || !("Notification" in window)) return;
  if (Notification.permission === "granted") new Notification("The table waits for you", { body: title, tag: location.pathname });
}

/** Gives this browser's seed for the dice once one sits at the table. @param {TableState} state */
function give(state) {
  const own = state.places.find(({ player }) => player === state.player);
  if (!own || state.over) return;
  if (own.seed === seed.seed) seed.keep(state.table.commitment);
  else if (own.seed === null && !given) link.send({ do: "seed", seed: seed.seed });
  given = true;
}

/** @param {TableState} state */
function show(state) {
  if (shown && shown.player === null && state.player !== null) location.reload(); // sat down elsewhere
  notify(state);
  const fresh = shown === null;
  shown = state;
  const text = moment(state);
  if (find("moment").textContent !== text) find("moment").textContent = text;
  decide(state);
  players.set(state);
  beside(state);
  moves.add(withResults(state.log));
  if (fresh) find("moves").scrollTop = find("moves").scrollHeight;
  board.set(state.view);
  const hush = document.getElementById("hush");
  if (hush) hush.hidden = state.talk;
  find("checked").hidden = !state.over;
  give(state);
  const mine = state.player !== null && state.waits_for.includes(state.player);
  document.title = mine ? `● ${title}` : title;
  deadline = state.due_ms === null ? undefined : performance.now() + state.due_ms;
  showTime();
}

function showTime() {
  if (!shown || !link.joined) return;
  const left = deadline === undefined ? Infinity : deadline - performance.now();
  pill(left < SOON_MS ? `Time to decide: ${Math.max(0, Math.ceil(left / 1000))} s` : "");
}

const seed = new Seed(room.dataset.table ?? "");
const link = new TableLink(`${scheme}//${location.host}/ws/chouette/${room.dataset.table}`, {
  state: show,
  refused(code, message) {
    if (code !== "stale") toast(message);
    if (shown) board.set(shown.view);
  },
  words: (told) => talk.hear(told, shown ? shown.player : null, /** @type {any} */ (byNumber())),
  status(online) {
    clearTimeout(offlineTimer);
    if (!online) given = false;
    if (online) pill("");
    else offlineTimer = setTimeout(() => pill("Connecting …"), OFFLINE_AFTER_MS);
  },
});
const players = new Players(find("players"), (event, to) => link.want(event, to));
const talk = new Talk(find("talk"), (message) => link.send(message));

board.addEventListener("bg-event", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (!shown) return;
  const alone = shown.player === shown.box && TO_ONE.has(detail.kind) && !shown.table.one_cube && shown.facing !== null;
  link.want(detail, alone && shown.facing !== null ? [shown.facing] : []);
});
board.addEventListener("bg-draft", (event) => link.tryMoves(/** @type {CustomEvent} */ (event).detail.moves));
setInterval(showTime, 500);

const settings = /** @type {HTMLDialogElement} */ (find("settings"));
find("open-settings").addEventListener("click", () => settings.showModal());
settings.addEventListener("click", (event) => event.target === settings && settings.close());
copyButtons();
