// Where everything on the board lies, in numbers only: one checker is 100 units across, a point is as wide as a checker and
// five tall, the two rows leave a gap of one checker and a half, the bar is one wide.

/** @import {Side, Spot, Box, Place, Place2d} from "./types.js" */
import { BAR, HAND, OFF, meeting } from "./state.js";

export const CHECKER = 100;
export const POINT = 5 * CHECKER;
export const GAP = 1.5 * CHECKER;
/** The width of half a board, between bar and trays. */
export const HALF = 6 * CHECKER;
const SLAB = POINT / 15;
const FRAME = { wide: 26, compact: 8 };
const BAND = { wide: 44, compact: 58 };
const STRIP = 136;
/** What a compact tray leaves of its strip above and below. */
export const STRIP_EDGE = 12;
const TRAY = 112;
/** The part of a compact tray that holds its name and its count. */
const LABEL = 118;

/**
 * @typedef {object} Settings
 * @property {boolean} compact  trays in strips above and below, for narrow screens
 * @property {boolean} mirror  near's home on the left
 * @property {boolean} flip  near at the top
 * @property {boolean} pool  room for hands
 * @property {number[]} meets
 */

export class Layout {
  /** @param {Settings} settings */
  constructor(settings) {
    const { compact, meets, pool } = settings;
    this.settings = settings;
    this.frame = compact ? FRAME.compact : FRAME.wide;
    this.band = compact ? BAND.compact : BAND.wide;
    const top = compact ? STRIP : 0;
    const homes = { near: this.onRight("p1"), far: this.onRight(`p${meets[1]}`) };
    const column = TRAY + this.frame;
    const left = !compact && (pool || !homes.near || !homes.far) ? column : 0;
    const right = !compact && (pool || homes.near || homes.far) ? column : 0;
    this.fieldTop = top + this.band;
    this.centre = this.fieldTop + POINT + GAP / 2;
    this.fieldBottom = this.fieldTop + 2 * POINT + GAP;
    this.height = this.fieldBottom + this.band + top;
    this.leftHalf = this.frame + left;
    this.barLeft = this.leftHalf + HALF;
    this.rightHalf = this.barLeft + CHECKER;
    this.width = this.rightHalf + HALF + right + this.frame;
    /** The wooden part in the middle; in a compact layout the strips lie outside of it. @type {Box} */
    this.body = { x: 0, y: top, width: this.width, height: this.height - 2 * top };
    /** @type {Map<Spot, Box>} */
    this.boxes = new Map();
    for (let point = 1; point <= 24; point += 1) this.boxes.set(`p${point}`, this.pointBox(point));
    for (const side of /** @type {Side[]} */ (["near", "far"])) this.addSide(side, homes[side]);
    this.boxes.set("cube", { x: this.barLeft, y: this.centre - CHECKER / 2, width: CHECKER, height: CHECKER });
  }

  /** @param {Side} side @param {boolean} homeOnRight */
  addSide(side, homeOnRight) {
    const { compact, pool } = this.settings;
    const atTop = this.atTop(side);
    const trayOnRight = homeOnRight;
    this.boxes.set(`bar-${side}`, {
      x: this.barLeft,
      y: this.barUp(side) ? this.fieldTop : this.centre + CHECKER / 2,
      width: CHECKER,
      height: POINT + GAP / 2 - CHECKER / 2,
    });
    if (compact) {
      const y = atTop ? STRIP_EDGE : this.height - STRIP + STRIP_EDGE;
      const width = pool ? 300 : 376;
      const hand = pool ? 300 : 0;
      const outer = (/** @type {number} */ size, /** @type {number} */ inset) =>
        trayOnRight ? this.width - this.frame - inset - size : this.frame + inset;
      this.boxes.set(`off-${side}`, { x: outer(width, 0), y, width, height: STRIP - 2 * STRIP_EDGE });
      if (pool) this.boxes.set(`hand-${side}`, { x: outer(hand, width + 16), y, width: hand, height: STRIP - 2 * STRIP_EDGE });
      return;
    }
    const y = atTop ? this.fieldTop : this.fieldBottom - POINT;
    const leftColumn = this.frame;
    const rightColumn = this.rightHalf + HALF + this.frame;
    this.boxes.set(`off-${side}`, { x: trayOnRight ? rightColumn : leftColumn, y, width: TRAY, height: POINT });
    if (pool) this.boxes.set(`hand-${side}`, { x: trayOnRight ? leftColumn : rightColumn, y, width: TRAY, height: POINT });
  }

