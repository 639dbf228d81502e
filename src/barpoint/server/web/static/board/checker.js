// Every checker keeps its identity, so that what moves on the screen is the checker that moved.

/** @import {Position, Side, Move} from "./types.js" */
import { BAR, HAND, countAt, meeting, opponent } from "./state.js";

/**
 * @typedef {string[][]} Stacks  27 lists of identities by place, bottom first
 * @typedef {{near: Stacks, far: Stacks}} Roster
 * @typedef {{id: string, side: Side, from: number, to: number}} Step
 */

/** @returns {Stacks} */
const emptyStacks = () => Array.from({ length: 27 }, () => []);

/** @param {Position} position @returns {Roster} */
export function layOut(position) {
  const roster = { near: emptyStacks(), far: emptyStacks() };
  for (const side of /** @type {Side[]} */ (["near", "far"])) {
    let next = 0;
    for (let place = 0; place <= HAND; place += 1) {
      for (let count = countAt(position[side], place); count > 0; count -= 1) {
        roster[side][place].push(`${side}-${next}`);
        next += 1;
      }
    }
  }
  return roster;
}

/** Whether both rosters can hold the same checkers. @param {Roster} roster @param {Position} position */
export function fits(roster, position) {
  return /** @type {Side[]} */ (["near", "far"]).every((side) => {
    let total = position[side].hand;
    for (const count of position[side].points) total += count;
    return roster[side].flat().length === total;
  });
}

/**
 * Moves the checkers of a roster, in place, until they stand as the position says, and returns what has to be seen:
 * beats that follow one another, each of steps made at once. The hints are moves known to have been made, in order.
 * @param {Roster} roster @param {Position} position @param {number[]} meets
 * @param {{side: Side, move: Move}[]} hints
 * @returns {Step[][]}
 */
export function settle(roster, position, meets, hints) {
  const beats = hints.flatMap(({ side, move: [from, to] }) => {
    const step = take(roster, side, from, to);
    if (!step) return [];
    const hit = hitBy(roster, position, meets, side, to);
    return hit ? [[step], [hit]] : [[step]];
  });
  const rest = /** @type {Side[]} */ (["near", "far"]).flatMap((side) => fill(roster, position, side));
  return rest.length ? [...beats, rest] : beats;
}

/** Moves the top checker of a place. @param {Roster} roster @param {Side} side @param {number} from @param {number} to @returns {Step | null} */
function take(roster, side, from, to) {
  const id = roster[side][from].pop();
  if (id === undefined) return null;
  roster[side][to].push(id);
  return { id, side, from, to };
}

/** Moves the other side's blot to the bar where a checker has landed on it and the position has it there.
 * @param {Roster} roster @param {Position} position @param {number[]} meets @param {Side} side @param {number} to */
function hitBy(roster, position, meets, side, to) {
  if (to < 1 || to > 24) return null;
  const other = opponent(side);
  const there = meeting(meets, side, to);
  const hit = roster[other][there].length === 1 && roster[other][BAR].length < position[other].points[BAR];
  return hit ? take(roster, other, there, BAR) : null;
}

/** Moves checkers of a side from places that have too many to places that have too few.
 * @param {Roster} roster @param {Position} position @param {Side} side */
function fill(roster, position, side) {
  const places = Array.from({ length: HAND + 1 }, (_, place) => place);
  const short = places.flatMap((place) =>
    Array.from({ length: Math.max(0, countAt(position[side], place) - roster[side][place].length) }, () => place));
  /** @type {Step[]} */
  const steps = [];
  for (const place of places) {
    while (roster[side][place].length > countAt(position[side], place) && short.length) {
      const step = take(roster, side, place, short.shift() ?? place);
      if (step) steps.push(step);
    }
  }
  return steps;
}

/**
 * Where the checkers of a play stand before it is shown.
 * @param {import("./geometry.js").Layout} layout @param {Roster} roster @param {{side: Side, move: Move}[]} hints
 */
export function tracesOf(layout, roster, hints) {
  const taken = new Map();
  return hints.filter(({ move }) => move[0] >= 1 && move[0] <= 24).flatMap(({ side, move: [from] }) => {
    const before = taken.get(from) ?? 0;
    taken.set(from, before + 1);
    const stack = roster[side][from].length;
    return before < stack ? [{ ...layout.seat(layout.spot(side, from), stack - 1 - before, stack), side }] : [];
  });
}
