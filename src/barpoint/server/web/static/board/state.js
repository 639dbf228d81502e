// Reads the graph of a turn: the position after the moves tried, where a lifted checker may go and which moves may be
// taken back. No rule of any game is known here.

/** @import {Move, Edge, Position, Side, SidePosition, View, Destination, Light} from "./types.js" */
import { _ } from "./language.js";

export const OFF = 0;
export const BAR = 25;
export const HAND = 26;

/** @param {Side} side @returns {Side} */
export const opponent = (side) => (side === "near" ? "far" : "near");

/** The number that the other side gives to a point. @param {number[]} meets @param {Side} side @param {number} point */
export function meeting(meets, side, point) {
  return side === "far" ? meets[point] : meets.indexOf(point, 1);
}

/** @param {SidePosition} side @returns {SidePosition} */
const copy = (side) => ({ points: [...side.points], hand: side.hand, pinned: [...side.pinned] });

/** How many checkers a side has on a place, 0 to 26. @param {SidePosition} position @param {number} place */
export const countAt = (position, place) => (place === HAND ? position.hand : position.points[place]);

/**
 * The position after one move; effect as in an edge.
 * @param {Position} before @param {number[]} meets @param {Side} side @param {Move | Edge} move @param {number} effect
 * @returns {Position}
 */
export function moved(before, meets, side, move, effect) {
  const mover = copy(before[side]);
  const other = copy(before[opponent(side)]);
  const [from, to] = move;
  if (from === HAND) mover.hand -= 1;
  else mover.points[from] -= 1;
  mover.points[to] += 1;
  if (from >= 1 && from <= 24 && mover.points[from] === 0) {
    const freed = meeting(meets, side, from);
    other.pinned = other.pinned.filter((point) => point !== freed);
  }
  if (effect === 1) {
    other.points[meeting(meets, side, to)] -= 1;
    other.points[BAR] += 1;
  } else if (effect === 2) {
    other.pinned = [...other.pinned, meeting(meets, side, to)];
  }
  return side === "near" ? { near: mover, far: other } : { near: other, far: mover };
}

/** @param {Move | Edge} a @param {Move | Edge} b */
export const sameMove = (a, b) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

/** Moves of a hand that may follow moves made. @param {View} view @param {Move[]} made @returns {Edge[]} */
export function freeAfter(view, made) {
  const turn = view.turn;
  const current = turn?.free && turn.made.length === made.length && turn.made.every((move, index) => sameMove(move, made[index]));
  return current && turn.free ? turn.free : [];
}

/**
 * Follows moves from the start of the turn. `node` is -1 where the graph ends for now, and `legal` is false
 * where it does not know a move; position and effects then stand at the last move that it knew.
 * @param {View} view @param {Move[]} made
 * @returns {{legal: boolean, node: number, position: Position, effects: number[]}}
 */
export function walk(view, made) {
  let position = /** @type {Position} */ ({ near: view.near, far: view.far });
  let node = view.turn && view.to_act ? 0 : -1;
  /** @type {number[]} */
  const effects = [];
  for (const [index, move] of made.entries()) {
    const edge = [...edgesAt(view, node), ...freeAfter(view, made.slice(0, index))].find((candidate) => sameMove(candidate, move));
    if (!edge || !view.to_act) return { legal: false, node, position, effects };
    position = moved(position, view.meets, view.to_act, move, edge[3]);
    effects.push(edge[3]);
    node = edge[4];
  }
  return { legal: true, node, position, effects };
}

/** @param {View} view @param {number} node @returns {Edge[]} */
export const edgesAt = (view, node) => (view.turn && node >= 0 ? view.turn.nodes[node][1] : []);

/** @param {View} view @param {number} node */
export const mayCommit = (view, node) => Boolean(view.turn && node >= 0 && view.turn.nodes[node][0]);

/** Places from which something may be played. @param {View} view @param {number} node */
export const sources = (view, node) => new Set(edgesAt(view, node).map((edge) => edge[0]));

/** @param {Edge} edge @returns {Move} */
export const moveOf = (edge) => [edge[0], edge[1], edge[2]];

/**
 * Every way in which the checker on a place may travel on, as edges; longer ways follow shorter ones.
 * @param {View} view @param {number} node @param {number} place @param {(path: Edge[]) => boolean} offered
 * @returns {Edge[][]}
 */
function journeys(view, node, place, offered) {
  /** @type {Edge[][]} */
  const found = [];
  /** @type {Edge[][]} */
  let paths = [[]];
  while (paths.length) {
    /** @type {Edge[][]} */
    const longer = [];
    for (const path of paths) {
      const last = path.at(-1);
      const here = last ? last[1] : place;
      if (last && here === OFF) continue;
      for (const edge of edgesAt(view, last ? last[4] : node)) {
        if (edge[0] !== here) continue;
        const extended = [...path, edge];
        if (offered(extended)) longer.push(extended);
      }
    }
    found.push(...longer);
    paths = longer;
  }
  return found;
}