  /** Free room of a compact strip, for the name and the pips of a side. @param {Side} side @returns {Box | null} */
  plateBox(side) {
    if (!this.settings.compact) return null;
    const off = this.box(`off-${side}`);
    const hand = this.boxes.get(`hand-${side}`);
    const y = this.atTop(side) ? 0 : this.height - STRIP;
    const room = 16;
    const inner = Math.min(off.x, hand ? hand.x : off.x) - room;
    const onRight = off.x > this.width / 2;
    const start = onRight ? this.frame : Math.max(off.x + off.width, hand ? hand.x + hand.width : 0) + room;
    return { x: start, y, width: (onRight ? inner : this.width - this.frame) - start, height: STRIP };
  }

  /** @param {Spot} spot @returns {Box} */
  box(spot) {
    const box = this.boxes.get(spot);
    if (!box) throw new RangeError(`no place is called ${spot}`);
    return box;
  }

  /** Column 0..11 from the left and whether the point lies in the upper row. @param {number} point near's number */
  cell(point) {
    const upper = point > 12;
    const column = upper ? point - 13 : 12 - point;
    return { column: this.settings.mirror ? 11 - column : column, top: upper !== this.settings.flip };
  }

  /** @param {Spot} spot of a point */
  onRight(spot) {
    return this.cell(Number(spot.slice(1))).column > 5;
  }

  /** @param {number} point */
  pointBox(point) {
    const { column, top } = this.cell(point);
    const x = column < 6 ? this.leftHalf + column * CHECKER : this.rightHalf + (column - 6) * CHECKER;
    return { x, y: top ? this.fieldTop : this.fieldBottom - POINT, width: CHECKER, height: POINT };
  }

  /** Whether a side's tray is above the middle; where both bear off in one quarter, far is on the other side. @param {Side} side */
  atTop(side) {
    const near = this.cell(1).top;
    if (side === "near") return near;
    const far = this.cell(this.settings.meets[1]).top;
    return far === near ? !near : far;
  }

  /** Whether a side's checkers on the bar stand above the middle: on the half where they enter. @param {Side} side */
  barUp(side) {
    const near = this.cell(24).top;
    return side === "near" ? near : !near;
  }

  /** @param {Side} side @param {number} place 0 to 26 of that side @returns {Spot} */
  spot(side, place) {
    if (place === OFF) return `off-${side}`;
    if (place === BAR) return `bar-${side}`;
    if (place === HAND) return `hand-${side}`;
    return `p${side === "near" ? place : this.settings.meets[place]}`;
  }

  /** The number that a side has for a spot, or null when it has none. @param {Side} side @param {Spot} spot */
  place(side, spot) {
    if (/^p\d+$/.test(spot)) {
      const point = Number(spot.slice(1));
      return side === "near" ? point : meeting(this.settings.meets, "near", point);
    }
    const [kind, owner] = spot.split("-");
    if (owner !== side) return null;
    return { off: OFF, bar: BAR, hand: HAND }[kind] ?? null;
  }

  /**
   * Centre of one of the checkers of a stack. Beyond the room there is they overlap evenly.
   * @param {Spot} spot @param {number} index from the base @param {number} count @returns {Place2d}
   */
  seat(spot, index, count) {
    const box = this.box(spot);
    const middle = box.x + box.width / 2;
    if (spot.startsWith("p")) {
      const step = Math.min(CHECKER, (POINT - CHECKER) / Math.max(1, count - 1));
      const reach = CHECKER / 2 + index * step;
      const y = this.cell(Number(spot.slice(1))).top ? box.y + reach : box.y + box.height - reach;
      return { x: middle, y, flat: false };
    }
    const side = spot.endsWith("near") ? "near" : "far";
    if (spot.startsWith("bar")) {
      const step = Math.min(CHECKER, 320 / Math.max(1, count - 1));
      const reach = CHECKER * 1.1 + index * step;
      return { x: middle, y: this.barUp(side) ? this.centre - reach : this.centre + reach, flat: false };
    }
    if (this.settings.compact) {
      const along = Math.min(this.slab, (box.width - LABEL) / Math.max(15, count)) * (index + 0.5) + 3;
      return { x: this.outerRight(box) ? box.x + box.width - along : box.x + along, y: box.y + box.height / 2, flat: true };
    }
    const reach = Math.min(SLAB, box.height / Math.max(15, count)) * (index + 0.5);
    return { x: middle, y: this.atTop(side) ? box.y + reach : box.y + box.height - reach, flat: true };
  }

