// The analysis board: a position in the address, the server's answers beside it. The server judges, reads and edits; this
// page asks and shows.

/** @import {BoardShown, OtherShown, PlayAnswer, PositionAnswer, RollAnswer} from "./types.js" */
/** @import {Move} from "../board/types.js" */
import { _, ngettext } from "../board/language.js";
import { BarpointBoard } from "../board/board.js";
import { all, element, find, findIn, isPlainKey, setText } from "../dom.js";
import { toast } from "../notes.js";
import { signOf } from "../replay/verdict.js";
import { dressBoard } from "../settings.js";
import { choicesOf } from "./choices.js";
import { copyDecision, positionText } from "./decision_text.js";
import { plain, showGot } from "./numbers.js";
import { RolloutView } from "./rollout.js";
import { RolloutSettings } from "./rollout_settings.js";
import { scoreValuesOf } from "./score_values.js";
import { showPlayOn, showPlays } from "./play_on.js";
import { messageOf, queryOf, Questions, sentence } from "./server.js";
import { SetupForm } from "./setup.js";
import { Share } from "./share.js";
import { countsOf, rollGrid, rollsOf, scoresOf } from "./tables.js";

const board = find("board", BarpointBoard);
const deepest = find("analysis").dataset;
const questions = new Questions();
const setup = new SetupForm(
  (name) => edit(() => ({ ...setup.fields(name), ...kept(name === "variant" ? [] : ["position", "roll"]) })), // another game has its own start and dice
  (brush) => {
    board.options = { setup: brush };
    if (!brush) stepped = false;
  });
const rollout = new RolloutView(find("rollout"), find("roll-out", HTMLButtonElement), questions, (text) => toast(text));
const share = new Share(questions, { read, open: () => openTab("share") });
const settings = new RolloutSettings(find("rollout-settings"), () => void rollout.follow(rolledQuery()), () => find("roll-out").click());
dressBoard(board, { keys: true });

/** @type {BoardShown | null} */
let shown = null;
/** @type {PositionAnswer | null} */
let answer = null;
/** Path of the position that it is about: that of one before stays until the next has come. */
let answered = "";
/** What another program found of the position that is shown. @type {OtherShown | undefined} */
let other;
/** @type {PositionAnswer | null} the answer about the position before the last play */
let before = null;
let tab = "answer";
let all_plays = false;
/** How deeply each kind of answer looks; the server chooses where nothing was asked for. */
let plies = { answer: -1, rolls: -1, scores: -1 };
/** Edits wait for each other, so that each begins where the last one ended. */
let edits = Promise.resolve();
/** Whether the keyboard stood on a choice that has been taken away. */
let stood = false;
/** Whether the set-up that is open has its step in the history already. */
let stepped = false;

const query = () => queryOf(shown);

/** Fields of the present address. @param {string[]} names */
function kept(names) {
  const now = new URLSearchParams(query());
  return Object.fromEntries(names.map((name) => [name, now.get(name) ?? ""]));
}

/**
 * Shows the board of an address.
 * @param {Record<string, string> | string} fields @param {"push" | "replace" | ""} history
 * @param {boolean} setting_up  a board that is set up otherwise is no longer that of the match which it was opened from @returns {Promise<boolean>}
 */
async function go(fields, history, setting_up = false) {
  const asked = new URLSearchParams(typeof fields === "string" ? fields : Object.entries(fields).filter(([, value]) => value !== ""));
  try {
    const found = await questions.ask("board", `/board?${asked}`);
    const flipped = asked.get("edit") === "flip" && ORIGIN.test(location.hash);
    const stays = !setting_up || found?.path === shown?.path;
    if (found) show(found, history, flipped ? momentOf(location.hash) + (1 - Number(location.hash.at(-1))) : stays ? location.hash : "");
    return Boolean(found);
  } catch (error) {
    toast(sentence(error));
    if (shown) setup.show(shown);
    return false;
  }
}

/** Behind #: the match from which the board was opened, the event that followed, and who is at the bottom. */
const ORIGIN = /^#((?:match|review)\/[\w-]+)\/(\d+)\/([01])$/;

/** The same without who is at the bottom. @param {string} at */
const momentOf = (at) => at.slice(0, -1);

/** What the server says of that moment. @type {{of: string, query: string, names: string[], said: string[], other: OtherShown} | null} */
let origin = null;

