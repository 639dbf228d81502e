// Draws what does not change while a game is played: frame, points, bar, trays, numbers, and the places that take the focus.

/** @import {Box, Spot} from "./types.js" */
import { CHECKER, GAP, Layout } from "./geometry.js";
import { svg } from "./svg.js";

/** The corners of a point. @param {Layout} layout @param {Spot} spot */
export function triangle(layout, spot) {
  const { x, y, height } = layout.box(spot);
  const { top } = layout.cell(Number(spot.slice(1)));
  const base = top ? y : y + height;
  const tip = top ? y + height - 4 : y + 4;
  return `${x + 3},${base} ${x + CHECKER - 3},${base} ${x + CHECKER / 2},${tip}`;
}

/** @param {string} name @param {Box} box @param {number} [radius] */
const rect = (name, box, radius = 0) => svg("rect", { class: name, ...box, rx: radius });

/** @param {Layout} layout @param {boolean} numbers */
export function drawWood(layout, numbers) {
  const { body, fieldTop, fieldBottom, leftHalf, rightHalf, barLeft } = layout;
  const { compact } = layout.settings;
  const height = fieldBottom - fieldTop;
  const inset = { x: 9, y: body.y + 9, width: body.width - 18, height: body.height - 18 };
  return [
    rect("bg-frame", body, compact ? 10 : 22),
    ...(compact ? [] : [rect("bg-inset", inset, 15)]),
    ...[leftHalf, rightHalf].map((x) => rect("bg-field", { x, y: fieldTop, width: 6 * CHECKER, height }, 6)),
    rect("bg-hinge", { x: barLeft + CHECKER / 2 - 1, y: body.y + 8, width: 2, height: body.height - 16 }),
    ...drawTrays(layout),
    ...drawPoints(layout, numbers),
  ];
}

/** @param {Layout} layout */
function drawTrays(layout) {
  const drawn = [];
  for (const spot of ["off-near", "off-far", "hand-near", "hand-far"]) {
    const box = layout.boxes.get(spot);
    if (!box) continue;
    drawn.push(rect("bg-tray", box, 10));
    if (!layout.settings.compact) continue;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 2 };
    drawn.push(svg("text", { class: "bg-tray-name", "data-tray": spot, ...middle }, [spot.split("-")[0]]));
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
    const area = { ...box, y: box.y - (point && layout.cell(Number(spot.slice(1))).top ? band : 0), height: box.height + band };
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
