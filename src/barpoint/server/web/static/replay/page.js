// The page of a replay: steps through the events by buttons, keys, slider, list and address.

/** @import {Decision, Option as Choice, Report, State} from "./analysis.js" */
/** @import {Line} from "../session/session.js" */
/** @import {Side, View} from "../board/types.js" */
/** @import {Arrow} from "../board/arrow.js" */
import { BarpointBoard } from "../board/board.js";
import { listKeys } from "../board/help.js";
import { _, ngettext, number } from "../board/language.js";
import { all, element, find, findIn, isPlainKey, setText } from "../dom.js";
import { copy, copyFrame, toast } from "../notes.js";
import { waitingText } from "../analysis/numbers.js";
import { boardOptions, dressBoard, keptSettings } from "../settings.js";
import { Analysis } from "./analysis.js";
import { Autoplay } from "./autoplay.js";
import { Deepening } from "./deepening.js";
import { Deeper } from "./deeper.js";
import { Graph } from "./graph.js";
import { KEYS, useOf } from "./keys.js";
import { EventList } from "./list.js";
import { Mistakes } from "./mistakes.js";
import { OwnNotes } from "./own_notes.js";
import { Recording } from "./recording.js";
import { asMoves, isDeeper, showTotals, sideFrom, signOf, Verdict } from "./verdict.js";

const board = find("board", BarpointBoard);
const root = findIn(document, "[data-path]");
const path = root.dataset.path ?? "";
const slider = find("slider", HTMLInputElement);
const games = find("game", HTMLSelectElement);
const recording = new Recording(path);
const list = new EventList(find("lines"), find("events"), (seq) => void go(beforeDecision(seq)));
const order = document.getElementById("order"); // none where the match is not over, or no net covers its rules
const analysis = order && new Analysis(path, showProgress, showReport);
const deepening = analysis && new Deepening(path, analysis, showProgress, (text) => toast(text));
const graph = order && new Graph(find("graph"), (seq) => void go(seq));
const themes = JSON.parse(root.dataset.themes ?? "{}");
const deeper = order && new Deeper(path, Number(root.dataset.deepest), (text) => toast(text));
const verdict = order && new Verdict(find("verdict"), preview, themes, deeper, (decision) => recording.verdict(decision));
const mistakes = analysis && new Mistakes(analysis, recording, { nameOf: (player) => nameOf(player), worded: (theme) => themes[theme]?.[0] ?? theme, changed: looked });
const notes = root.dataset.notes === undefined ? null : new OwnNotes(path, JSON.parse(root.dataset.notes), (event) => happenedText(recording.line(event), ""));
/** @type {import("./quiz.js").Quiz | null} none before it is wanted */
let quiz = null;
dressBoard(board, { near: boardOptions(keptSettings()).near, keys: false });
const autoplay = new Autoplay(find("autoplay"), async () => {
  const before = at;
  if (!quiz?.on && at < recording.last) await go(at + 1);
  await board.working;
  return at !== before && !quiz?.on && at < recording.last;
});
notes?.form.form.addEventListener("focusin", () => autoplay.stop()); // what is written is about this position

const PLIES = [2, 1, 0];

let at = 0;
let wanted = 0;
/** The event before the decision whose verdict is on the page. */
let verdictAt = -1;
/** @type {View | null} */
let shown = null;

/** Shows the match after an event. @param {number} seq */
async function go(seq) {
  if (quiz?.on || notes && !await notes.form.saveChanged()) return; // what was written would be lost
  const to = Math.max(0, Math.min(recording.last, Math.round(seq) || 0));
  wanted = to;
  let view;
  try {
    view = await recording.view(to);
  } catch {
    toast(_("The server cannot be reached."));
    return;
  }
  if (wanted !== to || quiz?.on) return; // another step was asked for meanwhile, or the quiz
  at = to;
  shown = view;
  board.arrows = [];
  board.jump(view);
  showPlace(to, view.result?.how ?? "");
  notes?.show(to + 1, recording.last);
  showVerdict();
  root.dataset.at = String(to);
  if (location.hash !== `#${to}`) history.replaceState(null, "", `#${to}`);
}

