// The winning chances over the match as a curve, with marked decisions on it.

import { _ } from "../board/language.js";
import { svg } from "../board/svg.js";

/** @import {Report} from "./analysis.js" */

const WIDTH = 600;
const HEIGHT = 150;
const RADIUS = { doubtful: 3.5, error: 4.5, blunder: 6 };

export class Graph {
  /** @param {HTMLElement} place @param {(seq: number) => void} choose */
  constructor(place, choose) {
    this.place = place;
    this.last = 1;
    this.cursor = svg("line", { class: "graph-at", y1: 0, y2: HEIGHT });
    this.picture = svg("svg", { viewBox: `0 -6 ${WIDTH} ${HEIGHT + 12}`, preserveAspectRatio: "none", role: "img" });
    place.replaceChildren(this.picture);
    this.picture.addEventListener("click", (event) => {
      const box = this.picture.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      choose(Math.round(share * this.last));
    });
  }

  /** @param {Report} report @param {number} near  the seat whose chances are shown @param {number} last  number of the last event @param {number[]} games  first events */
  draw(report, near, last, games) {
    this.last = Math.max(1, last);
    const points = [{ event: 0, win: 0.5 }, ...report.curve].map(({ event, win }) => ({ event, win: near ? 1 - win : win }));
    const at = (/** @type {{event: number, win: number}} */ { event, win }) => `${this.x(event)} ${((1 - win) * HEIGHT).toFixed(1)}`;
    const line = points.map((point, index) => `${index ? "L" : "M"} ${at(point)}`).join(" ");
    const area = `${line} L ${this.x(points.at(-1)?.event ?? 0)} ${HEIGHT} L 0 ${HEIGHT} Z`;
    const marks = report.decisions.filter(({ mark }) => mark).map(({ event, player, mark }) => {
      const point = points.findLast((one) => one.event <= event) ?? points[0];
      const radius = RADIUS[/** @type {keyof typeof RADIUS} */ (mark)];
      return svg("ellipse", { class: `graph-${mark} graph-${player === near ? "near" : "far"}`, cx: this.x(event), cy: (1 - point.win) * HEIGHT, rx: radius, ry: radius });
    });
    this.picture.setAttribute("aria-label", _("Chances of the side below over %(events)s events; at the end %(share)s percent", { events: last, share: Math.round(100 * (points.at(-1)?.win ?? 0.5)) }));
    this.picture.replaceChildren(
      svg("path", { class: "graph-area", d: area }),
      ...games.slice(1).map((event) => svg("line", { class: "graph-game", x1: this.x(event), x2: this.x(event), y1: 0, y2: HEIGHT })),
      svg("line", { class: "graph-half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("path", { class: "graph-line", d: line }),
      ...marks,
      this.cursor,
    );
  }

  /** @param {number} event */
  x(event) {
    return Number(((event / this.last) * WIDTH).toFixed(1));
  }

  /** @param {number} seq */
  show(seq) {
    this.cursor.setAttribute("x1", String(this.x(seq)));
    this.cursor.setAttribute("x2", String(this.x(seq)));
  }
}