/** What both sides are called: as in the match from which the board was opened. @returns {Record<"near" | "far", string>} */
function called() {
  const near = Number(ORIGIN.exec(location.hash)?.[3] ?? -1);
  return origin && near >= 0 && momentOf(origin.of) === momentOf(location.hash) ? { near: origin.names[near], far: origin.names[1 - near] } : { near: _("You"), far: _("Opponent") };
}

/** A board with its sides called as the page calls them. @param {BoardShown["view"]} view @returns {BoardShown["view"]} */
const named = (view) => ({ ...view, labels: called() });

/** @param {BoardShown} found @param {"push" | "replace" | ""} history @param {string} at  the match that it was opened from, behind # */
function show(found, history, at = location.hash) {
  const same = shown?.path === found.path;
  before = found.played ? answer : null;
  shown = found;
  if (history === "push") stepped = false;
  const said = found.other && { other: { ...found.other, path: found.path } };
  if (history === "push" && !same) window.history.pushState({ back: true, ...said }, "", found.path + at);
  else if (history) window.history.replaceState({ ...window.history.state, ...said }, "", found.path + at);
  if (board.turn?.made.length) board.turn = null; // else the board keeps what was tried of the same roll
  board.arrows = [];
  board.jump(named(found.view));
  setup.show(found);
  share.show(found);
  showPlayOn(found, query());
  if (found.said) toast(sentence(new Error(found.said)));
  for (const button of all('[data-step="back"]')) /** @type {HTMLButtonElement} */ (button).disabled = !window.history.state?.back;
  find("problem").hidden = !found.problem && found.covered;
  setText(find("problem"), found.problem ? sentence(new Error(found.problem)) : found.covered ? "" : _("No net has learned this game, so nothing can judge it."));
  showPlayed(found);
  showOrigin().catch(() => toast(_("The server cannot be reached.")));
  drawDice(found);
  find("bad-link").hidden = true;
  showScoreValues(found);
  find("tab-scores").hidden = !found.cube || found.address.cube === 0; // where nobody doubles no score changes a cube action
  if (find("tab-scores").hidden && tab === "scores") openTab("answer");
  all_plays = false;
  plies = { answer: -1, rolls: -1, scores: -1 };
  if (same && answer && answered === found.path) {
    showAsked(found); // the sides may be called otherwise
    showAnswer(answer);
  } else void refresh();
}

/** @param {BoardShown} found */
const showScoreValues = ({ score }) => find("score-values").replaceChildren(...(score ? scoreValuesOf(score, called()) : []));

/** Shows what a pasted text describes. @param {BoardShown} found @param {"push" | "replace"} history */
function read(found, history) {
  show(found, history, "");
  openTab("answer");
}

/** Shows what another program says of the position: its file, or the text that was read, which the history keeps. @param {string[]} lines @param {OtherShown} [found] */
function showSaid(lines, found) {
  const place = find("said");
  other = found;
  place.replaceChildren(...lines.map((text) => element("p", {}, [text])));
  place.hidden = !lines.length;
}

/** What the play that led here was worth. @param {BoardShown} found */
function showPlayed({ played }) {
  const place = find("played");
  place.hidden = !played;
  if (!played) return;
  const rank = before?.plays?.findIndex(({ id }) => id === played.id) ?? -1;
  const play = before?.plays?.[rank];
  const name = played.text || _("No play");
  const best = rank === 0 || (play && play.loss < 0.0005);
  const worth = !play ? `${name}.` : best ? _("%(play)s: the best play.", { play: name })
    : _("%(play)s: number %(rank)s, loses %(loss)s %(sign)s", { play: name, rank: rank + 1, loss: plain(play.loss), sign: signOf(play.mark) });
  place.className = `played ${play ? play.mark || "right" : ""}`;
  place.textContent = worth.trim();
}