/** Shows everywhere on the page after which event the board is. @param {number} seq @param {string} result */
function showPlace(seq, result) {
  const line = recording.line(seq);
  slider.value = String(seq);
  slider.setAttribute("aria-valuetext", line ? line.text : _("the start"));
  games.value = String(recording.chapter(seq).game);
  find("where").textContent = _("%(number)s of %(last)s", { number: seq, last: recording.last });
  find("happened").textContent = happenedText(line, result);
  const below = recording.below === null ? "" : `&player=${recording.below}`;
  document.getElementById("open-here")?.setAttribute("href", `${path}/analysis-board?after=${seq}${below}`); // none while the match is played
  document.getElementById("whole")?.setAttribute("href", `${path}/replay?at=${seq}`);
  document.getElementById("correct-here")?.setAttribute("href", `${path}/correct?after=${seq}`);
  document.getElementById("similar-here")?.setAttribute("href", `${path}/similar?after=${seq}`);
  list.show(seq);
}

/** What has happened, in one line. @param {Line | null} line @param {string} result */
function happenedText(line, result) {
  if (!line) return _("Before the first roll");
  const text = line.kind === "play" && line.by !== null
    ? `${find(`name-${line.by}`).textContent}: ${line.faces.join("-")}, ${line.text}` : line.text;
  return result && !result.startsWith(text) ? `${text}. ${result}` : result || text;
}

/** Where a decision can be seen as it had to be made: with analysis, an event before it. @param {number} seq */
const beforeDecision = (seq) => (analysis?.report && analysis.byEvent.has(seq) ? seq - 1 : seq);

/** @param {number} player */
const nameOf = (player) => find(`name-${player}`).textContent ?? "";

/** @param {number} player @returns {Side} */
const sideOf = (player) => (player === recording.near ? "near" : "far");

/** What the next event decides, with arrows for an error. */
function showVerdict() {
  const judged = analysis?.decided(at + 1) ?? [];
  const verdicts = recording.contents.verdicts.filter((one) => one.event === at + 1 && !judged.some(({ kind }) => kind === one.kind));
  const said = [...recording.notes(at + 1), ...verdicts.flatMap(({ lines }) => lines)];
  find("from-file").replaceChildren(...said.map((text) => element("p", {}, [text])));
  find("from-file").hidden = !said.length;
  if (!analysis?.report || !verdict || !graph || !mistakes) return;
  graph.show(at);
  mistakes.show(at + 1);
  const part = analysis.part(recording.chapter(at).game);
  if (part) {
    awaitVerdict(part, at);
    return;
  }
  verdictAt = at;
  verdict.show(analysis.report, judged, analysis.lucks.get(at), nameOf);
  showArrows();
}

/** Shows a verdict when the part of the report that has it is there; until then the one before, if it is of the same decision.
 * @param {Promise<void>} part @param {number} seq */
function awaitVerdict(part, seq) {
  if (verdictAt !== seq) verdict?.put();
  verdictAt = seq;
  const report = analysis?.report;
  part.then(() => seq === at && showVerdict(), () => {
    if (seq !== at || report !== analysis?.report) return;
    const again = element("button", { type: "button", class: "button" }, [_("Try again")]);
    again.addEventListener("click", showVerdict);
    verdict?.put(element("p", { class: "problem", role: "alert" }, [_("The server cannot be reached.")]), element("p", { class: "button-row" }, [again]));
  });
}

/** @param {Decision} decision @returns {Arrow[]} */
function arrowsOf({ player, options, chosen }) {
  const side = sideOf(player);
  return [{ side, moves: asMoves(options[chosen]), kind: "made" }, { side, moves: asMoves(options[0]), kind: "best" }];
}

/** Shows where a play leads, until it is no longer pointed at.
 * @param {Choice | null} option @param {Decision} decision */
function preview(option, { player }) {
  if (!shown || quiz?.on) return;
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
  if (quiz?.on) return; // they would give its answer away
  board.arrows = analysis?.decided(at + 1).filter(({ kind, mark }) => kind === "play" && mark).flatMap(arrowsOf) ?? [];
}

