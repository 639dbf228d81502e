// The page of a chouette: connects its parts to the server, and says what the chouette waits for.

/** @import {ChouetteLine, State} from "./types.js" */
import { _, listed } from "../board/language.js";
import { find, findIn, setText } from "../dom.js";
import { showNotice } from "../notes.js";
import { showLoggedOut } from "../session/lasting.js";
import { connectionNotice, markTitle, notify, secondsUntil, setUpPage, showHeld, showRefusal, showWaiting } from "../session/page.js";
import { Seed } from "../session/seed.js";
import { Session } from "../session/session.js";
import { Players, smallButton } from "./players.js";

/** Answers that the box gives to one player at a time. */
const TO_ONE = new Set(["take", "pass", "beaver", "raccoon", "accept", "reject"]);
/** Events that are not shown in the list of moves. */
const UNLISTED = new Set(["waive", "seed"]);
/** Events that are said to everybody, whosever game they are about. */
const SAID_TO_ALL = new Set(["double", "take", "pass", "beaver", "raccoon", "resign", "accept", "reject"]);
const SOON_MS = 60_000;

const place = findIn(document, "[data-chouette]");
const id = place.dataset.chouette ?? "";
const { board, moves, chat } = setUpPage(() => session);
const players = new Players(find("players"), (event, to = []) => session.act(event, to));
const seed = new Seed(id);

/** @type {State | null} */
let shown = null;
/** @type {number | undefined} */
let deadline;
let seedSent = false;
/** Whether the viewer has been a player here, and has not left. */
let plays = false;

/** @param {State} state @param {number} player */
const nameOf = (state, player) => (player === state.player ? _("you") : state.places.find((one) => one.player === player)?.name ?? "");

/** @param {State} state */
const waitsForViewer = (state) => state.player !== null && state.waits_for.includes(state.player);

/** What a chouette between two games waits for. @param {State} state */
function pauseText(state) {
  const here = state.places.length;
  if (state.box === null) return here < 3 ? _("%(here)s of at least 3 players are here.", { here }) : _("Roll for the order when all are here.");
  if (here < 2) return _("One more player must come before the next game.");
  const values = { number: state.games + 1, box: nameOf(state, state.box) };
  if (state.captain === null) return _("Game %(number)s: box %(box)s.", values);
  return _("Game %(number)s: box %(box)s, captain %(captain)s.", { ...values, captain: nameOf(state, state.captain) });
}

/** What the chouette waits for, in one line. @param {State} state */
function statusText(state) {
  if (state.over) return _("The chouette is closed.");
  if (!state.playing) return pauseText(state);
  if (!state.waits_for.length) return "";
  const asked = state.places.some((place) => place.state === "ask");
  const answers = state.places.some((place) => place.state === "answer");
  if (waitsForViewer(state) && state.waits_for.length === 1) return asked ? _("Do you double?") : answers ? _("It is your answer.") : _("It is your turn.");
  const names = listed(state.waits_for.map((player) => nameOf(state, player)));
  if (asked) return _("Waiting for %(names)s: whether to double.", { names });
  return answers ? _("Waiting for %(names)s: an answer.", { names }) : _("Waiting for %(names)s: a roll or play.", { names });
}

/** The answer that the board has no button for: not to double. @param {State} state */
function showNoDouble({ may }) {
  const box = find("no-double");
  box.hidden = !may.some(({ kind }) => kind === "waive");
  if (box.hidden) box.replaceChildren();
  else if (!box.childElementCount) box.append(smallButton(_("No double"), () => session.act({ kind: "waive" }, [])));
}

/** What the viewer may do apart from the game. @param {State} state @returns {[string, Record<string, unknown>][]} */
function actionsOf({ places, player, may, playing }) {
  const kinds = new Set(may.map(({ kind }) => kind));
  const place = places.find((one) => one.player === player);
  /** @type {[string, Record<string, unknown>][]} */
  const found = [];
  if (kinds.has("order")) found.push([_("Roll for the order and begin"), { kind: "order" }]);
  if (kinds.has("ask") && place) found.push([place.asks ? _("Do not ask me about doubling") : _("Ask me before each roll"), { kind: "ask", on: !place.asks }]);
  if (kinds.has("leave")) found.push([playing ? _("Leave after this game") : _("Leave"), { kind: "leave" }]);
  return found;
}

