// Why a place cannot be used now, in one short line: read from the graph of the turn and from what is allowed.

/** @import {Spot} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
/** @import {Layout} from "./geometry.js" */
import { placeName } from "./access.js";
import { actionsFor } from "./actions.js";
import { continuations } from "./split.js";
import { BAR, HAND, OFF, countAt, edgesAt } from "./state.js";

const UNKNOWN = "No legal move from there";

/** What has to be done before checkers can be moved, by what is allowed; the first that fits. @type {[string, string][]} */
const FIRST = [["take", "Answer the double first"], ["accept", "Answer the resignation first"],
  ["keep", "Let the roll stand or reroll it first"], ["roll", "Roll first"], ["next", "The game is over"]];

/**
 * Why nothing is lifted from a place, or dropped on it.
 * @param {TurnInProgress} turn @param {Layout} layout @param {Spot} spot
 * @param {boolean} holding  whether a checker is in the hand
 * @returns {string} without a full stop; empty where there is nothing to say
 */
export function refusalText(turn, layout, spot, holding) {
  if (!turn.open) return closedText(turn);
  if (turn.waiting) return "The next part of this roll is on its way";
  const place = layout.place(turn.side, spot);
  const own = place === null ? 0 : countAt(turn.now.position[turn.side], place);
  if (holding && (!own || place === OFF)) return "That checker cannot go there";
  const edges = edgesAt(turn.view, turn.now.node);
  if (!edges.length) return `${turn.made.length ? "The play is complete" : "Nothing can be played"}${endText(turn)}`;
  if (place === null || !own) return "No checker of yours there";
  return place === OFF ? UNKNOWN : stuckText(turn, place);
}

/** Which button ends the turn. @param {TurnInProgress} turn */
function endText(turn) {
  const end = actionsFor(turn).find(({ kind, reason }) => (kind === "play" || kind === "correct") && !reason);
  return end ? `: press ${end.label}` : "";
}

/** @param {TurnInProgress} turn */
function closedText({ view }) {
  const may = new Set(view.allowed.map(({ kind }) => kind));
  if (view.roll?.of) return "Enter the roll first";
  for (const [kind, text] of FIRST) if (may.has(kind)) return text;
  if (view.result) return "The game is over";
  if (view.to_act && view.labels[view.to_act] !== "You") return view.labels.near === "You" ? "Not your turn" : `${view.labels[view.to_act]} is to act`;
  return view.labels.near === "You" ? "Nothing to move now" : "";
}

/** Why the mover's checker on a place cannot move. @param {TurnInProgress} turn @param {number} place */
function stuckText(turn, place) {
  const edges = edgesAt(turn.view, turn.now.node);
  for (const source of [BAR, HAND]) {
    if (place !== source && edges.every(([from]) => from === source)) return `Enter from the ${placeName(source)} first`;
  }
  if (edges.some(([from]) => from === place)) return turn.split ? `Not when ${turn.split.join(" and ")} are to be played` : UNKNOWN;
  const ways = continuations(turn.view, turn.now.node);
  const numbers = [...new Set(ways.flat())].sort((a, b) => b - a);
  return ways.length === 1 && numbers.length ? `That checker has no legal move with ${numbers.join(" or ")}` : UNKNOWN;
}