/** Shows the way back to the match from which the board was opened, its names, and what its file says of the position. */
async function showOrigin() {
  const { hash } = location, kept = window.history.state?.other;
  const [, match, event, near] = ORIGIN.exec(hash) ?? [];
  find("origin").hidden = !match;
  if (!match && kept?.path === shown?.path) showSaid(kept.lines ?? [], kept);
  else showSaid([]);
  if (!match) return;
  let fetched = false;
  findIn(find("origin"), "a", HTMLAnchorElement).href = `/${match}/replay#${Number(event) - 1}`;
  if (origin?.of !== hash) {
    const found = await fetch(`/${match}/decision.json?before=${event}&player=${near}`);
    if (!found.ok || location.hash !== hash || !shown) return;
    origin = { of: hash, ...await found.json() };
    board.set(named(shown.view));
    showScoreValues(shown);
    if (!shown.problem && shown.covered) showAsked(shown);
    fetched = true;
  }
  if (origin?.query === query()) showSaid(origin.said, origin.other);
  if (fetched && answer && answered === shown?.path) showAnswer(answer);
}

/** Asks for what the open tab shows. */
async function refresh() {
  const found = shown;
  leaveChoices();
  if (!found || found.problem || !found.covered) {
    answer = null;
    for (const kind of ["answer", "rolls", "scores"]) questions.forget(kind);
    rollout.clear();
    for (const id of ["choices", "rolls", "scores", "counts"]) find(id).replaceChildren();
    find("asked").textContent = "";
    find("got").textContent = "";
    find("choose-roll").hidden = true;
    find("answer").toggleAttribute("data-asks", false);
    for (const id of ["deeper", "roll-out", "rollout-settings", "copy-analysis"]) find(id).hidden = true;
    returnToChoices();
    return;
  }
  for (const id of ["rolls", "scores"]) find(id).replaceChildren();
  rollout.clear();
  settings.forgetPlays();
  showAsked(found);
  find("choices").inert = true; // they are of the position before
  if (!find("choices").childElementCount) find("choices").replaceChildren(element("p", { class: "hint" }, [_("Looking …")]));
  find("answer").toggleAttribute("data-asks", true);
  await ask();
  void rollout.follow(rolledQuery());
  if (tab === "rolls" || tab === "scores") await table(tab);
}

/** Remembers whether the keyboard stands on a choice, before it goes. */
function leaveChoices() {
  stood ||= Boolean(find("choices").querySelector(":focus-visible"));
}

/** The choices can be chosen again; the keyboard goes back to them, unless it was taken elsewhere. */
function returnToChoices() {
  find("choices").inert = false;
  if (stood && document.activeElement === document.body) (all("button", find("choices"))[0] ?? find("answer")).focus();
  stood = false;
}

/** @param {number} deep */
const withPlies = (deep) => (deep < 0 ? query() : `${query()}&plies=${deep}`);

/** @param {number} depth */
const lookText = (depth) => ngettext("Look %(num)s ply deep", "Look %(num)s plies deep", depth);

/** Asks for the plays or the cube action. */
async function ask() {
  const place = find("answer");
  place.toggleAttribute("data-waits", true);
  try {
    /** @type {PositionAnswer | null} */
    const found = await questions.ask("answer", `?${withPlies(plies.answer)}`);
    if (!found) return;
    answer = found;
    answered = shown?.path ?? "";
    plies.answer = found.plies;
    showAnswer(found);
  } catch (error) {
    leaveChoices();
    find("choices").replaceChildren(element("p", { class: "hint" }, [sentence(error)]));
  }
  returnToChoices();
  for (const mark of ["data-waits", "data-asks"]) place.toggleAttribute(mark, false);
}

/** Says what is asked, before the answer is there. @param {BoardShown} found */
function showAsked({ view, cube, address }) {
  const roll = view.dice?.faces.join("-") ?? "";
  find("tab-answer").textContent = roll ? _("Plays") : cube && address.cube !== 0 ? _("Cube") : _("Equity");
  const { to_act: side } = view, name = called()[side ?? "near"];
  find("asked").textContent = name === _("You") ? (roll ? _("You to play %(roll)s", { roll }) : _("You to act"))
    : name === _("Opponent") ? (roll ? _("Opponent to play %(roll)s", { roll }) : _("Opponent to act"))
    : roll ? _("%(side)s to play %(faces)s.", { side: name, faces: roll }) : _("%(player)s is to act", { player: name });
  find("choose-roll").hidden = Boolean(roll);
}

