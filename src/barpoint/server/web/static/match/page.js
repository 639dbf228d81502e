// The page of a match: connects its parts to the server, and says how the match ended and what can be done then.

/** @import {State} from "./types.js" */
import { playedText } from "../board/access.js";
import { _ } from "../board/language.js";
import { element, find, findIn } from "../dom.js";
import { showNotice } from "../notes.js";
import { showLoggedOut } from "../session/lasting.js";
import { connectionNotice, markTitle, notify, secondsUntil, setUpPage, showHeld, showRefusal, showWaiting } from "../session/page.js";
import { Seed } from "../session/seed.js";
import { Session } from "../session/session.js";
import { tag } from "../session/tag.js";
import { AutomaticTurns } from "./automatic.js";
import { Clocks } from "./clock.js";
import { NextBoard } from "./next_board.js";
import { PresenceDots } from "./presence.js";
import { RealDice } from "./real_dice.js";
import { MatchRatings } from "./ratings.js";
import { RematchWait } from "./rematch.js";
import { countText, Sidebar } from "./sidebar.js";
import { Tutor } from "./tutor.js";

/** The deadlines that the notice in the bar counts down; the clocks show the rest. */
const COUNTED_DOWN = new Set(["keep", "next", "claim"]);

const id = findIn(document, "[data-match]").dataset.match ?? "";
const { board, moves, chat } = setUpPage(() => session);
const clocks = new Clocks(board.rows, find("clock-warning"));
board.clockText = () => clocks.text();
const presence = new PresenceDots(board.rows, (text) => board.say(text));
const seed = new Seed(id);
const sidebar = new Sidebar(document.getElementById("dice-seed"), (action) => session.askFor(action));
const place = document.getElementById("real-dice");
const realDice = place && new RealDice(place, board, (event) => session.enter(event));

const tutored = "tutored" in findIn(document, "[data-match]").dataset;
const tutor = document.getElementById("tutor") && new Tutor(id, tutored, board, () => session.tryMoves([]));

const away = document.getElementById("automatic");
if (away instanceof HTMLFormElement) new AutomaticTurns(away, `/match/${id}/automatic`);
const next = "days" in findIn(document, "[data-match]").dataset ? new NextBoard(id, board, () => shown && introduce(shown)) : null;

const ratings = new MatchRatings(find("banner-pr"), `/match/${id}/pr`);
const { after } = findIn(document, "[data-match]").dataset;
const waiting = after ? new RematchWait(after, (text) => sidebar.say(text)) : null;

/** @type {State | null} */
let shown = null;
/** Whether the viewer has had a seat here. */
let played = false;
/** @type {number | undefined} */
let deadline;

function showTime() {
  if (deadline === undefined || !shown?.due || !session.online) return;
  const { kind, by } = shown.due;
  const mine = by === "near" && shown.seat !== null;
  const what = kind === "next" ? _("Next game") : kind === "claim" ? _("Claim") : mine ? _("Your answer") : _("The answer");
  showNotice(_("%(what)s: %(seconds)s s", { what, seconds: secondsUntil(deadline) }), true);
}

/** Whether the server has ended the match after it had begun, without a winner. @param {State} state */
const endedEarly = ({ over, seq, view: { last, score } }) => over && last?.kind === "abort" && score.length > 0 && seq > 1;

/** How the match ended, in one line. @param {State} state */
function endText(state) {
  const { view } = state;
  const { score, result } = view;
  if (!result || endedEarly(state)) return _("The match is over");
  if (score.length) return result.match ?? _("The match is over");
  return _("The session is over, %(near)s %(score)s %(far)s", { ...view.labels, score: `${score.near}\u00a0:\u00a0${score.far}` });
}

/** @param {State} state */
function showBanner(state) {
  const { view, match, over, seat } = state;
  const mistakes = document.getElementById("mistakes");
  const ends = over && find("banner").hidden;
  find("banner").hidden = !over;
  if (!over) return;
  if (ends && document.activeElement === document.body && matchMedia("(any-hover: hover)").matches) board.reach(); // whose keys say how it stands; Tab leads from there to the banner; a finger alone uses neither
  find("rematch").hidden = seat === null || match.seats.some(({ kind }) => kind === "open");
  if (mistakes) mistakes.hidden = state.seq < 2; // nothing was played
  find("banner-title").textContent = endText(state);
  const early = endedEarly(state);
  const counted = view.result && !early ? countText(state) : "";
  const how = view.result?.match ? "" : view.result ? `${view.result.how}${counted && "."}` : view.last?.text ?? ""; // the title says how
  find("banner-text").textContent = early ? find("banner").dataset.endedEarly ?? how : how;
  find("banner-count").textContent = counted;
  if (mistakes) void ratings.look(state.seq); // where nothing can be analysed, nobody has one
  const button = findIn(find("rematch"), "button");
  button.textContent = match.rematch ? _("To the rematch") : _("Rematch");
  find("banner-rematch").hidden = seat === null || !match.rematch;
  find("no-rematch").hidden = find("banner-rematch").hidden || match.seats.some(({ bot }) => bot); // theirs begins at once
  if (seat === null || !match.rematch) return;
  mistakes?.classList.remove("primary");
  button.classList.add("primary");
}

