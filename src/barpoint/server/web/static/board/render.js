// Draws the board. The wood is drawn once for a layout; checkers, dice and lights are moved and changed in place, so that
// what has the focus keeps it.

/** @import {Side, Spot} from "./types.js" */
/** @import {Roster} from "./checker.js" */
/** @import {Paint} from "./paint.js" */
import { CHECKER, HALF, Layout } from "./geometry.js";
import { drawCube, drawDice, drawSplit } from "./dice.js";
import { set, svg } from "./svg.js";
import { drawTargets, drawWood, triangle } from "./wood.js";

/** How far the cube can be pressed around its place on a phone, where that is as wide as a checker. */
const FINGER = 18;

const SIDES = /** @type {Side[]} */ (["near", "far"]);

/**
 * @typedef {object} Picture  everything that may change while a game is played
 * @property {Roster} roster
 * @property {Spot | null} lifted
 * @property {Set<Spot>} movable
 * @property {Set<string>} ready  identities of the checkers that can be moved on
 * @property {Set<Spot>} targets
 * @property {{spot: Spot, label: string}[]} lamps
 * @property {Map<Spot, string>} names
 * @property {{kind: "2d6" | "1d12" | "3d6", numbers: {number: number, used: boolean, by?: Side}[], side: Side, name: string,
 *   state: "" | "resting" | "rerolled", rollId: string} | null} dice  no numbers: a place to roll
 * @property {{numbers: number[], left: number[], open: boolean, chosen: boolean, name: string}[]} splits
 * @property {{value: import("./types.js").Count, owner: Side | null, offeredBy: Side | null, name: string, ready: boolean} | null} cube
 * @property {{x: number, y: number, side: Side}[]} traces  where the checkers of the last play stood before it
 */

/** The width of a twelve-sided die with its space, and of splits beside it by how many numbers they have. */
const TWELVE = 146;
const BESIDE_WIDTHS = [0, 100, 128, 172];

export class Scene {
  /**
   * @param {SVGSVGElement} root @param {Layout} layout @param {Paint} paint @param {boolean} numbers
   * @param {"light" | "dark"} near near's checkers
   */
  constructor(root, layout, paint, numbers, near) {
    this.root = root;
    this.paint = paint;
    this.shades = { near, far: near === "light" ? "dark" : "light" };
    this.layout = layout;
    /** @type {Map<string, SVGGElement>} */
    this.checkers = new Map();
    this.targets = drawTargets(layout);
    this.layers = Object.fromEntries(
      ["wood", "glow", "trace", "left", "checkers", "things", "counts", "arrows", "targets", "lamps", "splits", "air"].map((name) =>
        [name, svg("g", { class: `bg-${name}` })]));
    for (const name of ["wood", "glow", "trace", "left", "checkers", "counts", "arrows", "air"]) set(this.layers[name], { "aria-hidden": "true" });
    set(root, { viewBox: `0 0 ${layout.width} ${layout.height}` });
    root.style.setProperty("--bg-soft-cast", paint.of("soft"));
    // The gradients stay where they are: only what depends on the layout is drawn anew.
    if (paint.element.parentNode !== root) root.replaceChildren(paint.element);
    while (root.lastChild !== paint.element) root.lastChild?.remove();
    root.append(...Object.values(this.layers));
    this.layers.wood.append(...drawWood(layout, numbers, paint));
    this.layers.targets.append(...this.targets.values());
    this.diceKey = "";
    this.rollId = "";
    /** @type {Roster | null} */
    this.seated = null;
    /** The checker in the hand; it stays there whatever is drawn meanwhile. */
    this.held = "";
  }

  /** @param {string} id @param {Side} side */
  checker(id, side) {
    const known = this.checkers.get(id);
    if (known) return known;
    const shade = this.shades[side];
    const paint = (/** @type {string} */ name) => this.paint.of(name);
    const made = svg("g", { class: `bg-checker bg-${side}`, "data-id": id }, [
      svg("ellipse", { class: "bg-cast", cx: 1, cy: 7, rx: 54, ry: 53, fill: paint("cast") }),
      svg("circle", { class: "bg-disc", r: CHECKER / 2 - 3 }),
      svg("circle", { class: "bg-sheen", r: CHECKER / 2 - 5, fill: paint(`sheen-${shade}`), stroke: paint(`rim-${shade}`) }),
      svg("circle", { class: "bg-inlay", r: side === "near" ? 32 : 20, fill: paint(`dish-${shade}`) }),
    ]);
    this.checkers.set(id, made);
    return made;
  }