/** Shows how far an analysis is. @param {State} state */
function showProgress({ state, done, events, ahead, message }) {
  const waits = state === "waiting" || state === "running";
  find("order").hidden = waits || !deeperPlies().length;
  find("progress").hidden = !waits;
  find("progress", HTMLProgressElement).value = events ? done / events : 0;
  const running = events ? _("%(done)s of %(events)s events judged.", { done: done ?? 0, events }) : _("The analysis begins …");
  const text = { waiting: waitingText(ahead ?? 0), running }[state] ?? message ?? "";
  find("standing").hidden = !text;
  setText(find("standing"), text);
}

/** An older net than that of today made the analysis. */
const isOlder = () => analysis?.report !== null && analysis?.report.net !== root.dataset.net;

/** Depths at which the match can still be analysed: deeper ones, and by the net of today the same one too. */
const deeperPlies = () => PLIES.filter((plies) => plies + (isOlder() ? 1 : 0) > (analysis?.report?.plies ?? -1));

/** @param {Report} report */
function showReport(report) {
  find("progress").hidden = find("standing").hidden = true;
  find("order").hidden = !deeperPlies().length;
  for (const option of find("plies", HTMLSelectElement).options) option.hidden = option.disabled = !deeperPlies().includes(Number(option.value));
  find("plies", HTMLSelectElement).value = String(PLIES[0]);
  find("order-button").textContent = isOlder() ? _("Analyse again") : _("Analyse deeper");
  find("depth").hidden = false;
  const by = { plies: report.plies, net: report.net };
  setText(find("depth"), isOlder()
    ? _("Analysed at %(plies)s-ply by an older net, %(net)s; everybody with the link sees this.", by)
    : _("Analysed at %(plies)s-ply by net %(net)s; everybody with the link sees this.", by));
  const deep = report.decisions.filter(isDeeper).length;
  if (deep) find("depth").append(" ", ngettext("%(num)s decision was analysed more deeply.", "%(num)s decisions were analysed more deeply.", deep));
  void deepening?.offer(report.plies === PLIES[0] && !isOlder());
  for (const id of ["judged", "totals-box", "report-to-print"]) find(id).hidden = false;
  const [one, other] = recording.contents.near ? [1, 0] : [0, 1];
  const rating = (/** @type {number} */ player) => number(report.players[player].total.rating, 1);
  setText(find("ratings"), _("PR: %(one)s %(first)s, %(other)s %(second)s", { one: nameOf(one), first: rating(one), other: nameOf(other), second: rating(other) }));
  mistakes?.offer(report, recording.contents.near);
  showTotals(find("totals"), report, nameOf);
  showMarks();
  showVerdict();
}

/** The mistakes that are looked at, in the list and on the curve. */
function showMarks() {
  if (!analysis?.report || !mistakes) return;
  list.mark(mistakes.found, signOf);
  graph?.draw({ ...analysis.report, decisions: mistakes.found }, recording.near, recording.last, recording.contents.chapters.map(({ first }) => first));
  graph?.show(at);
}

/** Other mistakes are looked at; those of one side from their side of the board. @param {number | null} player */
function looked(player) {
  showMarks();
  if (player !== null && player !== recording.near) void flip();
}

/** Turns the board: the other player is below, and the points have their numbers. */
async function flip() {
  recording.below = 1 - recording.near;
  const { near } = boardOptions(keptSettings());
  board.options = { ...board.options, near: recording.near === recording.contents.near ? near : near === "light" ? "dark" : "light" }; // a player keeps their colour
  find("flip").setAttribute("aria-pressed", String(recording.near !== recording.contents.near));
  showMarks();
  await go(at);
}

/** The next mistake of those that are looked at. @param {1 | -1} way */
function goToMistake(way) {
  const found = mistakes?.next(at + 1, way);
  if (found) void go(found.event - 1);
  else if (analysis?.report) toast(_("No more mistakes in that direction."));
}

/** Opens the quiz, whose scripts come when it is first wanted. @param {"worst" | "every"} which */
async function openQuiz(which) {
  const known = analysis;
  if (!known) return;
  try {
    const { Quiz } = await import("./quiz.js");
    quiz ??= new Quiz(path, board, {
      nameOf,
      noteOf: (event) => notes?.said(event) ?? "",
      whole: (decision) => known.whole(decision),
      left: (seq) => void go(seq ?? at),
      failed: (text) => toast(text),
    }, themes);
  } catch {
    toast(_("The server cannot be reached."));
    return;
  }
  if (known.report && !quiz.on) quiz.open(known.report, which);
}