/** Sorts first what plays the earlier numbers of `order`, and a checker borne off with its own number first of all. */
function byPreference(/** @type {number[]} */ order) {
  const rank = (/** @type {Edge} */ edge) => {
    const place = order.indexOf(edge[2]);
    return (edge[1] === OFF && edge[0] === edge[2] ? -100 : 0) + (place < 0 ? order.length : place);
  };
  return (/** @type {Edge[]} */ a, /** @type {Edge[]} */ b) => {
    for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
      const difference = rank(a[index]) - rank(b[index]);
      if (difference) return difference;
    }
    return a.length - b.length;
  };
}

/**
 * Where the checker on a place may be dropped, with one number or with several. Of the ways to one place the
 * shortest count; where those differ in the position they lead to (in what is hit), each is a choice.
 * @param {View} view @param {Move[]} made @param {number} place
 * @param {number[]} order  numbers in the order the player wants them played
 * @param {(numbers: number[]) => boolean} offered  whether numbers may follow those played, as the chosen split has it
 * @returns {Destination[]}
 */
export function destinations(view, made, place, order, offered = () => true) {
  const start = walk(view, made);
  const side = view.to_act;
  if (!start.legal || !side) return [];
  /** @type {Map<number, Edge[][]>} */
  const ways = new Map();
  for (const path of journeys(view, start.node, place, (edges) => offered(edges.map((edge) => edge[2])))) {
    const to = path[path.length - 1][1];
    const known = ways.get(to) ?? [];
    if (known.length && known[0].length < path.length) continue;
    ways.set(to, [...known, path]);
  }
  return [...ways].map(([to, paths]) => {
    /** @type {Map<string, Edge[]>} */
    const results = new Map();
    for (const path of paths.sort(byPreference(order))) {
      const key = JSON.stringify(walk(view, [...made, ...path.map(moveOf)]).position);
      if (!results.has(key)) results.set(key, path);
    }
    return { to, choices: [...results.values()].map((path) => path.map(moveOf)) };
  });
}

/**
 * The move that a double-tap plays: the first number of `order` that the checker can play.
 * @param {View} view @param {Move[]} made @param {number} place @param {number[]} order
 * @param {(numbers: number[]) => boolean} offered @returns {Move | null}
 */
export function quickMove(view, made, place, order, offered = () => true) {
  const edges = edgesAt(view, walk(view, made).node).filter((edge) => edge[0] === place && offered([edge[2]]));
  for (const number of order) {
    const edge = edges.find((candidate) => candidate[2] === number);
    if (edge) return moveOf(edge);
  }
  return edges.length ? moveOf(edges[0]) : null;
}

/**
 * The lights of a lifted checker: places where dropping it takes back the move, or the run of moves, that
 * brought a checker here. A light burns only where the moves that remain, in order, can still be played.
 * @param {View} view @param {Move[]} made @param {number} place
 * @returns {Light[]}
 */
export function lights(view, made, place) {
  /** @type {Map<number, Light>} */
  const found = new Map();
  /** @param {number} here @param {number} before @param {number[]} taken @returns {number[][]} runs that end here, shorter ones first */
  const runs = (here, before, taken) => {
    const last = made.flatMap((move, index) => (index < before && move[1] === here ? [[index, ...taken]] : [])).reverse();
    return [...last, ...last.flatMap((run) => runs(made[run[0]][0], run[0], run))];
  };
  for (const run of view.turn ? runs(place, made.length, []) : []) {
    const source = made[run[0]][0];
    const rest = made.filter((_, index) => !run.includes(index));
    if (!found.has(source) && walk(view, rest).legal) found.set(source, { source, rest, moves: run.map((index) => made[index]) });
  }
  return [...found.values()];
}

/** The last move that can be taken back, and those that then remain; null when none can be. @param {View} view @param {Move[]} made */
export function lastToUndo(view, made) {
  for (let index = made.length - 1; index >= 0; index -= 1) {
    const rest = made.filter((_, position) => position !== index);
    if (walk(view, rest).legal) return { move: made[index], rest };
  }
  return null;
}

/**
 * Every legal sequence that ends a turn, up to `limit` of them; used only to see that there is no choice.
 * @param {View} view @param {number} node @param {number} limit @returns {Move[][]}
 */
export function endings(view, node, limit) {
  /** @type {Move[][]} */
  const found = [];
  /** @param {number} here @param {Move[]} path */
  const follow = (here, path) => {
    if (found.length >= limit || here < 0) return;
    const edges = edgesAt(view, here);
    if (mayCommit(view, here)) found.push(path);
    for (const edge of edges) follow(edge[4], [...path, moveOf(edge)]);
  };
  follow(node, []);
  return found;
}

/** Whether a side is the viewer, whom the server calls "You". @param {View} view @param {Side} side */
export const isYou = ({ labels }, side) => labels[side] === _("You");

/**
 * A sentence about a side: the one for the viewer themselves, or the one with %(player)s for anybody else.
 * @param {View} view @param {Side} side @param {string} you @param {string} they @param {Record<string, string | number | bigint>} [values]
 */
export const told = (view, side, you, they, values = {}) => isYou(view, side) ? _(you, values) : _(they, { player: view.labels[side], ...values });