/** @param {State} state */
function showSeats({ match: { seats }, seat, over }) {
  const [invitation, trouble] = [document.getElementById("invite"), document.getElementById("trouble")];
  const complete = seats.every(({ kind }) => kind !== "open");
  if (invitation) invitation.hidden = complete || over;
  if (trouble) trouble.hidden = !complete; // the page may be older than the other player
  seats.forEach(({ name, bot }, index) => {
    const head = find(`name-${index}`);
    head.textContent = seat === index ? _("You") : bot ? name.replace(/^Barpoint /, "") : name; // it is tagged as a bot
    tag(head, bot);
  });
}

/** What a proposition is about, and what its games have shown. @param {State} state */
function showProposition({ proposition = [] }) {
  const place = find("proposition");
  const words = proposition.join("\n");
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.hidden = !words;
  place.replaceChildren(...proposition.map((line) => element("li", {}, [line])));
}

/** What somebody is told who only looks on, and everybody while a seat is free. @param {State} state */
function prefaceOf({ match: { seats }, seat, over }) {
  if (over) return "";
  if (seats.some(({ kind }) => kind === "open")) return findIn(document, "[data-match]").dataset.awaits ?? "";
  return seat === null ? _("You are watching.") : "";
}

/** Says what comes before what is going on. @param {State} state */
function introduce(state) {
  board.line.introduce(prefaceOf(state) || (next?.text ?? ""));
}

/** The last play of the list, to be said after the page was loaded anew; empty where there is none. @param {State} state */
function loggedPlay({ log, seat, view }) {
  const play = log.findLast(({ kind }) => kind === "play");
  return play ? playedText({ ...view, last: { ...play, by: play.by === (seat === 1 ? 1 : 0) ? "near" : "far" } }) : "";
}

/** @param {State} state */
function showBoard({ view }) {
  board.set(realDice ? realDice.show(view) : view);
}

/** Sends this browser's seed once both players have committed to theirs. @param {State} state */
function sendSeed(state) {
  const due = seed.due(state);
  if (due !== null) session.send({ do: "seed", seed: due });
}

/** @param {State} state */
function show(state) {
  sendSeed(state);
  if (state.seat !== null) played = true;
  showLoggedOut(played && state.seat === null);
  const mine = state.seat !== null && state.view.to_act === "near";
  if (mine && shown && shown.view.to_act !== "near") notify(board, _("It is your turn"));
  markTitle(mine);
  shown = state;
  showSeats(state);
  clocks.set(state);
  presence.set(state);
  sidebar.set(state);
  moves.add(state.log);
  board.played ||= loggedPlay(state);
  showProposition(state);
  next?.set(state);
  introduce(state);
  showBoard(state);
  showBanner(state);
  tutor?.set(state);
  waiting?.set(state);
  deadline = state.due && COUNTED_DOWN.has(state.due.kind) ? performance.now() + state.due.ms : undefined;
  showNotice("");
  showTime();
}

const showOnline = connectionNotice();
/** @type {Session<State>} */
const session = new Session(`/ws/match/${id}`, {
  stateTag: "state",
  greeting: async () => ({ commitment: await seed.commitment() }),
  tellsLag: true,
  state: show,
  refused(code, message) {
    showRefusal(code, message);
    if (shown) showBoard(shown);
  },
  chat: (message) => chat.hear(message, (seat) => shown?.match.seats[seat]?.bot ?? false),
  status(online) {
    presence.connected(online);
    showOnline(online);
  },
  unsent: (texts) => chat.showUnsent(texts),
  unsaid: (text) => chat.giveBack(text),
  waits: (waits) => showWaiting(board, waits),
  held: showHeld,
  asks: ({ adjournment }) => adjournment.may,
  asked: (action) => sidebar.hold(action),
});

board.addEventListener("bg-event", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (realDice) realDice.enter(detail);
  else if (!shown?.view.allowed.some(({ kind }) => kind === detail.kind)) return; // a second press: the board still shows what was before
  else if (tutor) void tutor.check(detail, () => session.act(detail));
  else session.act(detail);
});
setInterval(showTime, 500);
