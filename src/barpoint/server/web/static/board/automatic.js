// What the board plays for the player, each kind by a setting of its own; never while a roll could still be rerolled, and
// never rolls while a double is legal unless that was asked for.

/** @import {Options, Move} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
import { BAR, HAND, OFF, countAt, edgesAt, endings, meeting, opponent, walk } from "./state.js";

/**
 * @param {TurnInProgress} turn @param {Options} options
 * @returns {{kind: "roll"} | {kind: "play", moves: Move[]} | null}
 */
export function automaticEvent(turn, options) {
  const { view } = turn;
  const may = new Set(view.allowed.map((allowed) => allowed.kind));
  if (may.has("rollover") || may.has("keep")) return null;
  if (may.has("roll")) {
    const asked = options.roll === "always" || (options.roll === "no_double" && !may.has("double"));
    return asked ? { kind: "roll" } : null;
  }
  if (!turn.open || turn.made.length) return null;
  const edges = edgesAt(view, 0);
  if (!edges.length) return options.pass && turn.mayCommit ? { kind: "play", moves: [] } : null;
  if (options.forced) {
    const ways = endings(view, 0, 40);
    const results = new Set(ways.map((moves) => JSON.stringify(walk(view, moves).position)));
    if (ways.length && ways.length < 40 && results.size === 1) return { kind: "play", moves: ways[0] };
  }
  return options.bearoff && onlyBearingOff(turn) ? bestBearoff(turn) : null;
}

/** Whether all of the mover's checkers are at home and nothing of the other side is behind or among them. @param {TurnInProgress} turn */
function onlyBearingOff(turn) {
  const { view, side } = turn;
  const own = view[side];
  const rival = view[opponent(side)];
  if (countAt(own, HAND) || countAt(rival, HAND) || rival.points[BAR]) return false;
  for (let point = 1; point <= BAR; point += 1) {
    if (point > 6 && own.points[point]) return false;
    if (point <= 6 && rival.points[meeting(view.meets, side, point)]) return false;
  }
  return true;
}

/** The play that bears off most; null when two plays that differ bear off as many. @param {TurnInProgress} turn @returns {{kind: "play", moves: Move[]} | null} */
function bestBearoff({ view, side }) {
  const ways = endings(view, 0, 400);
  if (ways.length >= 400) return null;
  const off = (/** @type {Move[]} */ moves) => moves.filter((move) => move[1] === OFF).length;
  const most = Math.max(...ways.map(off));
  const best = ways.filter((moves) => off(moves) === most);
  const results = new Set(best.map((moves) => JSON.stringify(walk(view, moves).position[side])));
  return most > 0 && results.size === 1 ? { kind: "play", moves: best[0] } : null;
}
