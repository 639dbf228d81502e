// Draws what does not change while a game is played: frame, points, bar, trays, numbers, and the places that take the focus.

/** @import {Box, Spot} from "./types.js" */
/** @import {Paint} from "./paint.js" */
import { CHECKER, GAP, Layout, STRIP_EDGE } from "./geometry.js";
import { _, N_ } from "./language.js";
import { svg } from "./svg.js";

/** How much of a point's length its inlay takes; the tip leaves the middle of the field calm. */
const TAPER = 0.92;

/** The corners of a point. @param {Layout} layout @param {Spot} spot */
export function triangle(layout, spot) {
  const { x, y, height } = layout.box(spot);
  const { top } = layout.cell(Number(spot.slice(1)));
  const base = top ? y : y + height;
  const tip = top ? y + height * TAPER : y + height * (1 - TAPER);
  return `${x + 4},${base} ${x + CHECKER - 4},${base} ${x + CHECKER / 2},${tip}`;
}

/** @param {string} name @param {Box} box @param {number} [radius] @param {Record<string, string>} [more] */
const rect = (name, box, radius = 0, more = {}) => svg("rect", { class: name, ...box, rx: radius, ...more });

/** @param {Layout} layout @param {boolean} numbers @param {Paint} paint */
export function drawWood(layout, numbers, paint) {
  const { body, fieldTop, fieldBottom, leftHalf, rightHalf, barLeft } = layout;
  const { compact } = layout.settings;
  const height = fieldBottom - fieldTop;
  const halves = [leftHalf, rightHalf].map((x) => ({ x, y: fieldTop, width: 6 * CHECKER, height }));
  const round = compact ? 12 : 24;
  return [
    rect("bg-frame", body, round),
    rect("bg-depth", body, round, { fill: paint.of("frame") }),
    rect("bg-depth", shrunk(body, 1.5), round - 1.5, { fill: "none", stroke: paint.of("bevel"), "stroke-width": "3" }),
    rect("bg-hinge", { x: barLeft + CHECKER / 2 - 1, y: body.y + 3, width: 2, height: body.height - 6 }),
    rect("bg-hinge-light bg-depth", { x: barLeft + CHECKER / 2 + 1, y: body.y + 3, width: 1.5, height: body.height - 6 }),
    ...halves.flatMap((half) => [rect("bg-field", half, 4), rect("bg-depth", half, 4, { fill: paint.of("felt") })]),
    ...drawPoints(layout, numbers),
    ...halves.flatMap((half) => drawWell(half, 4, paint)),
    ...drawTrays(layout, paint),
  ];
}

/** @param {Box} box @param {number} by @returns {Box} */
const shrunk = ({ x, y, width, height }, by) => ({ x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by });

/** The shadow of the frame on what lies lower, and the lit edge around it. @param {Box} box @param {number} radius @param {Paint} paint */
function drawWell({ x, y, width, height }, radius, paint) {
  const lip = shrunk({ x, y, width, height }, -1.5);
  return [
    rect("bg-depth", { x, y, width, height: Math.min(38, height * 0.3) }, radius, { fill: paint.of("above") }),
    rect("bg-depth", { x, y, width: 18, height }, radius, { fill: paint.of("left") }),
    rect("bg-depth", { x: x + width - 12, y, width: 12, height }, radius, { fill: paint.of("right") }),
    rect("bg-depth", lip, radius + 1.5, { fill: "none", stroke: paint.of("lip"), "stroke-width": "3" }),
  ];
}

const TRAYS = { off: N_("off"), hand: N_("hand") };

/** Places for what is borne off and what has not entered, each with its name. @param {Layout} layout @param {Paint} paint */
function drawTrays(layout, paint) {
  const drawn = [];
  for (const spot of ["off-near", "off-far", "hand-near", "hand-far"]) {
    const box = layout.boxes.get(spot);
    if (!box) continue;
    const at = layout.trayName(spot);
    drawn.push(rect("bg-tray", box, 10), ...drawWell(box, 10, paint));
    drawn.push(svg("text", { class: "bg-tray-name", "data-tray": spot, x: at.x, y: at.y }, [_(TRAYS[/** @type {"off" | "hand"} */ (spot.split("-")[0])])]));
  }
  return drawn;
}

/** @param {Layout} layout @param {boolean} numbers */
function drawPoints(layout, numbers) {
  const drawn = [];
  for (let point = 1; point <= 24; point += 1) {
    const spot = `p${point}`;
    drawn.push(svg("polygon", { class: point % 2 ? "bg-point bg-odd" : "bg-point bg-even", points: triangle(layout, spot) }));
    if (!numbers) continue;
    const edge = layout.cell(point).top ? layout.fieldTop - layout.band / 2 : layout.fieldBottom + layout.band / 2;
    drawn.push(svg("text", { class: "bg-number", x: layout.box(spot).x + CHECKER / 2, y: edge + 2 }, [String(point)]));
  }
  return drawn;
}

/** Every place that can be pointed at and named; those of points reach out to their numbers. @param {Layout} layout */
export function drawTargets(layout) {
  /** @type {Map<Spot, SVGGElement>} */
  const targets = new Map();
  for (const [spot, box] of layout.boxes) {
    const point = spot.startsWith("p");
    const band = point ? layout.band : 0;
    const edge = layout.settings.compact && /^(off|hand)-/.test(spot) ? STRIP_EDGE : 0; // a finger needs the whole strip
    const area = edge ? { ...box, y: box.y - edge, height: box.height + 2 * edge } : { ...box, y: box.y - (point && layout.cell(Number(spot.slice(1))).top ? band : 0), height: box.height + band };
    targets.set(spot, target(spot, area, { x: box.x + 5, y: box.y + 5, width: box.width - 10, height: box.height - 10 }));
  }
  const dice = { x: -150, y: -GAP / 2, width: 300, height: GAP };
  targets.set("dice", target("dice", dice, { x: -146, y: -GAP / 2 + 4, width: 292, height: GAP - 8 }));
  return targets;
}

/** @param {Spot} spot @param {Box} area @param {Box} ring */
function target(spot, area, ring) {
  return svg("g", { class: "bg-target", role: "button", tabindex: -1, "data-spot": spot }, [
    rect("bg-area", area), rect("bg-ring", ring, 14),
  ]);
}