  /** Shows a checker lying in a tray, from its edge, or as it lies on the felt. @param {SVGGElement} checker @param {boolean} flat */
  lay(checker, flat) {
    checker.classList.toggle("bg-flat", flat);
    if (!flat || checker.querySelector(".bg-edge")) return;
    const { compact } = this.layout.settings;
    const thick = this.layout.slab - (compact ? 1.5 : 4);
    const box = compact
      ? { x: -thick / 2, y: -48, width: thick, height: 96, rx: Math.min(8, thick / 3) }
      : { x: -48, y: -thick / 2, width: 96, height: thick, rx: 9 };
    checker.append(svg("rect", { class: "bg-edge", ...box }),
      svg("rect", { class: "bg-edge bg-edge-light", ...box, fill: this.paint.of(compact ? "slab-across" : "slab") }));
  }

  /** Puts every checker where the roster has it. @param {Roster} roster */
  seatCheckers(roster) {
    this.seated = roster;
    /** @type {SVGGElement[]} */
    const order = [];
    const counts = [];
    /** @type {Element[]} */
    const left = [];
    const { layout } = this;
    const alive = new Set();
    for (let place = 0; place <= 26; place += 1) {
      for (const side of SIDES) {
        const stack = roster[side][place];
        if (!stack.length) continue;
        const spot = layout.spot(side, place);
        const { under, total } = this.share(roster, side, place, spot);
        stack.forEach((id, index) => {
          const seat = layout.seat(spot, index + under, total);
          const element = this.checker(id, side);
          alive.add(id);
          if (id === this.held && !seat.flat) left.push(svg("circle", { class: `bg-left bg-${side}`, cx: seat.x, cy: seat.y, r: CHECKER / 2 - 4 }));
          if (id === this.held) return;
          set(element, { transform: `translate(${seat.x.toFixed(1)} ${seat.y.toFixed(1)})` });
          this.lay(element, seat.flat);
          order.push(element);
        });
        const most = spot.startsWith("p") ? 5 : spot.startsWith("bar") ? 4 : 0;
        const held = stack.includes(this.held) ? 1 : 0;
        if (under + stack.length === total && total - held > most) counts.push(this.count(spot, side, stack.length - held, total - held, total));
      }
    }
    for (const [id, element] of this.checkers) {
      if (alive.has(id)) continue;
      element.remove();
      this.checkers.delete(id);
    }
    const present = [...this.layers.checkers.children];
    if (present.length !== order.length || present.some((element, index) => element !== order[index])) {
      this.layers.checkers.replaceChildren(...order);
    }
    this.layers.counts.replaceChildren(...counts);
    this.layers.left.replaceChildren(...left);
    for (const name of this.layers.wood.querySelectorAll("[data-tray]")) {
      const [kind, side] = /** @type {string} */ (name.getAttribute("data-tray")).split("-");
      name.classList.toggle("bg-alone", roster[/** @type {Side} */ (side)][kind === "off" ? 0 : 26].length === 0);
    }
    this.layers.counts.classList.remove("bg-away");
  }

  /**
   * How a stack shares its point: a pinned checker lies under those that pin it.
   * @param {Roster} roster @param {Side} side @param {number} place @param {Spot} spot
   */
  share(roster, side, place, spot) {
    const own = roster[side][place].length;
    if (!spot.startsWith("p")) return { under: 0, total: own };
    const rival = side === "near" ? "far" : "near";
    const theirs = roster[rival][/** @type {number} */ (this.layout.place(rival, spot))].length;
    const below = theirs && (theirs < own || (theirs === own && side === "near")) ? theirs : 0;
    return { under: below, total: own + theirs };
  }

  /**
   * @param {Spot} spot @param {Side} side @param {number} number to show @param {number} lying on the place
   * @param {number} total on the place, the one in the hand too
   */
  count(spot, side, number, lying, total) {
    const flat = spot.startsWith("off") || spot.startsWith("hand");
    const seat = this.layout.seat(spot, flat ? Math.min(14, total) : lying - 1, flat ? Math.max(15, total) : total);
    const box = this.layout.box(spot);
    if (flat && box.height > box.width) {
      const top = this.layout.atTop(side);
      return svg("text", { class: "bg-count bg-outside", x: seat.x, y: top ? box.y + box.height + 34 : box.y - 30 }, [String(number)]);
    }
    if (flat) return svg("text", { class: "bg-count bg-outside", x: this.layout.trayName(spot).x, y: box.y + 81 }, [String(number)]);
    return svg("text", { class: `bg-count bg-${side}`, x: seat.x, y: seat.y + 2 }, [String(number)]);
  }