/** @param {PositionAnswer} found */
function showAnswer(found) {
  if (!shown) return;
  const { view } = shown;
  showGot(find("got"), found);
  showPlays(found.plays ?? []);
  const parts = choicesOf(found, { point, make: (play) => void make(play.moves), tick: (play) => settings.tick(play), other }, all_plays);
  if (!all_plays && (found.plays?.length ?? 0) > 6) {
    const more = element("button", { type: "button", class: "plain" }, [_("Show all %(count)s", { count: found.count ?? 0 })]);
    more.addEventListener("click", () => {
      all_plays = true;
      showAnswer(found);
      returnToChoices();
    });
    parts.push(more);
  }
  leaveChoices();
  find("choices").replaceChildren(...parts);
  const most = Number(deepest.deepest);
  const deeper = find("deeper", HTMLButtonElement);
  for (const id of ["deeper", "roll-out", "rollout-settings", "copy-analysis"]) find(id).hidden = false;
  deeper.disabled = found.plies >= most || found.source === "exact";
  deeper.textContent = found.plies < most ? lookText(found.plies + 1) : ngettext("%(num)s ply deep", "%(num)s plies deep", found.plies);
  const { near, far } = called();
  const [us, them] = view.to_act === "far" ? [far, near] : [near, far];
  find("counts").replaceChildren(...countsOf(found.counts, us, them));
}

/** The position, and how it is rolled out. */
const rolledQuery = () => query() + settings.query;

/** Shows a play on the board, and where it leads; null shows the position again. @param {PlayAnswer | null} play */
function point(play) {
  if (!shown || board.turn?.made.length) return;
  const side = shown.view.to_act ?? "near";
  board.arrows = play ? [{ side, moves: play.moves, kind: "best" }] : [];
}

/** Makes a play: the other side is to act. @param {Move[]} moves */
async function make(moves) {
  await go(`${query()}&play=1&moves=${encodeURIComponent(JSON.stringify(moves))}`, "push");
}

/** Fills a table. @param {"rolls" | "scores"} kind */
async function table(kind) {
  const place = find(kind);
  const path = kind === "rolls" ? "/rolls" : "/matrix";
  if (!place.childElementCount) place.replaceChildren(element("p", { class: "hint" }, [_("Looking …")]));
  try {
    const found = await questions.ask(kind, `${path}?${withPlies(plies[kind])}`);
    if (!found) return;
    plies[kind] = found.plies;
    const parts = kind === "rolls" ? rollsOf(found, { choose: (roll) => void chooseRoll(roll), point: pointRoll }) : scoresOf(found);
    place.replaceChildren(...parts, ...deeperButton(kind, found.plies));
  } catch (error) {
    place.replaceChildren(element("p", { class: "hint" }, [sentence(error)]));
  }
}

/** @param {"rolls" | "scores"} kind @param {number} depth */
function deeperButton(kind, depth) {
  const most = Number(kind === "rolls" ? deepest.deepestRolls : deepest.deepestMatrix);
  if (depth >= most) return [];
  const button = element("button", { type: "button", class: "button" }, [lookText(depth + 1)]);
  button.addEventListener("click", () => {
    plies[kind] = depth + 1;
    void table(kind);
  });
  return [element("p", { class: "button-row" }, [button])];
}

/** @param {RollAnswer | null} roll */
function pointRoll(roll) {
  const side = shown?.view.to_act ?? "near";
  board.arrows = roll ? [{ side, moves: roll.moves, kind: "best" }] : [];
}

/** @param {{faces: number[]}} roll */
async function chooseRoll({ faces }) {
  openTab("answer");
  await go({ ...Object.fromEntries(new URLSearchParams(query())), roll: faces.join("-") }, "push");
}

/** The rolls to choose from. @param {BoardShown} found */
function drawDice({ rolls, view }) {
  const chosen = view.dice?.faces.join("-") ?? "";
  /** @param {{faces: number[]}} roll @returns {HTMLElement} */
  const cell = (roll) => {
    const faces = roll.faces.join("-");
    const button = element("button", { type: "button", "aria-label": _("Roll %(faces)s", { faces }), "aria-pressed": String(faces === chosen) }, [roll.faces.join("")]);
    button.addEventListener("click", () => {
      find("dice").hidePopover();
      void chooseRoll(roll);
    });
    return button;
  };
  const none = element("button", { type: "button", class: "button" }, [_("No roll: cube action")]);
  none.addEventListener("click", () => {
    find("dice").hidePopover();
    void go({ ...Object.fromEntries(new URLSearchParams(query())), roll: "" }, "push");
  });
  find("dice").replaceChildren(rollGrid(rolls.map((faces) => ({ faces })), cell, false), none);
  find("open-rolls").textContent = chosen ? _("Roll %(faces)s", { faces: chosen }) : _("Roll");
}

