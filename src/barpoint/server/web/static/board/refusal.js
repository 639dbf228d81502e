// Why a place cannot be used now, in one short line: read from the graph of the turn and from what is allowed.

/** @import {Spot} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
/** @import {Layout} from "./geometry.js" */
import { actionsFor } from "./actions.js";
import { _, alternatives, listed } from "./language.js";
import { continuations } from "./split.js";
import { BAR, HAND, OFF, countAt, edgesAt, isYou } from "./state.js";

const UNKNOWN = _("No legal move from there");

/** What has to be done before checkers can be moved, by what is allowed; the first that fits. @type {[string, string][]} */
const FIRST = [["take", _("Answer the double first")], ["accept", _("Answer the resignation first")],
  ["keep", _("Let the roll stand or reroll it first")], ["roll", _("Roll first")], ["next", _("The game is over")]];

/**
 * Why nothing is lifted from a place, or dropped on it.
 * @param {TurnInProgress} turn @param {Layout} layout @param {Spot} spot
 * @param {boolean} holding  whether a checker is in the hand
 * @returns {string} without a full stop; empty where there is nothing to say
 */
export function refusalText(turn, layout, spot, holding) {
  if (!turn.open) return closedText(turn);
  if (turn.waiting) return _("The next part of this roll is on its way");
  const place = layout.place(turn.side, spot);
  const own = place === null ? 0 : countAt(turn.now.position[turn.side], place);
  if (holding && (!own || place === OFF)) return _("That checker cannot go there");
  const edges = edgesAt(turn.view, turn.now.node);
  if (!edges.length) return `${turn.made.length ? _("The play is complete") : _("Nothing can be played")}${endText(turn)}`;
  if (place === null || !own) return _("No checker of yours there");
  return place === OFF ? UNKNOWN : stuckText(turn, place);
}

/** Which button ends the turn. @param {TurnInProgress} turn */
function endText(turn) {
  const end = actionsFor(turn).find(({ kind, reason }) => (kind === "play" || kind === "correct") && !reason);
  return end ? `: ${_("press %(button)s", { button: end.label })}` : "";
}

/** @param {TurnInProgress} turn */
function closedText({ view }) {
  const may = new Set(view.allowed.map(({ kind }) => kind));
  if (view.roll?.of) return _("Enter the roll first");
  for (const [kind, text] of FIRST) if (may.has(kind)) return text;
  if (view.result) return _("The game is over");
  if (view.to_act && !isYou(view, view.to_act)) return isYou(view, "near") ? _("Not your turn") : _("%(player)s is to act", { player: view.labels[view.to_act] });
  return isYou(view, "near") ? _("Nothing to move now") : "";
}

/** Why the mover's checker on a place cannot move. @param {TurnInProgress} turn @param {number} place */
function stuckText(turn, place) {
  const edges = edgesAt(turn.view, turn.now.node);
  for (const source of [BAR, HAND]) {
    if (place !== source && edges.every(([from]) => from === source)) return source === BAR ? _("Enter from the bar first") : _("Enter from the hand first");
  }
  if (edges.some(([from]) => from === place)) return turn.split ? _("Not when %(numbers)s are to be played", { numbers: listed(turn.split.map(String)) }) : UNKNOWN;
  const ways = continuations(turn.view, turn.now.node);
  const numbers = [...new Set(ways.flat())].sort((a, b) => b - a);
  return ways.length === 1 && numbers.length ? _("That checker has no legal move with %(numbers)s", { numbers: alternatives(numbers.map(String)) }) : UNKNOWN;
}