  /** How thick a checker is that lies in a tray. */
  get slab() {
    return this.settings.compact ? (this.box("off-near").width - LABEL - 4) / 15 : SLAB;
  }

  /** Whether a compact tray fills from the right. @param {Box} box */
  outerRight(box) {
    return box.x + box.width / 2 > this.width / 2;
  }

  /** Where the name of a tray stands: at the inner end of a compact one, above or below the others. @param {Spot} spot @returns {Place} */
  trayName(spot) {
    const box = this.box(spot);
    if (!this.settings.compact) {
      const x = box.x + box.width / 2;
      return { x, y: box.y < this.centre ? this.fieldTop - this.band / 2 + 2 : this.fieldBottom + this.band / 2 + 2 };
    }
    return { x: this.outerRight(box) ? box.x + LABEL / 2 : box.x + box.width - LABEL / 2, y: box.y + 26 };
  }

  /** Middle of the half in which a side's dice lie: its own right hand. @param {Side} side */
  diceCentre(side) {
    const right = (side === "near") !== this.settings.flip;
    return { x: (right ? this.rightHalf : this.leftHalf) + HALF / 2, y: this.centre };
  }

  /** Centre of the cube. @param {Side | null} owner @param {Side | null} offeredBy */
  cubeCentre(owner, offeredBy) {
    if (offeredBy) return { x: this.diceCentre(offeredBy).x, y: this.centre };
    const x = this.barLeft + CHECKER / 2;
    if (!owner) return { x, y: this.centre };
    return { x, y: this.atTop(owner) ? this.fieldTop + CHECKER * 0.52 : this.fieldBottom - CHECKER * 0.52 };
  }

  /** Where the light of a source burns: at the foot of a point, at the edge of everything else. @param {Spot} spot */
  lamp(spot) {
    const box = this.box(spot);
    const x = box.x + box.width / 2;
    if (spot.startsWith("p")) {
      const top = this.cell(Number(spot.slice(1))).top;
      return { x, y: top ? this.fieldTop - this.band / 2 : this.fieldBottom + this.band / 2 };
    }
    if (spot.startsWith("bar")) {
      const up = this.barUp(spot.endsWith("near") ? "near" : "far");
      return { x, y: up ? this.fieldTop - this.band / 2 : this.fieldBottom + this.band / 2 };
    }
    if (this.settings.compact) return { x: this.outerRight(box) ? box.x : box.x + box.width, y: box.y + box.height / 2 };
    const top = box.y < this.centre;
    return { x, y: top ? this.fieldTop - this.band / 2 : this.fieldBottom + this.band / 2 };
  }

  /** The place under a position of the board, or null outside. @param {number} x @param {number} y @returns {Spot | null} */
  hit(x, y) {
    for (const [spot, box] of this.boxes) {
      const outside = spot.startsWith("p") || spot === "cube";
      if (!outside && x >= box.x && x < box.x + box.width && y >= box.y - STRIP_EDGE && y < box.y + box.height + STRIP_EDGE) return spot;
    }
    if (y < this.fieldTop - this.band || y > this.fieldBottom + this.band) return null;
    if (x >= this.barLeft && x < this.barLeft + CHECKER) {
      return this.barUp("near") === y < this.centre ? "bar-near" : "bar-far";
    }
    for (let point = 1; point <= 24; point += 1) {
      const box = this.box(`p${point}`);
      if (x >= box.x && x < box.x + box.width && this.cell(point).top === y < this.centre) return `p${point}`;
    }
    return null;
  }
  /** The nearest of these places, if it is no further than `reach` from a position. @param {number} x @param {number} y @param {Iterable<Spot>} spots @param {number} reach @returns {Spot | null} */
  nearest(x, y, spots, reach) {
    let best = /** @type {Spot | null} */ (null);
    let least = reach;
    for (const spot of spots) {
      const box = this.box(spot);
      const distance = Math.hypot(Math.max(box.x - x, 0, x - box.x - box.width), Math.max(box.y - y, 0, y - box.y - box.height));
      if (distance <= least) [best, least] = [spot, distance];
    }
    return best;
  }
}
