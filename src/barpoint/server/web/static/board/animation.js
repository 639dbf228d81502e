// Motion: each checker travels the path it really takes, in a slight arc, one beat after the other; a hit checker is pressed
// down where the hitter landed, then leaves for the bar. Nothing moves for those who asked for reduced motion.

/** @import {Step} from "./checker.js" */
/** @import {Place} from "./types.js" */
/** @import {Scene, Picture} from "./render.js" */
import { svg } from "./svg.js";
import { BAR } from "./state.js";

export const BEAT_MS = 220;
const PAUSE_MS = 40;
/** How long a hit checker is held down before it leaves. */
const PRESS_MS = 110;
/** How long motion lasts, by the option `speed`. */
export const PACE = { none: 0, fast: 0.55, normal: 1, slow: 1.8 };
/** Steps of a drawn arc: enough for a smooth line. */
const SAMPLES = 8;
/** How high an arc rises, as a part of its length, and at most. */
const RISE = 0.07;
const RISE_MOST = 42;
/** How much nearer a checker comes at the top of its arc. */
const NEARER = 0.07;

/** A leg of a checker's way. press: it is hit, and waits that long @typedef {{at: number, press: number, from: Place, to: Place}} Leg */

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Motion {
  constructor() {
    /** @type {Animation[]} */
    this.running = [];
    /** 1 at normal speed, 0 where nothing is to move. */
    this.pace = 1;
    /** What is called as a beat lands. @type {(beats: Step[][], index: number) => void} */
    this.landed = () => {};
    /** Landings to come, by the timers that wait for them. @type {Map<number, () => void>} */
    this.landings = new Map();
  }

  get still() {
    return this.pace === 0 || reducedMotion();
  }

  /** Lets everything arrive at once. */
  finish() {
    for (const animation of this.running) animation.finish();
    this.running = [];
    this.land();
  }

  /** Calls every landing that is still to come. */
  land() {
    const left = [...this.landings];
    this.landings.clear();
    for (const [timer, landing] of left) {
      clearTimeout(timer);
      landing();
    }
  }

  /** @param {Step[][]} beats @param {number} index @param {number} after_ms */
  landAfter(beats, index, after_ms) {
    const landing = () => this.landed(beats, index);
    const timer = setTimeout(() => {
      this.landings.delete(timer);
      landing();
    }, after_ms);
    this.landings.set(timer, landing);
  }

  /**
   * Draws the picture, which already holds the checkers where they end, and shows how they came there.
   * @param {Scene} scene @param {Picture} picture @param {Step[][]} beats
   * @param {Map<string, Place>} starts  where a checker is let go, when that is not its seat
   */
  async play(scene, picture, beats, starts) {
    this.finish();
    if (!beats.length || this.still) {
      scene.update(picture);
      beats.forEach((_, index) => this.landed(beats, index));
      return;
    }
    const before = new Map([...scene.checkers].map(([id, element]) => [id, placeOf(element)]));
    scene.update(picture);
    /** @type {Map<string, Leg[]>} */
    const legs = new Map();
    let at = 0;
    beats.forEach((beat, index) => {
      const press = isHit(beats, index) ? PRESS_MS * this.pace : 0;
      for (const step of beat) {
        const known = legs.get(step.id) ?? [];
        const from = known.at(-1)?.to ?? starts.get(step.id) ?? before.get(step.id);
        const element = scene.checkers.get(step.id);
        if (!from || !element) continue;
        const last = !beats.slice(index + 1).some((later) => later.some((other) => other.id === step.id));
        const to = last ? placeOf(element) : wayPoint(scene, picture, step);
        legs.set(step.id, [...known, { at, press, from, to }]);
        if (press) this.strike(scene, from, at);
      }
      this.landAfter(beats, index, at + press + BEAT_MS * this.pace);
      at += press + (BEAT_MS + PAUSE_MS) * this.pace;
    });
    const total = at;
    scene.layers.counts.classList.add("bg-away");
    // A hit checker lies under the one that hit it.
    for (const [id, path] of [...legs].sort(([, one], [, other]) => other[0].press - one[0].press)) {
      const element = /** @type {SVGGElement} */ (scene.checkers.get(id));
      scene.layers.checkers.append(element);
      element.classList.add("bg-flying");
      this.fly(element, path, total);
    }
    await Promise.allSettled(this.running.map((animation) => animation.finished));
    this.running = [];
    this.land();
    for (const id of legs.keys()) scene.checkers.get(id)?.classList.remove("bg-flying");
  }

  /** One checker to its seat, from where it was let go. @param {Scene} scene @param {string} id @param {Place} from */
  async glide(scene, id, from) {
    const element = scene.checkers.get(id);
    if (!element || this.still) return;
    const duration = BEAT_MS * this.pace;
    const leg = { at: 0, press: 0, from, to: placeOf(element) };
    await this.fly(element, [leg], duration).finished.catch(() => {});
  }

  /** Moves a checker along its legs, its shadow falling further away the higher it is. @param {SVGGElement} element @param {Leg[]} legs @param {number} total */
  fly(element, legs, total) {
    const frames = framesOf(legs, total, BEAT_MS * this.pace);
    /** @type {KeyframeAnimationOptions} */
    const timing = { duration: total, fill: "backwards" };
    const way = frames.map(({ x, y, scale, offset }) => ({ offset, transform: placed({ x, y }, scale) }));
    const shadow = frames.map(({ height, offset }) => ({ offset, transform: placed({ x: 3 * height, y: 22 * height }, 1 + 0.2 * height) }));
    const animation = element.animate(way, timing);
    const cast = element.querySelector(".bg-cast")?.animate(shadow, timing);
    this.running.push(animation, ...(cast ? [cast] : []));
    return animation;
  }

  /** A ring of light that opens where a checker is hit. @param {Scene} scene @param {Place} place @param {number} delay */
  strike(scene, { x, y }, delay) {
    const ring = svg("circle", { class: "bg-struck", cx: x, cy: y, r: 50 });
    ring.style.transformOrigin = `${x}px ${y}px`;
    scene.layers.glow.append(ring);
    const animation = ring.animate([{ opacity: 0.95, transform: "scale(.9)" }, { opacity: 0, transform: "scale(1.45)" }],
      { duration: 2 * PRESS_MS * this.pace, delay, easing: "ease-out" });
    this.running.push(animation);
    void animation.finished.catch(() => {}).then(() => ring.remove());
  }
}

