// Motion: each checker travels the path it really takes, one beat after the other; a hit checker leaves for the bar after
// the hitter has landed. Nothing moves for those who asked for reduced motion.

/** @import {Step} from "./checker.js" */
/** @import {Place} from "./types.js" */
/** @import {Scene, Picture} from "./render.js" */

export const BEAT_MS = 220;
const PAUSE_MS = 40;
const EASING = "cubic-bezier(.3,.05,.25,1)";

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Motion {
  constructor() {
    /** @type {Animation[]} */
    this.running = [];
  }

  /** Lets everything arrive at once. */
  finish() {
    for (const animation of this.running) animation.finish();
    this.running = [];
  }

  /**
   * Draws the picture, which already holds the checkers where they end, and shows how they came there.
   * @param {Scene} scene @param {Picture} picture @param {Step[][]} beats
   * @param {Map<string, Place>} starts  where a checker is let go, when that is not its seat
   */
  async play(scene, picture, beats, starts) {
    this.finish();
    if (!beats.length || reducedMotion()) {
      scene.update(picture);
      return;
    }
    const before = new Map([...scene.checkers].map(([id, element]) => [id, placeOf(element)]));
    scene.update(picture);
    /** @type {Map<string, {at: number, from: Place, to: Place}[]>} */
    const legs = new Map();
    beats.forEach((beat, index) => {
      for (const step of beat) {
        const known = legs.get(step.id) ?? [];
        const from = known.at(-1)?.to ?? starts.get(step.id) ?? before.get(step.id);
        const element = scene.checkers.get(step.id);
        if (!from || !element) continue;
        const last = !beats.slice(index + 1).some((later) => later.some((other) => other.id === step.id));
        const to = last ? placeOf(element) : wayPoint(scene, picture, step);
        legs.set(step.id, [...known, { at: index * (BEAT_MS + PAUSE_MS), from, to }]);
      }
    });
    const total = beats.length * (BEAT_MS + PAUSE_MS);
    scene.layers.counts.classList.add("bg-away");
    for (const [id, path] of legs) {
      const element = /** @type {SVGGElement} */ (scene.checkers.get(id));
      scene.layers.checkers.append(element);
      element.classList.add("bg-flying");
      this.running.push(element.animate(keyframes(path, total), { duration: total, fill: "backwards" }));
    }
    await Promise.allSettled(this.running.map((animation) => animation.finished));
    this.running = [];
    for (const id of legs.keys()) scene.checkers.get(id)?.classList.remove("bg-flying");
  }

  /** One checker to its seat, from where it was let go. @param {Scene} scene @param {string} id @param {Place} from */
  async glide(scene, id, from) {
    const element = scene.checkers.get(id);
    if (!element || reducedMotion()) return;
    const frames = [from, placeOf(element)].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const animation = element.animate(frames, { duration: BEAT_MS, easing: EASING });
    this.running.push(animation);
    await animation.finished.catch(() => {});
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

/** @param {{at: number, from: Place, to: Place}[]} legs @param {number} total @returns {Keyframe[]} */
function keyframes(legs, total) {
  const at = (/** @type {Place} */ { x, y }) => `translate(${x}px, ${y}px)`;
  /** @type {Keyframe[]} */
  const frames = [{ transform: at(legs[0].from), offset: 0 }];
  for (const leg of legs) {
    frames.push({ transform: at(leg.from), offset: leg.at / total, easing: EASING });
    frames.push({ transform: at(leg.to), offset: (leg.at + BEAT_MS) / total });
  }
  frames.push({ transform: at(legs[legs.length - 1].to), offset: 1 });
  return frames;
}
