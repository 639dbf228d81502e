// The light on the board: gradients over flat colours, made once for each board. The light comes from above, so upper edges
// catch it and lower edges cast a short shadow. Colours are those of palette.css; here stands only how much of them.

import { svg } from "./svg.js";

/** @typedef {[at: number, colour: "shine" | "umbra", strength: number]} Stop */

/** From the upper edge to the lower one. @type {Record<string, Stop[]>} */
const DOWN = {
  "rim-light": [[0, "shine", 1], [1, "umbra", 0.3]],
  "rim-dark": [[0, "shine", 0.5], [0.5, "shine", 0.06], [1, "shine", 0.13]],
  "dish-light": [[0, "umbra", 0.13], [1, "shine", 0.7]],
  "dish-dark": [[0, "umbra", 0.6], [1, "shine", 0.14]],
  "face-light": [[0, "shine", 0.7], [0.5, "shine", 0], [1, "umbra", 0.13]],
  "face-dark": [[0, "shine", 0.2], [0.55, "shine", 0.03], [1, "umbra", 0.3]],
  pit: [[0, "umbra", 0.6], [0.5, "umbra", 0.1], [1, "shine", 0.75]],
  frame: [[0, "shine", 0.11], [0.05, "shine", 0.05], [0.5, "shine", 0], [1, "umbra", 0.22]],
  bevel: [[0, "shine", 0.3], [0.06, "shine", 0.1], [0.95, "umbra", 0.15], [1, "umbra", 0.4]],
  lip: [[0, "umbra", 0.6], [0.5, "umbra", 0.35], [0.97, "shine", 0.1], [1, "shine", 0.3]],
  above: [[0, "umbra", 0.44], [0.35, "umbra", 0.17], [1, "umbra", 0]],
  slab: [[0, "shine", 0.45], [0.3, "shine", 0.08], [0.6, "umbra", 0.04], [1, "umbra", 0.3]],
};

/** From the left edge to the right one. @type {Record<string, Stop[]>} */
const ACROSS = {
  left: [[0, "umbra", 0.3], [0.4, "umbra", 0.1], [1, "umbra", 0]],
  right: [[0, "umbra", 0], [0.6, "umbra", 0.06], [1, "umbra", 0.2]],
  "slab-across": [[0, "shine", 0.4], [0.35, "shine", 0.06], [0.6, "umbra", 0.05], [1, "umbra", 0.32]],
};

/** From a middle outwards: where it is, how far it reaches. @type {Record<string, {at: Record<string, number>, stops: Stop[]}>} */
const ROUND = {
  cast: { at: { cx: 0.5, cy: 0.5, r: 0.5 }, stops: [[0.7, "umbra", 0.5], [0.84, "umbra", 0.34], [0.93, "umbra", 0.1], [1, "umbra", 0]] },
  soft: { at: { cx: 0.5, cy: 0.5, r: 0.5 }, stops: [[0.4, "umbra", 0.46], [0.66, "umbra", 0.36], [0.86, "umbra", 0.12], [1, "umbra", 0]] },
  "sheen-light": { at: { cx: 0.5, cy: 0.44, r: 0.57 }, stops: [[0.7, "umbra", 0], [0.88, "umbra", 0.07], [1, "umbra", 0.23]] },
  "sheen-dark": { at: { cx: 0.5, cy: 0.3, r: 0.7 }, stops: [[0, "shine", 0.15], [0.6, "shine", 0.05], [0.85, "umbra", 0.06], [1, "umbra", 0.45]] },
  felt: { at: { cx: 0.5, cy: 0.46, r: 0.75 }, stops: [[0, "shine", 0.07], [0.55, "shine", 0], [1, "umbra", 0.1]] },
};

let boards = 0;

/** The gradients of one board; its names differ from those of other boards on the page. */
export class Paint {
  constructor() {
    boards += 1;
    this.prefix = `bg-paint-${boards}`;
    this.element = this.define();
  }

  /** What a fill or stroke is set to. @param {string} name */
  of(name) {
    return `url(#${this.prefix}-${name})`;
  }

  define() {
    const drawn = [];
    for (const [name, stops] of Object.entries(DOWN)) {
      drawn.push(svg("linearGradient", { id: `${this.prefix}-${name}`, x1: 0, y1: 0, x2: 0, y2: 1 }, drawStops(stops)));
    }
    for (const [name, stops] of Object.entries(ACROSS)) {
      drawn.push(svg("linearGradient", { id: `${this.prefix}-${name}` }, drawStops(stops)));
    }
    for (const [name, { at, stops }] of Object.entries(ROUND)) {
      drawn.push(svg("radialGradient", { id: `${this.prefix}-${name}`, ...at }, drawStops(stops)));
    }
    return svg("defs", {}, drawn);
  }
}

/** Light fades out before shadow begins, or they would mix to grey. @param {Stop[]} stops */
const drawStops = (stops) => stops.flatMap((stop, index) => {
  const [at, colour] = stop;
  const [before, other] = stops[index - 1] ?? stop;
  const middle = (before + at) / 2;
  return other === colour ? [drawStop(stop)] : [drawStop([middle, other, 0]), drawStop([middle, colour, 0]), drawStop(stop)];
});

/** @param {Stop} stop */
const drawStop = ([offset, colour, strength]) => svg("stop", { class: `bg-${colour}`, offset, "stop-opacity": strength });
