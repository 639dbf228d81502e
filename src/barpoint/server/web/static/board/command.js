// The command box: a line of text becomes moves that the graph of the turn knows, or an event that is allowed.

/** @import {Move, Edge, View} from "./types.js" */
import { ASKED, askedBy } from "./answers.js";
import { _ } from "./language.js";
import { BAR, HAND, OFF, edgesAt, moveOf, walk } from "./state.js";

/**
 * @typedef {{kind: "moves", moves: Move[]} | {kind: "event", event: string, level?: number} | {kind: "say", text: string}
 *   | {kind: "error", text: string} | {kind: "commit"} | {kind: "undo"}
 *   | {kind: "asked", what: string}} Command
 */

/** @type {Record<string, string>} */
const EVENTS = {
  roll: "roll", r: "roll", double: "double", d: "double", redouble: "double", take: "take", t: "take", pass: "pass",
  p: "pass", drop: "pass", beaver: "beaver", raccoon: "raccoon", b: "beaver", rollover: "rollover", "roll over": "rollover",
  "roll-over": "rollover", call: "rollover", o: "rollover", keep: "keep", k: "keep", accept: "accept", y: "accept",
  reject: "reject", n: "reject", object: "object", j: "object", next: "next", abort: "abort",
};
const LEVELS = /** @type {Record<string, number>} */ ({ single: 1, gammon: 2, backgammon: 3, 1: 1, 2: 2, 3: 3 });

/**
 * @param {string} line @param {View} view @param {Move[]} made @returns {Command}
 */
export function parseCommand(line, view, made) {
  const text = line.trim().toLowerCase().replace(/^\/+\s*/, "").replace(/\s+/g, " "); // a slash opens the box, and is typed once more
  if (!text) return { kind: "error", text: _("Type a play such as 8/5 6/5, or a word such as roll, double, pips") };
  if (["done", "commit", "end"].includes(text)) return { kind: "commit" };
  if (["undo", "back", "u"].includes(text)) return { kind: "undo" };
  const what = askedBy(text);
  if (what) return { kind: "asked", what };
  if (["help", "?"].includes(text)) return { kind: "say", text: helpText(view) };
  const resign = text.match(/^(?:resign|x)(?: (\w+))?$/);
  if (resign) return resignation(view, resign[1]);
  const event = EVENTS[text];
  if (event) return eventCommand(view, event === "beaver" && !may(view, "beaver") && may(view, "raccoon") ? "raccoon" : event, text);
  if (!/\d/.test(text)) return { kind: "error", text: `${_("“%(word)s” is not known", { word: text })}. ${helpText(view)}` };
  return playCommand(text, view, made);
}

/** Everything that may be typed now. @param {View} view */
function helpText({ allowed }) {
  const typed = /** @type {Record<string, string[]>} */ ({ play: ["done", "undo"], correct: ["done", "undo"], resign: ["resign", "resign gammon"] });
  const words = new Set([...ASKED, ...allowed.flatMap(({ kind }) => typed[kind] ?? (EVENTS[kind] ? [kind] : []))]);
  return _("Type a play (8/5 6/5, bar/22, 13/7/3, 6/off, 8/5(2)) or a word: %(words)s", { words: [...words].join(", ") });
}

/** @param {View} view @param {string} kind */
const may = (view, kind) => view.allowed.some((allowed) => allowed.kind === kind);

/** @param {View} view @param {string} kind @param {string} text @returns {Command} */
function eventCommand(view, kind, text) {
  return may(view, kind) ? { kind: "event", event: kind } : { kind: "error", text: _("“%(word)s” is not possible now", { word: text }) };
}

/** @param {View} view @param {string | undefined} word @returns {Command} */
function resignation(view, word) {
  const allowed = view.allowed.find((candidate) => candidate.kind === "resign");
  if (!allowed) return { kind: "error", text: _("“%(word)s” is not possible now", { word: "resign" }) };
  if (word === undefined) return { kind: "event", event: "resign" };
  const level = LEVELS[word];
  if (!(allowed.levels ?? []).includes(level)) return { kind: "error", text: _("no resignation is called “%(word)s”", { word }) };
  return { kind: "event", event: "resign", level };
}

/** @typedef {{here: number, way: number[]}} Run  a checker and the places that it still has to touch, the last one its goal */

/** @param {string} text @returns {Run[] | string} runs, or what is wrong */
export function parsePlay(text) {
  /** @type {Run[]} */
  const runs = [];
  for (const token of text.split(/[ ,]+/)) {
    const parts = token.match(/^([a-z0-9*/-]+?)(?:\((\d+)\))?$/);
    if (!parts) return _("“%(word)s” is not a move", { word: token });
    const words = parts[1].replaceAll("*", "").split(/[/-]/);
    const places = words.map((word, index) => placeOf(word, index === 0));
    const wrong = places.indexOf(null);
    if (places.length < 2) return _("“%(word)s” is not a move: write where it starts and ends, as in 8/5", { word: token });
    if (wrong >= 0) return _("“%(word)s” is not a place", { word: words[wrong] });
    const [here, ...way] = /** @type {number[]} */ (places);
    for (let times = Number(parts[2] ?? 1); times > 0; times -= 1) runs.push({ here, way });
  }
  return runs;
}

/** @param {string} word @param {boolean} first @returns {number | null} */
function placeOf(word, first) {
  if (/^(bar|b)$/.test(word)) return BAR;
  if (/^(hand|h)$/.test(word)) return HAND;
  if (/^(off|o)$/.test(word)) return OFF;
  const number = Number(word);
  if (!/^\d+$/.test(word) || number > 25 || (first && number === 0)) return null;
  return number;
}

/** @param {string} text @param {View} view @param {Move[]} made @returns {Command} */
function playCommand(text, view, made) {
  const runs = parsePlay(text);
  if (typeof runs === "string") return { kind: "error", text: runs };
  if (!may(view, "play")) return { kind: "error", text: _("No play is asked for now") };
  const start = walk(view, made);
  /** @type {Map<string, Move[]>} */
  const found = new Map();
  search(view, start.node, runs, [], (path) => {
    const key = JSON.stringify(walk(view, [...made, ...path]).position);
    if (!found.has(key)) found.set(key, path);
    return found.size > 1;
  });
  if (!found.size) return { kind: "error", text: _("%(play)s cannot be played with this roll", { play: text }) };
  if (found.size > 1) return { kind: "error", text: _("%(play)s can be played in two ways: name the point in between", { play: text }) };
  return { kind: "moves", moves: [...found.values()][0] };
}

/**
 * @param {View} view @param {number} node @param {Run[]} runs @param {Move[]} path @param {(path: Move[]) => boolean} found
 * @returns {boolean} whether to stop
 */
function search(view, node, runs, path, found) {
  if (!runs.length) return found(path);
  return edgesAt(view, node).some((edge) => runs.some((run, index) => {
    if (run.here !== edge[0] || !reaches(run, edge)) return false;
    const way = edge[1] === run.way[0] ? run.way.slice(1) : run.way;
    const rest = runs.filter((one, position) => position !== index);
    return search(view, edge[4], way.length ? [...rest, { here: edge[1], way }] : rest, [...path, moveOf(edge)], found);
  }));
}

/** Whether a move does not step over the next place that has to be touched. @param {Run} run @param {Edge} edge */
const reaches = (run, edge) => edge[1] >= run.way[0];
