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
  /** @type {Step[][]} */
  const beats = [];
  /** @param {Side} side @param {number} from @param {number} to @returns {Step | null} */
  const take = (side, from, to) => {
    const id = roster[side][from].pop();
    if (id === undefined) return null;
    roster[side][to].push(id);
    return { id, side, from, to };
  };
  for (const { side, move: [from, to] } of hints) {
    const step = take(side, from, to);
    if (!step) continue;
    beats.push([step]);
    if (to < 1 || to > 24) continue;
    const other = opponent(side);
    const there = meeting(meets, side, to);
    if (roster[other][there].length === 1 && roster[other][BAR].length < position[other].points[BAR]) {
      const hit = take(other, there, BAR);
      if (hit) beats.push([hit]);
    }
  }
  /** @type {Step[]} */
  const rest = [];
  for (const side of /** @type {Side[]} */ (["near", "far"])) {
    const short = [];
    for (let place = 0; place <= HAND; place += 1) {
      for (let missing = countAt(position[side], place) - roster[side][place].length; missing > 0; missing -= 1) {
        short.push(place);
      }
    }
    for (let place = 0; place <= HAND; place += 1) {
      while (roster[side][place].length > countAt(position[side], place) && short.length) {
        const step = take(side, place, /** @type {number} */ (short.shift()));
        if (step) rest.push(step);
      }
    }
  }
  if (rest.length) beats.push(rest);
  return beats;
}
