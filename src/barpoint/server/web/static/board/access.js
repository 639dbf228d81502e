// What the board says to screen readers: names of places, and announcements of what the other side did.

/** @import {Spot, View, Side, Move} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
/** @import {Layout} from "./geometry.js" */
import { statusText } from "./actions.js";
import { keyOf } from "./key.js";
import { BAR, HAND, OFF, countAt } from "./state.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  "thirteen", "fourteen", "fifteen"];

/** @param {number} count */
const checkers = (count) => `${NUMBERS[count] ?? count} checker${count === 1 ? "" : "s"}`;

/** @param {View} view @param {Side} side */
const owner = (view, side) => (view.labels[side] === "You" ? "yours" : `${view.labels[side]}’s`);

/** A place in words. @param {number} place */
export const placeName = (place) => (place === OFF ? "off" : place === BAR ? "bar" : place === HAND ? "hand" : String(place));

/** "8/5". @param {Move[]} moves a run of moves of one checker */
export const runText = (moves) => `${placeName(moves[0][0])}/${placeName(moves[moves.length - 1][1])}`;

/** @param {TurnInProgress} turn @param {number} place */
function moveList(turn, place) {
  const parts = turn.destinations(place).filter(({ free }) => !free).map(({ to, choices }) => {
    const numbers = choices[0].map((move) => move[2]);
    return `${placeName(to)} with the ${numbers.length > 1 ? `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}` : numbers[0]}`;
  });
  return parts.length ? `; moves: ${parts.join(", ")}` : "";
}

/**
 * Names of all places that have one at the moment. Points are called by near's numbers.
 * @param {TurnInProgress} turn @param {Layout} layout
 * @param {{to: Set<Spot>, back: Map<Spot, string>, from: Spot | null}} lifted
 * @returns {Map<Spot, string>}
 */
export function spotNames(turn, layout, lifted) {
  const { view } = turn;
  const { position } = turn.now;
  /** @type {Map<Spot, string>} */
  const names = new Map();
  const liftable = turn.liftable();
  for (const spot of layout.boxes.keys()) {
    if (spot === "cube") continue;
    const parts = [];
    for (const side of /** @type {Side[]} */ (["near", "far"])) {
      const place = layout.place(side, spot);
      if (place === null) continue;
      const count = countAt(position[side], place);
      if (spot.startsWith("p")) {
        if (count) parts.push(`${checkers(count)}, ${owner(view, side)}${position[side].pinned.includes(place) ? ", pinned" : ""}`);
      } else {
        parts.push(`${checkers(count)}`);
      }
    }
    const own = layout.place(turn.side, spot);
    let name = spot.startsWith("p") ? `${spot.slice(1)} point, ${parts.join("; ") || "empty"}` : sideName(view, spot, parts[0]);
    if (lifted.from === spot) name += "; lifted";
    if (lifted.to.has(spot)) name += "; can be played here";
    else if (lifted.back.has(spot)) name += `; ${lifted.back.get(spot)}`;
    else if (own !== null && liftable.has(own)) name += moveList(turn, own) || "; can be taken back";
    names.set(spot, name);
  }
  return names;
}

/** @param {View} view @param {Spot} spot @param {string} count */
function sideName(view, spot, count) {
  const [kind, side] = spot.split("-");
  const of = view.labels[/** @type {Side} */ (side)] === "You" ? "your" : `${view.labels[/** @type {Side} */ (side)]}’s`;
  const words = { bar: "bar", off: "borne off", hand: "hand" }[kind];
  return kind === "off" ? `${of} tray, ${count} borne off` : `${of} ${words}, ${count}`;
}

/** @param {View["dice"]} dice */
export function diceText(dice) {
  if (!dice) return "";
  const [face] = dice.faces;
  return dice.kind === "1d12" ? `${article(face)} ${face} on the twelve-sided die` : dice.faces.join("-");
}

/** The article before a number up to twelve. @param {number} number */
const article = (number) => (number === 8 || number === 11 ? "an" : "a");

/** What a lifted checker can do. @param {TurnInProgress} turn @param {number} place */
export function liftText(turn, place) {
  const lights = turn.lights(place).map(({ moves }) => `; undo ${runText(moves)}`);
  return `${placeName(place)} lifted${moveList(turn, place)}${lights.join("")}.`;
}

/** What moves just tried did, and what is left to do. @param {TurnInProgress} turn @param {Move[]} moves @param {string} left */
export function triedText(turn, moves, left) {
  const hits = turn.now.effects.slice(-moves.length).filter((effect) => effect === 1).length;
  const hit = hits === 1 ? ", a hit" : hits ? `, ${hits} hits` : "";
  return `${runText(moves)}${hit}. ${left || "The play can be ended"}.`;
}

/** Whether a view shows a roll that the one before did not. @param {View | null} before @param {View} view */
export function isNewRoll(before, { dice, near, far }) {
  return dice !== null && (!before?.dice || JSON.stringify([before.dice.faces, before.dice.of, before.near, before.far]) !==
    JSON.stringify([dice.faces, dice.of, near, far]));
}

/**
 * What is worth saying about a new view: the other side's roll and play, one's own roll, the cube, the end.
 * @param {View | null} before @param {View} view @returns {string}
 */
export function announcement(before, view) {
  const said = [];
  const who = (/** @type {Side} */ side) => view.labels[side];
  const verb = (/** @type {Side} */ side, /** @type {string} */ stem) => (who(side) === "You" ? `You ${stem}` : `${who(side)} ${stem}s`);
  const { last } = view;
  const how = view.result && !before?.result ? view.result.how : "";
  if (last && keyOf(last) !== keyOf(before?.last ?? null)) {
    if (last.kind === "play" && last.by) {
      said.push(last.moves?.length ? `${verb(last.by, "play")} ${last.text || last.moves.map((move) => runText([move])).join(" ")}`
        : who(last.by) === "You" ? "You cannot play" : `${who(last.by)} cannot play`);
    } else if (last.kind !== "roll" && last.text && !how.includes(last.text)) said.push(last.text);
  }
  const { dice } = view;
  if (dice && isNewRoll(before, view)) said.push(`${verb(dice.of, "roll")} ${diceText(dice)}`);
  const offered = view.cube?.offered;
  if (offered && !before?.cube?.offered) said.push(`${verb(offered.by, "offer")} the cube at ${offered.value}`);
  if (view.result && !before?.result) {
    const { winner, points } = view.result;
    said.push(how || (winner ? `${verb(winner, "win")} ${points} point${points === 1 ? "" : "s"}` : "The game is drawn"));
  }
  return said.map((text) => `${text}.`).join(" ");
}

/** What tells one question to the viewer from another. @param {View} view */
const askedKey = ({ to_act, phase, allowed, dice }) => JSON.stringify([to_act, phase, allowed.map(({ kind }) => kind), dice?.faces]);

/**
 * Whose turn it is now, and what is asked, where that has changed; empty where the announcement has said it.
 * @param {View | null} before @param {TurnInProgress} turn @param {string} said @returns {string}
 */
export function askedText(before, turn, said) {
  const { view } = turn;
  if (view.result || (before && askedKey(before) === askedKey(view))) return "";
  const theirs = view.to_act && view.labels[view.to_act] !== "You" ? view.to_act : null;
  if (theirs && view.dice?.of === theirs && isNewRoll(before, view)) return ""; // whoever rolls is to play
  const asked = statusText(turn);
  return asked && !said.includes(asked) ? `${asked}.` : "";
}