/** @param {string} step */
async function step(step) {
  autoplay.stop();
  try {
    if (step === "on" && at === recording.last && !recording.contents.over) await open(); // a running match may have gone on
  } catch {
    toast(_("The server cannot be reached."));
    return;
  }
  const to = { first: 0, back: at - 1, on: at + 1, last: recording.last }[step];
  if (to !== undefined) await go(to);
}

/** For whoever comes from the end of their match: has it analysed, and goes to the viewer's first mistake. */
async function showMistakes() {
  if (!analysis || !mistakes) return;
  if (!analysis.report) await analysis.order("2");
  const [first] = mistakes.found;
  if (first) await go(first.event - 1);
  else if (analysis.report) toast(_("No mistakes. Well played!"));
}

async function open() {
  await recording.open();
  const { chapters, lines, near } = recording.contents;
  slider.max = String(recording.last);
  games.replaceChildren(...chapters.map(({ game, score, result, title }) => {
    const named = title ? `${game} ${title}` : game;
    const option = new Option(_("%(game)s, at %(score)s", { game: named, score: `${score[0]} : ${score[1]}` }), String(game));
    option.title = result;
    return option;
  }));
  const { labels } = await recording.view(0);
  find(`name-${near}`).textContent = labels.near;
  find(`name-${1 - near}`).textContent = labels.far;
  list.fill(lines);
}

/** What keys do. @type {import("./keys.js").Replay} */
const keyed = {
  step: (way) => void step(way),
  mistake: goToMistake,
  flip: () => void flip(),
  autoplay: () => autoplay.toggle(),
  tell: () => board.player.answer("board"),
  list: () => listKeys(board, KEYS.map(({ name, does }) => [name, does])),
};

for (const button of all("[data-step]")) {
  button.addEventListener("click", () => void step(button.dataset.step ?? ""));
}
slider.addEventListener("input", () => {
  autoplay.stop();
  void go(Number(slider.value));
});
games.addEventListener("change", () => void go(recording.contents.chapters[Number(games.value) - 1].first));
addEventListener("hashchange", () => void go(Number(location.hash.slice(1))));
document.addEventListener("keydown", (event) => {
  if (quiz?.on || !isPlainKey(event) || (event.target instanceof Node && board.contains(event.target))) return;
  const use = useOf(event.key);
  if (!use || event.repeat && use.key === "a") return;
  event.preventDefault();
  use.run(keyed);
});
order?.addEventListener("submit", (event) => {
  event.preventDefault();
  analysis?.order(find("plies", HTMLSelectElement).value).catch(() => toast(_("The server cannot be reached.")));
});
for (const button of all("[data-error]")) {
  button.addEventListener("click", () => goToMistake(button.dataset.error === "1" ? 1 : -1));
}
find("flip").addEventListener("click", () => void flip());
for (const [id, which] of /** @type {const} */ ([["quiz-open", "worst"], ["guess-open", "every"]])) {
  document.getElementById(id)?.addEventListener("click", () => void openQuiz(which));
}
const atMoment = (/** @type {string} */ page) => new URL(`${path}/${page}?at=${at}`, location.href).href; // other programs see no more of an address
document.getElementById("copy-embedded")?.addEventListener("click", () => void copyFrame(atMoment("embedded"), 720));
document.getElementById("share")?.addEventListener("click", () =>
  void copy(atMoment("replay"), _("The address of this moment is copied."), _("The address of this moment stands in the address bar of the browser.")));

try {
  await open();
  await go(Number(location.hash.slice(1) || new URLSearchParams(location.search).get("at")));
  const coming = (await analysis?.find()) ?? [];
  analysis?.follow(coming).catch(() => toast(_("The server cannot be reached.")));
  if (new URLSearchParams(location.search).has("mistakes")) await showMistakes();
} catch {
  toast(_("The match cannot be read now."));
}
