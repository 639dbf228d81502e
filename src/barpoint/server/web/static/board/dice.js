// Draws dice, the twelve-sided die and the ways to split it, the cube and reroll tokens, each around its own centre.

/** @import {Side} from "./types.js" */
/** @import {Paint} from "./paint.js" */
/** @typedef {"light" | "dark"} Shade */
import { html, svg } from "./svg.js";
import { splitText } from "./split.js";

const DIE = 94;
const PIPS = /** @type {Record<number, [number, number][]>} */ ({
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
});

/** @param {number} radius @param {number} corners @param {number} turn degrees */
function polygon(radius, corners, turn) {
  return Array.from({ length: corners }, (_, index) => {
    const angle = ((turn + (360 / corners) * index) * Math.PI) / 180;
    return /** @type {[number, number]} */ ([radius * Math.cos(angle), radius * Math.sin(angle)]);
  });
}

/** @param {[number, number][]} corners */
const path = (corners) => corners.map((corner) => corner.map((value) => value.toFixed(1)).join(",")).join(" ");

/**
 * A block with round corners on its short shadow, its upper edge in the light.
 * @param {string} name the class of its face @param {number} size @param {number} round @param {Shade} shade @param {Paint} paint
 */
function block(name, size, round, shade, paint) {
  const box = (/** @type {number} */ by) => ({ x: by - size / 2, y: by - size / 2, width: size - 2 * by, height: size - 2 * by });
  return [
    svg("rect", { class: "bg-lies bg-depth", ...box(-3), rx: round + 3, transform: "translate(1 7)" }),
    svg("rect", { class: "bg-lies bg-depth", ...box(0), rx: round, transform: "translate(1 5)" }),
    svg("rect", { class: name, ...box(0), rx: round }),
    svg("rect", { class: "bg-depth", ...box(1.5), rx: round - 1.5, fill: paint.of(`face-${shade}`) }),
    svg("rect", { class: "bg-sheen", ...box(3), rx: round - 3, fill: "none", stroke: paint.of(`rim-${shade}`) }),
  ];
}

/** @param {number} number @param {Shade} shade @param {Paint} paint */
function die(number, shade, paint) {
  const spread = DIE * 0.26;
  const pips = PIPS[number].map(([x, y]) =>
    svg("circle", { class: "bg-pip", cx: x * spread, cy: y * spread, r: DIE * 0.1, stroke: paint.of("pit") }));
  return svg("g", {}, [...block("bg-die-face", DIE, DIE * 0.24, shade, paint), ...pips]);
}

/** A dodecahedron seen on one of its faces. @param {number} number @param {Shade} shade @param {Paint} paint */
function twelve(number, shade, paint) {
  const radius = 67;
  const rim = polygon(radius, 10, -90);
  const face = polygon(radius * 0.64, 5, -90);
  const edges = face.map(([x, y], index) =>
    svg("line", { class: "bg-die-edge", x1: x, y1: y, x2: rim[index * 2][0], y2: rim[index * 2][1] }));
  return svg("g", {}, [
    svg("polygon", { class: "bg-lies bg-depth", points: path(polygon(radius + 2, 10, -90)), transform: "translate(1 7)" }),
    svg("polygon", { class: "bg-die-face", points: path(rim) }),
    svg("polygon", { class: "bg-depth", points: path(rim), fill: paint.of(`face-${shade}`) }),
    svg("polygon", { class: "bg-die-top", points: path(face) }),
    ...edges,
    svg("polygon", { class: "bg-die-edge bg-die-front", points: path(face) }),
    svg("text", { class: "bg-die-number", y: 3 }, [String(number)]),
  ]);
}

/**
 * The roll, in a row around the centre. by: whose die it is, when not the roller's; state: resting, rerolled or nothing
 * @param {{kind: "2d6" | "1d12" | "3d6", numbers: {number: number, used: boolean, by?: Side}[], side: Side, state: string}} dice
 * @param {Record<string, string>} shades of the sides @param {Paint} paint
 */
export function drawDice({ kind, numbers, side, state }, shades, paint) {
  const pitch = kind === "1d12" ? 160 : numbers.length > 2 ? DIE + 14 : DIE + 26;
  return numbers.map(({ number, used, by }, index) => {
    const shade = /** @type {Shade} */ (shades[by ?? side]);
    const drawn = kind === "1d12" ? twelve(number, shade, paint) : die(number, shade, paint);
    const x = (index - (numbers.length - 1) / 2) * pitch;
    if (state === "rerolled") drawn.append(svg("line", { class: "bg-strike", x1: -DIE * 0.62, y1: DIE * 0.42, x2: DIE * 0.62, y2: -DIE * 0.42 }));
    const inner = svg("g", { class: "bg-die-body" }, [drawn]);
    return svg("g", {
      class: `bg-die bg-${by ?? side}${used ? " bg-used" : ""}${state ? ` bg-${state}` : ""}`,
      transform: `translate(${x.toFixed(1)} 0)`,
    }, [inner]);
  });
}

/**
 * A button for one way to split a roll. @param {number[]} numbers @param {number[]} left those not played yet
 * @param {number} width
 */
export function drawSplit(numbers, left, width) {
  const rest = [...left];
  const played = numbers.map((number) => {
    const index = rest.indexOf(number);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  const label = svg("text", { class: "bg-split-text", y: 2 });
  if (splitText(numbers).includes("-")) label.append(splitText(numbers));
  else {
    numbers.forEach((number, index) => {
      if (index) label.append("+");
      label.append(svg("tspan", { class: played[index] ? "bg-used" : "" }, [String(number)]));
    });
  }
  return [svg("rect", { class: "bg-split-face", x: -width / 2, y: -52, width, height: 104, rx: 22 }), label];
}

/** 2 to the power of the value's logarithm, with small digits. @param {import("./types.js").Count} value */
const asPower = (value) => `2${[...String(value.toString(2).length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;

/** Before it is turned the cube shows its highest number; from a million on it shows a power. @param {{value: import("./types.js").Count}} cube @param {number} size @param {Paint} paint */
export function drawCube({ value }, size, paint) {
  const text = value > 999_999 ? asPower(value) : String(value === 1 ? 64 : value);
  return [
    ...block("bg-cube-face", size, size * 0.17, "light", paint),
    svg("text", { class: `bg-cube-number bg-digits-${Math.min(4, text.length)}`, y: 2 }, [text]),
  ];
}

/** A reroll token: a full disc while it can be used, an empty ring once it is spent. @param {boolean} present @param {string} label */
export function drawToken(present, label) {
  return html("span", { class: `bg-token${present ? "" : " bg-spent"}`, role: "img", "aria-label": label, title: label }, [
    svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, [
      svg("circle", { class: "bg-token-disc", r: 10.5 }),
      svg("path", { class: "bg-token-arrow", d: "M 4.6 -2.9 A 5.4 5.4 0 1 0 5.2 1.5 M 5.6 -6 L 4.9 -2.4 L 1.3 -3" }),
    ]),
  ]);
}