  /** @param {Picture} picture */
  update(picture) {
    this.seatCheckers(picture.roster);
    this.updateTargets(picture);
    this.updateLamps(picture);
    this.updateDice(picture);
    this.updateCube(picture);
    this.drawTraces(picture);
  }

  /** @param {Picture} picture */
  updateTargets(picture) {
    const glow = [];
    for (const [spot, target] of this.targets) {
      const name = picture.names.get(spot);
      target.toggleAttribute("hidden", name === undefined);
      target.style.display = name === undefined ? "none" : "";
      if (name !== undefined) set(target, { "aria-label": name });
      target.classList.toggle("bg-movable", picture.movable.has(spot));
      target.classList.toggle("bg-open", picture.targets.has(spot));
      target.classList.toggle("bg-from", picture.lifted === spot);
      if (picture.targets.has(spot)) glow.push(this.glow(spot));
    }
    this.layers.glow.replaceChildren(...glow);
    // A stack hides most of the light under it, so its last checker is lit too.
    const met = new Set([...picture.targets].flatMap((spot) => SIDES.map((side) => this.topOf(picture, side, spot))));
    for (const [id, element] of this.checkers) {
      const side = id.startsWith("near") ? "near" : "far";
      element.classList.toggle("bg-met", met.has(id));
      element.classList.toggle("bg-ready", picture.ready.has(id));
      element.classList.toggle("bg-lifted", picture.lifted !== null && this.topOf(picture, side, picture.lifted) === id);
    }
  }