/** @param {string} name */
function openTab(name) {
  tab = name;
  for (const button of all('[role="tab"]')) {
    const open = button.getAttribute("aria-controls") === name;
    button.setAttribute("aria-selected", String(open));
    button.tabIndex = open ? 0 : -1;
    find(button.getAttribute("aria-controls") ?? "").hidden = !open;
  }
  if ((name === "rolls" || name === "scores") && answer && !find(name).childElementCount) void table(name);
}

/** Shows an edited position. All edits of a set-up are one step of the history. @param {() => Record<string, string>} fields */
function edit(fields) {
  edits = edits.then(async () => {
    const from = shown?.path;
    await go(fields(), stepped ? "replace" : "push", true);
    stepped = setup.brush !== "" && (stepped || shown?.path !== from);
  });
}

/** An edit of the position by the server. @param {{edit: string, side?: string, place?: number, to?: number}} asked */
const editBoard = (asked) => edit(() => ({ ...Object.fromEntries(new URLSearchParams(query())), ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)])) }));

for (const button of all("[data-edit]")) button.addEventListener("click", () => editBoard({ edit: button.dataset.edit ?? "" }));
for (const button of all('[role="tab"]')) {
  button.addEventListener("click", () => openTab(button.getAttribute("aria-controls") ?? ""));
  button.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const tabs = [...all('[role="tab"]:not([hidden])')];
    const next = tabs[(tabs.indexOf(button) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
    event.preventDefault();
  });
}
for (const button of all('[data-step="back"]')) button.addEventListener("click", () => window.history.back());
find("deeper").addEventListener("click", () => {
  plies.answer += 1;
  find("got").textContent = ngettext("looking %(num)s ply deep …", "looking %(num)s plies deep …", plies.answer);
  void ask();
});
find("copy-analysis").addEventListener("click", () => {
  if (answer) void copyDecision(positionText(rolledQuery(), answer.plies));
});
board.addEventListener("bg-setup", (event) => editBoard(/** @type {CustomEvent} */ (event).detail));
board.addEventListener("bg-event", (event) => {
  const { kind, moves } = /** @type {CustomEvent} */ (event).detail;
  if (kind === "play") void make(moves);
  if (kind === "roll") find("dice").showPopover();
});
board.addEventListener("bg-draft", async (event) => {
  if (!board.turn?.waiting) return;
  const { moves } = /** @type {CustomEvent} */ (event).detail;
  try {
    const found = await questions.ask("board", `/board?${query()}&moves=${encodeURIComponent(JSON.stringify(moves))}`);
    if (found) board.set(named(found.view));
  } catch (error) {
    toast(sentence(error));
  }
});
find("dice").addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  (all('[aria-pressed="true"]', find("dice"))[0] ?? findIn(find("dice"), "button")).focus();
});
addEventListener("popstate", () => {
  stepped = false;
  void go(location.search.slice(1), "");
});
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !isPlainKey(event) || event.repeat) return;
  const pressed = { s: "open-setup", g: "deeper", u: "roll-out", r: "open-rolls", p: "open-play" }[event.key.toLowerCase()];
  if (!pressed) return;
  event.preventDefault();
  find(pressed).click();
});

/** Shows the board of the page's address. Where it cannot be read that is the start, with what is wrong, and nothing is judged. */
async function open() {
  if (deepest.reads !== undefined) {
    await share.read("replace", deepest.start);
    if (shown) return;
  }
  if (deepest.start !== undefined) {
    const start = await questions.ask("board", `/board?${deepest.start}`);
    if (start) show(start, "");
    find("bad-link").hidden = false;
    openTab("share");
    return;
  }
  try {
    const found = await questions.ask("board", `/board${location.search || "?"}`);
    if (found) show(found, "replace");
  } catch (error) {
    const start = await questions.ask("board", "/board?");
    if (start) show({ ...start, problem: messageOf(error) }, "");
  }
}
await open().catch((error) => toast(sentence(error)));