/** @param {State} state */
function showActions(state) {
  const actions = actionsOf(state);
  const key = actions.map(([text]) => text).join("|");
  const box = find("chouette-actions");
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.replaceChildren(...actions.map(([text, event]) => {
      const button = smallButton(text, () => session.act(event, []));
      if (event.kind === "order") button.className = "button primary";
      return button;
    }));
  }
  const waits = state.box === null && !state.over;
  place.dataset.waits = String(waits);
  find("invite").hidden = !waits || state.player === null;
  const join = document.getElementById("join");
  if (join) join.hidden = !state.may.some(({ kind }) => kind === "join");
}

/** Cubes, and results of single games, follow the line of the event that changed them. @param {ChouetteLine[]} log */
const withResults = (log) => log.filter(({ kind }) => !UNLISTED.has(kind)).flatMap((line) => [
  line,
  ...(line.cubes ? [{ ...line, kind: "cubes", text: line.cubes, by: null }] : []),
  ...(line.results ?? []).map((text) => ({ ...line, kind: "result", text, by: null })),
]);

/** Says what was done with the cubes and resigned in all games; the board says it of the viewer's own. @param {State} state */
function announce({ log, view }) {
  const words = log.filter(({ kind }) => SAID_TO_ALL.has(kind))
    .map(({ text, cubes, results }) => [...(text === view.last?.text ? [] : [text]), ...(cubes ? [cubes] : []), ...(results ?? [])].join(". "));
  if (words.length) setText(find("announced"), words.join(". "));
}

/** Sends this browser's seed for the dice once the viewer sits at the chouette. @param {State} state */
function sendSeed(state) {
  const own = state.places.find(({ player }) => player === state.player);
  if (!own || state.over) return;
  if (own.seed === seed.seed) seed.keep(state.chouette.commitment);
  else if (own.seed === null && !seedSent) session.send({ do: "seed", seed: seed.seed });
  seedSent = true;
}

/** Says so to a player whom this browser is no longer, unless they have left. @param {State} state */
function lookForPlayer(state) {
  const before = shown?.player ?? null;
  const left = before !== null && (shown?.places.some(({ player, leaving }) => leaving && player === before) || state.log.some(({ kind, by }) => kind === "leave" && by === before));
  plays = state.player !== null || plays && !left;
  showLoggedOut(plays && state.player === null);
}

/** @param {State} state */
function show(state) {
  lookForPlayer(state);
  if (shown && shown.player === null && state.player !== null) location.reload(); // sat down elsewhere
  if (state.over && shown && !shown.over) location.reload(); // the score sheet
  const mine = waitsForViewer(state);
  if (mine && !(shown && waitsForViewer(shown))) notify(board, _("The chouette waits for you"));
  markTitle(mine);
  if (shown) announce(state);
  shown = state;
  setText(find("chouette-status"), statusText(state));
  showNoDouble(state);
  players.set(state);
  showActions(state);
  moves.add(withResults(state.log));
  board.set(state.view);
  const closed = document.getElementById("chat-closed");
  if (closed) closed.hidden = state.may_chat;
  find("dice-report").hidden = !state.over;
  sendSeed(state);
  deadline = state.due_ms === null ? undefined : performance.now() + state.due_ms;
  showTime();
}

function showTime() {
  if (!shown || !session.online) return;
  const soon = deadline !== undefined && deadline - performance.now() < SOON_MS;
  showNotice(soon ? _("Time to decide: %(seconds)s s", { seconds: secondsUntil(deadline ?? 0) }) : "", soon);
}

const showOnline = connectionNotice();
/** @type {Session<State>} */
const session = new Session(`/ws/chouette/${id}`, {
  stateTag: "chouette",
  async greeting() {
    seedSent = false; // it may have been lost with the last connection
    return {};
  },
  tellsLag: false,
  state: show,
  refused(code, message) {
    showRefusal(code, message);
    if (shown) board.set(shown.view);
  },
  chat: (message) => chat.hear(message, (player) => shown?.places.find((one) => one.player === player)?.bot ?? false),
  unsent: (texts) => chat.showUnsent(texts),
  unsaid: (text) => chat.giveBack(text),
  waits: (waits) => showWaiting(board, waits),
  held: showHeld,
  status: showOnline,
});

board.addEventListener("bg-event", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (!shown) return;
  const toOne = shown.player === shown.box && TO_ONE.has(detail.kind) && !shown.chouette.one_cube && shown.facing !== null;
  session.act(detail, toOne && shown.facing !== null ? [shown.facing] : []);
});
setInterval(showTime, 500);
