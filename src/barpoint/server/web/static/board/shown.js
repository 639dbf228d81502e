// What the board tells of what it shows, for those who let it be heard or felt: rolls, checkers that land, cube, the end.

/** @import {Shown, View} from "./types.js" */
/** @import {Step} from "./checker.js" */
import { isNewRoll } from "./access.js";
import { isHit } from "./animation.js";
import { keyOf } from "./key.js";
import { OFF, isYou } from "./state.js";

const CUBE = new Set(["double", "take", "beaver", "raccoon"]);

/** What a new view shows before its checkers move. @param {View} before @param {View} view @returns {Shown[]} */
export function shownFirst(before, view) {
  /** @type {Shown[]} */
  const found = [];
  const { last, dice } = view;
  const news = last !== null && keyOf(last) !== keyOf(before.last);
  if (news && CUBE.has(last.kind)) found.push({ kind: "cube", by: last.by });
  if (dice && isNewRoll(before, view)) found.push({ kind: "roll", by: dice.of });
  return found;
}

/** What a beat of checkers shows as it lands; null for a hit checker, which goes with the one that hit it.
 * @param {Step[][]} beats @param {number} index @returns {Shown | null} */
export function shownLanding(beats, index) {
  if (isHit(beats, index)) return null;
  const [{ side, to }] = beats[index];
  if (index + 1 < beats.length && isHit(beats, index + 1)) return { kind: "hit", by: side };
  return { kind: to === OFF ? "off" : "move", by: side };
}

/** What a new view shows last: a game that is over. @param {View} before @param {View} view @returns {Shown[]} */
export function shownLast(before, view) {
  const winner = view.result && !before.result ? view.result.winner : null;
  if (!winner) return [];
  return [{ kind: winner === "far" && isYou(view, "near") ? "lost" : "won", by: winner }];
}
