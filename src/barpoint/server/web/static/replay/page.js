// The page of a replay: steps through the events by buttons, keys, slider, list and address.

/** @import {BarpointBoard} from "../board/board.js" */
import "../board/board.js";
import { boardOptions, keptWishes } from "../match/wish.js";
import { Analysis } from "./analysis.js";
import { Graph } from "./graph.js";
import { EventList } from "./list.js";
import { Quiz, sideFrom } from "./quiz.js";
import { Reel } from "./reel.js";
import { showTotals, signOf, Verdict } from "./verdict.js";

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const find = (id) => /** @type {T} */ (document.getElementById(id));

const TOAST_MS = 4000;
const board = /** @type {BarpointBoard} */ (find("board"));
const room = /** @type {HTMLElement} */ (document.querySelector("[data-path]"));
const slider = /** @type {HTMLInputElement} */ (find("slider"));
const games = /** @type {HTMLSelectElement} */ (find("game"));
const reel = new Reel(/** @type {string} */ (room.dataset.path));
const list = new EventList(find("lines"), find("events"), (seq) => void go(beforeDecision(seq)));
const order = /** @type {HTMLFormElement | null} */ (document.getElementById("order"));
const analysis = order && new Analysis(/** @type {string} */ (room.dataset.path), standing, arrived);
const graph = order && new Graph(find("graph"), (seq) => void go(seq));
const verdict = order && new Verdict(find("verdict"), preview);
const quiz = order && new Quiz(/** @type {string} */ (room.dataset.path), board, {
  nameOf: (player) => nameOf(player),
  left: (seq) => void go(seq ?? at),
  failed: (text) => toast(text),
});
board.options = { ...boardOptions(keptWishes()), keys: false, commands: false };

let at = 0;
let wanted = 0;
let toastTimer = 0;
/** @type {import("../board/types.js").View | null} */
let shown = null;

/** @param {string} text */
function toast(text) {
  const place = find("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    place.hidden = true;
  }, TOAST_MS);
}

/** Shows the match after an event. @param {number} seq */
async function go(seq) {
  if (quiz?.on) return;
  const to = Math.max(0, Math.min(reel.last, Math.round(seq) || 0));
  wanted = to;
  let view;
  try {
    view = await reel.view(to);
  } catch {
    toast("The server cannot be reached.");
    return;
  }
  if (wanted !== to) return; // somebody has stepped on meanwhile
  at = to;
  shown = view;
  board.arrows = [];
  board.jump(view);
  const chapter = reel.chapter(to);
  const line = reel.line(to);
  slider.value = String(to);
  slider.setAttribute("aria-valuetext", line ? line.text : "the start");
  games.value = String(chapter.game);
  find("where").textContent = `${to} of ${reel.last}`;
  find("happened").textContent = told(line, view.result?.how ?? "");
  list.show(to);
  showVerdict();
  room.dataset.at = String(to);
  if (location.hash !== `#${to}`) history.replaceState(null, "", `#${to}`);
}

/** What has happened, in one line. @param {import("../match/link.js").Line | null} line @param {string} result */
function told(line, result) {
  if (!line) return "Before the first roll";
  const text = line.kind === "play" && line.by !== null
    ? `${find(`name-${line.by}`).textContent}: ${line.faces.join("-")}, ${line.text}` : line.text;
  return result && !result.startsWith(text) ? `${text}. ${result}` : result || text;
}

/** Where a decision can be seen as it had to be made: with analysis, an event before it. @param {number} seq */
const beforeDecision = (seq) => (analysis?.report && analysis.byEvent.has(seq) ? seq - 1 : seq);

/** @param {number} player */
const nameOf = (player) => find(`name-${player}`).textContent ?? "";

/** @param {number} player @returns {import("../board/types.js").Side} */
const sideOf = (player) => (player === reel.contents.near ? "near" : "far");

/** What the next event decides, with arrows for an error. */
function showVerdict() {
  if (!analysis?.report || !verdict || !graph) return;
  const decisions = analysis.decided(at + 1);
  verdict.show(analysis.report, decisions, analysis.lucks.get(at), nameOf);
  graph.show(at);
  showArrows();
}

/** @param {import("./analysis.js").Decision} decision @returns {import("../board/arrow.js").Arrow[]} */
function arrowsOf({ player, options, chosen }) {
  const moves = (/** @type {number} */ index) => /** @type {import("../board/types.js").Move[]} */ (options[index].moves ?? []);
  return [{ side: sideOf(player), moves: moves(chosen), kind: "made" }, { side: sideOf(player), moves: moves(0), kind: "best" }];
}

