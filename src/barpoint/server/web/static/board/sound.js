// Sounds and vibration for what a board shows, made here from short bursts of noise and tones; nothing is loaded.
//
//   const sound = new Sound(board);
//   sound.on = true;         // heard from the first press of a key or button: browsers allow no sound before
//   sound.vibration = true;  // where the device has it

/** @import {Shown} from "./types.js" */

/** @typedef {"noise" | "tone"} Kind */
/** A burst: when it begins, how long it lasts, its pitch in Hz at the start and at the end, how loud.
 * @typedef {{kind: Kind, at_ms: number, span_ms: number, hz: number, to_hz: number, gain: number}} Burst */

const LOUDNESS = 0.22;
const ATTACK_MS = 2;
/** Sounds that are asked for together follow one another; one that would come later than this is left out. */
const APART_MS = 70;
const LATEST_MS = 400;

/** @param {number} at_ms @param {number} span_ms @param {number} hz @param {number} gain @returns {Burst} */
const noise = (at_ms, span_ms, hz, gain) => ({ kind: "noise", at_ms, span_ms, hz, to_hz: hz, gain });

/** @param {number} at_ms @param {number} span_ms @param {number} hz @param {number} to_hz @param {number} gain @returns {Burst} */
const tone = (at_ms, span_ms, hz, to_hz, gain) => ({ kind: "tone", at_ms, span_ms, hz, to_hz, gain });

/** What each kind sounds like. @type {Record<Shown["kind"], Burst[]>} */
export const VOICES = {
  roll: [noise(0, 22, 2400, 0.5), noise(42, 20, 3000, 0.45), noise(78, 20, 2200, 0.4), noise(118, 18, 2700, 0.3), noise(146, 26, 1900, 0.35)],
  move: [noise(0, 18, 1900, 0.6), tone(0, 48, 330, 240, 0.35)],
  hit: [noise(0, 30, 900, 0.9), tone(0, 120, 175, 90, 0.75)],
  off: [noise(0, 14, 2600, 0.4), noise(56, 18, 1700, 0.45), tone(56, 60, 520, 480, 0.16)],
  cube: [noise(0, 34, 700, 0.7), tone(0, 90, 215, 180, 0.4), noise(96, 18, 1300, 0.3)],
  turn: [tone(0, 95, 659, 659, 0.22), tone(90, 110, 880, 880, 0.22)],
  won: [tone(0, 80, 523, 523, 0.2), tone(60, 80, 659, 659, 0.2), tone(120, 80, 784, 784, 0.22)],
  lost: [tone(0, 100, 392, 392, 0.2), tone(90, 110, 311, 305, 0.2)],
};

/** How the device shakes, in ms on and off. @type {Partial<Record<Shown["kind"], number[]>>} */
export const SHAKES = { hit: [30], turn: [40, 60, 40] };

/** The first of the page. @type {Sound | null} */
let first = null;

/** The sound of the page, of which one is enough: that of its board, else one that is made. @param {EventTarget} place  told what it plays, where it is made */
export const soundOfPage = (place) => first ?? new Sound(place);

export class Sound {
  /** @param {EventTarget} board  whose "bg-shown" is heard; told of every sound that is played by "bg-sound" */
  constructor(board) {
    this.board = board;
    this.vibration = false;
    this.wanted = false;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioBuffer | null} */
    this.hiss = null;
    /** When the next sound may begin, in the context's seconds. */
    this.free = 0;
    first ??= this;
    board.addEventListener("bg-shown", (event) => this.answer(/** @type {CustomEvent<Shown>} */ (event).detail));
    for (const gesture of ["pointerdown", "keydown"]) document.addEventListener(gesture, () => this.wake(), { capture: true });
  }

  get on() {
    return this.wanted;
  }

  /** @param {boolean} on */
  set on(on) {
    this.wanted = on;
    if (navigator.userActivation?.hasBeenActive) this.wake();
  }

  /** After a gesture of the user: from now on the browser lets sounds be played. */
  wake() {
    if (!this.wanted) return;
    if (!this.context && "AudioContext" in window) this.context = new AudioContext({ latencyHint: "interactive" });
    // WebKit also interrupts, during a call say, and refuses to go on before that has ended.
    if (this.context && this.context.state !== "running") void this.context.resume().catch(() => undefined);
  }

  /** @param {Shown} shown */
  answer({ kind }) {
    const shake = SHAKES[kind];
    if (shake && this.vibration && "vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(shake);
    this.ring(kind);
  }

  /** Plays what is wanted and allowed. @param {Shown["kind"]} kind */
  ring(kind) {
    if (this.wanted && this.context) this.play(kind, this.context);
  }

  /** @param {Shown["kind"]} kind @param {AudioContext} context */
  play(kind, context) {
    const start = Math.max(context.currentTime, this.free);
    if (start - context.currentTime > LATEST_MS / 1000) return;
    this.free = start + APART_MS / 1000;
    for (const burst of VOICES[kind]) this.burst(burst, start, context);
    this.board.dispatchEvent(new CustomEvent("bg-sound", { bubbles: true, detail: { kind } }));
  }

  /** @param {Burst} burst @param {number} start @param {AudioContext} context */
  burst({ kind, at_ms, span_ms, hz, to_hz, gain }, start, context) {
    const from = start + at_ms / 1000;
    const end = from + span_ms / 1000;
    const envelope = context.createGain();
    envelope.gain.setValueAtTime(0, from);
    envelope.gain.linearRampToValueAtTime(gain * LOUDNESS, from + ATTACK_MS / 1000);
    envelope.gain.exponentialRampToValueAtTime(0.0005, end);
    envelope.connect(context.destination);
    const source = kind === "noise" ? this.noise(hz, envelope, context) : context.createOscillator();
    if (source instanceof OscillatorNode) {
      source.type = "triangle";
      source.frequency.setValueAtTime(hz, from);
      source.frequency.exponentialRampToValueAtTime(to_hz, end);
      source.connect(envelope);
    }
    source.start(from);
    source.stop(end);
  }

  /** Noise around a pitch. @param {number} hz @param {AudioNode} goal @param {AudioContext} context */
  noise(hz, goal, context) {
    if (!this.hiss) {
      this.hiss = context.createBuffer(1, context.sampleRate / 5, context.sampleRate);
      const samples = this.hiss.getChannelData(0);
      for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
    }
    const source = context.createBufferSource();
    source.buffer = this.hiss;
    const band = context.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = hz;
    band.Q.value = 1.4;
    source.connect(band).connect(goal);
    return source;
  }
}