/** @param {SVGGElement} element @returns {Place} */
export function placeOf(element) {
  const [x, y] = (element.getAttribute("transform") ?? "").match(/-?[\d.]+/g) ?? ["0", "0"];
  return { x: Number(x), y: Number(y) };
}

/** Where a checker touches down between two moves. @param {Scene} scene @param {Picture} picture @param {Step} step */
function wayPoint(scene, picture, step) {
  const spot = scene.layout.spot(step.side, step.to);
  const index = Math.min(4, picture.roster[step.side][step.to].length);
  return scene.layout.seat(spot, index, index + 1);
}

/** Whether a beat is a hit: a checker goes to the bar from where one of the other side has just landed. @param {Step[][]} beats @param {number} index */
export function isHit(beats, index) {
  const [step] = beats[index];
  return index > 0 && step.to === BAR && beats[index - 1].some((other) => other.side !== step.side);
}

/** @param {Place} place @param {number} [scale] */
const placed = ({ x, y }, scale = 1) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;

/** Slow at both ends. @param {number} part */
const eased = (part) => part * part * (3 - 2 * part);

/** Where a checker is in the course of its legs. @param {Leg[]} legs @param {number} total @param {number} beat how long a leg lasts */
function framesOf(legs, total, beat) {
  const frames = [{ ...legs[0].from, scale: 1, height: 0, offset: 0 }];
  for (const { at, press, from, to } of legs) {
    if (press) {
      frames.push({ ...from, scale: 1, height: 0, offset: at / total });
      frames.push({ ...from, scale: 0.86, height: 0, offset: (at + press * 0.4) / total });
    }
    const rise = Math.min(RISE_MOST, RISE * Math.hypot(to.x - from.x, to.y - from.y));
    for (let sample = 0; sample <= SAMPLES; sample += 1) {
      const part = sample / SAMPLES;
      const way = eased(part);
      const height = sample === SAMPLES ? 0 : Math.sin(Math.PI * way);
      const there = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way - rise * height };
      frames.push({ ...there, scale: 1 + NEARER * height, height, offset: Math.min(1, (at + press + part * beat) / total) });
    }
  }
  frames.push({ ...legs[legs.length - 1].to, scale: 1, height: 0, offset: 1 });
  return frames;
}