/** Shows where a play leads, until it is no longer pointed at.
 * @param {import("./analysis.js").Option | null} option @param {import("./analysis.js").Decision} decision */
function preview(option, { player }) {
  if (!shown) return;
  if (!option?.position) {
    board.jump(shown);
    showArrows();
    return;
  }
  const [mine, other] = option.position.map(sideFrom);
  board.arrows = [];
  board.jump({ ...shown, ...(sideOf(player) === "near" ? { near: mine, far: other } : { near: other, far: mine }), turn: null });
}

function showArrows() {
  board.arrows = analysis?.decided(at + 1).filter(({ kind, mark }) => kind === "play" && mark).flatMap(arrowsOf) ?? [];
}

/** How it stands with an analysis that is not there yet. @param {import("./analysis.js").State} state */
function standing({ state, done, events, ahead, message }) {
  const waits = state === "waiting" || state === "running";
  find("order").hidden = waits;
  find("progress").hidden = !waits;
  /** @type {HTMLProgressElement} */ (find("progress")).value = events ? done / events : 0;
  const text = { waiting: `Waiting: ${ahead} before this one.`, running: `${done} of ${events} events judged.` }[state] ?? message ?? "";
  find("standing").hidden = !text;
  if (find("standing").textContent !== text) find("standing").textContent = text;
}

/** @param {import("./analysis.js").Report} report */
function arrived(report) {
  find("order").hidden = find("progress").hidden = find("standing").hidden = true;
  find("judged").hidden = find("totals-box").hidden = false;
  const marked = report.decisions.filter(({ mark }) => mark);
  find("errors").textContent = `${marked.length} marked`;
  list.mark(report.decisions, signOf);
  showTotals(find("totals"), report, nameOf);
  graph?.draw(report, reel.contents.near, reel.last, reel.contents.chapters.map(({ first }) => first));
  showVerdict();
}

/** @param {string} step */
async function step(step) {
  if (step === "on" && at === reel.last && !reel.contents.over) await open(); // a running match may have gone on
  const to = { first: 0, back: at - 1, on: at + 1, last: reel.last }[step];
  if (to !== undefined) await go(to);
}

async function open() {
  await reel.open();
  const { chapters, lines, near } = reel.contents;
  slider.max = String(reel.last);
  games.replaceChildren(...chapters.map(({ game, score, result }) =>
    new Option(`${game}, at ${score[0]} : ${score[1]}${result ? `, ${result}` : ""}`, String(game))));
  const { labels } = await reel.view(0);
  find(`name-${near}`).textContent = labels.near;
  find(`name-${1 - near}`).textContent = labels.far;
  list.fill(lines);
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-step]"))) {
  button.addEventListener("click", () => void step(button.dataset.step ?? ""));
}
slider.addEventListener("input", () => void go(Number(slider.value)));
games.addEventListener("change", () => void go(reel.contents.chapters[Number(games.value) - 1].first));
addEventListener("hashchange", () => void go(Number(location.hash.slice(1))));
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (quiz?.on || event.ctrlKey || event.metaKey || event.altKey || board.contains(target) || target.closest("input, select, textarea, dialog")) return;
  const wish = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!wish) return;
  event.preventDefault();
  void step(wish);
});
order?.addEventListener("submit", (event) => {
  event.preventDefault();
  analysis?.order(/** @type {HTMLSelectElement} */ (find("plies")).value).catch(() => toast("The server cannot be reached."));
});
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-error]"))) {
  button.addEventListener("click", () => {
    const found = analysis?.next(at + 1, button.dataset.error === "1" ? 1 : -1);
    if (found) void go(found.event - 1);
    else toast("No more errors that way.");
  });
}
document.getElementById("quiz-open")?.addEventListener("click", () => {
  if (analysis?.report) quiz?.open(analysis.report);
});
find("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    toast("The address of this moment is copied.");
  } catch {
    toast("The address of this moment stands in the bar of the browser.");
  }
});

try {
  await open();
  await go(Number(location.hash.slice(1)));
  for (const plies of analysis ? ["2", "1", "0"] : []) {
    await analysis?.wait(plies); // one that is there, or under way
    if (analysis?.report) break;
  }
} catch {
  toast("The match cannot be read now.");
}
