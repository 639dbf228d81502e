// Arrows over the board: moves that the page points out, from checker to landing place.

/** @import {Move, Side} from "./types.js" */
/** @import {Layout} from "./geometry.js" */
/** @import {Roster} from "./checker.js" */
import { svg } from "./svg.js";

/** @typedef {{side: Side, moves: Move[], kind: string}} Arrow  kind: "best" or "made", for their looks */

const HEAD = 30;
const SHORT = 12;

/** What to draw for arrows, on the checkers as they stand. @param {Arrow[]} arrows @param {Layout} layout @param {Roster} roster */
export function drawArrows(arrows, layout, roster) {
  return arrows.flatMap(({ side, moves, kind }, set) => {
    /** @type {Map<number, number>} */
    const gone = new Map();
    /** @type {Map<number, number>} */
    const come = new Map();
    return moves.map(([from, to]) => {
      const height = (/** @type {number} */ place) => roster[side][place].length - (gone.get(place) ?? 0) + (come.get(place) ?? 0);
      const start = layout.seat(layout.spot(side, from), Math.max(0, height(from) - 1), Math.max(1, roster[side][from].length));
      gone.set(from, (gone.get(from) ?? 0) + 1);
      const count = height(to);
      const end = layout.seat(layout.spot(side, to), Math.min(count, 14), count + 1);
      come.set(to, (come.get(to) ?? 0) + 1);
      return arrow({ x: start.x + 7 * set, y: start.y }, { x: end.x + 7 * set, y: end.y }, kind);
    });
  });
}

/** @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {string} kind */
function arrow(from, to, kind) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(from.x + dx * along - dy * aside).toFixed(1)} ${(from.y + dy * along + dx * aside).toFixed(1)}`;
  const neck = Math.max(SHORT, length - HEAD);
  return svg("g", { class: `bg-arrow bg-arrow-${kind}` }, [
    svg("path", { class: "bg-arrow-line", d: `M ${at(SHORT, 0)} L ${at(neck, 0)}` }),
    svg("path", { class: "bg-arrow-head", d: `M ${at(neck, HEAD / 2)} L ${at(length, 0)} L ${at(neck, -HEAD / 2)} Z` }),
  ]);
}
