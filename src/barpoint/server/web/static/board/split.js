// The numbers of a roll: which are played, which are left, and how a roll with several splits may still be used.

/** @import {Move, View, Dice} from "./types.js" */
import { edgesAt, mayCommit } from "./state.js";

/**
 * How many of the made moves belong to an earlier stage of the roll. A stage whose alternatives are not what the
 * dice show comes after one that was (2-1 in Acey-Deucey, then a double of one's choice).
 * @param {Dice} dice
 */
export function stageStart(dice) {
  if (dice.kind === "1d12") return 0;
  const shown = [...dice.faces].sort().join();
  const doubled = [...dice.faces, ...dice.faces].sort().join();
  const own = dice.alternatives.some((numbers) => [shown, doubled].includes([...numbers].sort().join()));
  return own ? 0 : dice.faces.length;
}

/** @param {Dice} dice @param {Move[]} made @returns {number[]} */
export const stageNumbers = (dice, made) => made.slice(stageStart(dice)).map((move) => move[2]);

/** What is left of `numbers` without those `played`; null when they do not fit. @param {number[]} numbers @param {number[]} played */
export function remaining(numbers, played) {
  const left = [...numbers];
  for (const number of played) {
    const index = left.indexOf(number);
    if (index < 0) return null;
    left.splice(index, 1);
  }
  return left;
}

/**
 * The collections of numbers with which the turn may go on from a node to its end, each sorted.
 * @param {View} view @param {number} node @returns {number[][]}
 */
export function continuations(view, node) {
  /** @type {Map<number, Set<string>>} */
  const known = new Map();
  /** @param {number} here @returns {Set<string>} */
  const follow = (here) => {
    if (here < 0) return new Set([""]);
    const seen = known.get(here);
    if (seen) return seen;
    /** @type {Set<string>} */
    const found = new Set(mayCommit(view, here) ? [""] : []);
    known.set(here, found);
    for (const [, , number, , next] of edgesAt(view, here)) {
      for (const rest of follow(next)) found.add([...(rest ? rest.split(",") : []), String(number)].sort().join());
    }
    return found;
  };
  return [...follow(node)].map((text) => (text ? text.split(",").map(Number) : []));
}

/**
 * For each alternative whether a legal turn can still use it after the moves made.
 * @param {View} view @param {Move[]} made @param {number} node @returns {boolean[]}
 */
export function openSplits(view, made, node) {
  if (!view.dice) return [];
  const played = stageNumbers(view.dice, made);
  const ends = continuations(view, node);
  return view.dice.alternatives.map((numbers) =>
    ends.some((rest) => remaining(numbers, [...played, ...rest]) !== null));
}

/**
 * Whether numbers may come next under the chosen split; without a choice everything may.
 * @param {View} view @param {Move[]} made @param {number[] | null} split
 * @returns {(numbers: number[]) => boolean}
 */
export function offeredBy(view, made, split) {
  const dice = view.dice;
  if (!dice || !split) return () => true;
  const played = stageNumbers(dice, made);
  return (numbers) => remaining(split, [...played, ...numbers]) !== null;
}

/** The same numbers, begun with the one at that index. @param {number[]} numbers @param {number} first */
export const turnedTo = (numbers, first) => [...numbers.slice(first % numbers.length), ...numbers.slice(0, first % numbers.length)];

/**
 * The numbers on show with their use: for dice, one entry per move that they give.
 * @param {Dice} dice @param {Move[]} made @param {number} first which of the different numbers comes first
 * @returns {{number: number, used: boolean}[]}
 */
export function shownNumbers(dice, made, first) {
  const start = stageStart(dice);
  const numbers = start || dice.kind === "1d12" || dice.alternatives.length !== 1 ? dice.faces : dice.alternatives[0];
  const ordered = turnedTo([...new Set(numbers)], first).flatMap((number) => numbers.filter((other) => other === number));
  const played = start ? made.slice(0, start).map((move) => move[2]) : made.map((move) => move[2]);
  return ordered.map((number) => {
    const index = played.indexOf(number);
    if (index >= 0) played.splice(index, 1);
    return { number, used: index >= 0 };
  });
}

/** "6+3"; a double of four is written as dice are, "3-3". @param {number[]} numbers */
export const splitText = (numbers) =>
  numbers.length === 4 && new Set(numbers).size === 1 ? `${numbers[0]}-${numbers[0]}` : numbers.join("+");