  /** Carries a checker through the air, above everything. @param {string} id @param {number} x @param {number} y */
  carry(id, x, y) {
    const element = this.checkers.get(id);
    if (!element) return;
    if (element.parentNode !== this.layers.air) this.layers.air.append(element);
    if (this.held !== id) {
      this.held = id;
      if (this.seated) this.seatCheckers(this.seated);
    }
    element.classList.remove("bg-flat");
    set(element, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  }

  /** @param {Picture} picture @param {Side} side @param {Spot} spot */
  topOf(picture, side, spot) {
    const place = this.layout.place(side, spot);
    return place === null ? undefined : picture.roster[side][place].at(-1);
  }

  /** A destination is shown by shape as well as by light: a filled point with a bright edge, or a framed tray. @param {Spot} spot */
  glow(spot) {
    const box = this.layout.box(spot);
    if (!spot.startsWith("p")) return svg("rect", { class: "bg-goal", "data-goal": spot, ...box, rx: 10 });
    return svg("polygon", { class: "bg-goal", "data-goal": spot, points: triangle(this.layout, spot) });
  }

  /** The place that a carried checker hangs over, where it may be dropped. @param {Spot | null} spot */
  hover(spot) {
    for (const goal of this.layers.glow.children) goal.classList.toggle("bg-hover", goal.getAttribute("data-goal") === spot);
  }

  /** @param {Picture} picture */
  updateLamps(picture) {
    const wanted = new Map(picture.lamps.map((lamp) => [lamp.spot, lamp.label]));
    for (const child of [...this.layers.lamps.children]) {
      if (!wanted.has(child.getAttribute("data-lamp") ?? "")) child.remove();
    }
    for (const [spot, label] of wanted) {
      if (this.layers.lamps.querySelector(`[data-lamp="${spot}"]`)) continue;
      const { x, y } = this.layout.lamp(spot);
      const inward = y < this.layout.centre ? 22 : -22;
      this.layers.lamps.append(svg("g", { class: "bg-lamp", role: "button", tabindex: 0, "data-lamp": spot, "aria-label": label,
        transform: `translate(${x} ${y})` }, [
        svg("rect", { class: "bg-area", x: -50, y: -50 + inward, width: 100, height: 100 }),
        svg("circle", { class: "bg-lamp-halo", r: 30 }),
        svg("circle", { class: "bg-lamp-bulb", r: 15 }),
      ]));
    }
  }

  /** @param {Picture} picture */
  updateDice(picture) {
    const { dice, splits } = picture;
    const target = /** @type {SVGGElement} */ (this.targets.get("dice"));
    const centre = this.layout.diceCentre(dice ? dice.side : "near");
    const beside = dice !== null && dice.kind === "1d12" && splits.length > 1;
    const widths = splits.map((split) => (beside ? BESIDE_WIDTHS[split.numbers.length] ?? 172 : 92));
    const space = beside ? 10 : 7;
    const whole = widths.reduce((sum, width) => sum + width + space, -space);
    const from = centre.x - Math.min(HALF / 2, (TWELVE + whole) / 2); // the die and the splits beside it, in the middle of their half
    const x = beside ? from + TWELVE / 2 : centre.x;
    set(target, { transform: `translate(${x} ${centre.y})` });
    target.classList.toggle("bg-narrow", beside);
    const key = JSON.stringify([dice, splits, x]);
    if (key === this.diceKey) return;
    this.diceKey = key;
    this.layers.things.querySelector(".bg-dice")?.remove();
    this.layers.splits.replaceChildren();
    if (!dice) return;
    const fresh = dice.rollId !== this.rollId;
    this.rollId = dice.rollId;
    const group = svg("g", { class: `bg-dice${fresh && !dice.state ? " bg-rolled" : ""}`, transform: `translate(${x} ${centre.y})`,
      "aria-hidden": "true" }, drawDice(dice, this.shades, this.paint));
    this.layers.things.append(group);
    const other = this.layout.diceCentre(dice.side === "near" ? "far" : "near");
    if (splits.length > 1) this.drawSplits(splits, widths, space, { x: beside ? from + TWELVE : other.x - whole / 2, y: centre.y });
  }

  /** In a row that begins at a place. @param {Picture["splits"]} splits @param {number[]} widths @param {number} space between them @param {{x: number, y: number}} at */
  drawSplits(splits, widths, space, at) {
    let left = at.x;
    splits.forEach((split, index) => {
      const width = widths[index];
      this.layers.splits.append(svg("g", {
        class: `bg-split${split.open ? "" : " bg-closed"}${split.chosen ? " bg-chosen" : ""}`, role: "button",
        tabindex: split.open ? 0 : -1, "data-split": index, "aria-label": split.name, "aria-pressed": String(split.chosen),
        "aria-disabled": String(!split.open), transform: `translate(${left + width / 2} ${at.y})`,
      }, drawSplit(split.numbers, split.left, width)));
      left += width + space;
    });
  }

  /** @param {Picture} picture */
  updateCube({ cube }) {
    const old = this.layers.things.querySelector(".bg-cube");
    const target = /** @type {SVGGElement} */ (this.targets.get("cube"));
    if (!cube) {
      old?.remove();
      return;
    }
    const { x, y } = this.layout.cubeCentre(cube.owner, cube.offeredBy);
    const size = cube.offeredBy ? 112 : 82;
    const state = `bg-cube${cube.ready ? " bg-ready" : ""}${cube.offeredBy ? " bg-offered" : ""}`;
    const key = [...Object.values(cube), x, y].join(" ");
    const home = this.layout.box("cube");
    set(target, { transform: `translate(${x - home.x - 50} ${y - home.y - 50})` });
    const [more, beside] = this.layout.settings.compact ? [FINGER, cube.owner || cube.offeredBy ? 0 : FINGER] : [0, 0];
    set(/** @type {Element} */ (target.firstElementChild),
      { x: home.x - beside, y: home.y - more, width: home.width + 2 * beside, height: home.height + 2 * more });
    if (old?.getAttribute("data-key") === key) return;
    const group = /** @type {SVGGElement} */ (old ?? svg("g", { "aria-hidden": "true" }));
    set(group, { class: state, "data-key": key });
    group.replaceChildren(...drawCube(cube, size, this.paint));
    group.style.transform = `translate(${x}px, ${y}px)`;
    if (!old) this.layers.things.append(group);
  }

  /** @param {Picture} picture */
  drawTraces({ traces }) {
    this.layers.trace.replaceChildren(...traces.map(({ x, y, side }) =>
      svg("circle", { class: `bg-trace bg-${side}`, cx: x, cy: y, r: CHECKER / 2 - 4 })));
  }
}
