// Both clocks above the board. The server decides about time: what counts down here is what it said last, and nothing
// follows from a clock that shows zero.

/** @import {State} from "./types.js" */
import { findIn, setText } from "../dom.js";
import { ratingText } from "./sidebar.js";

const TICK_MS = 200;
const LOW_MS = 20_000;
const WARNINGS_S = [30, 10];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SIDES = /** @type {const} */ (["far", "near"]);

/** A time as a clock shows it: minutes and seconds, with hours or days where there are any. @param {number} ms */
export function timeText(ms) {
  const seconds = Math.ceil(ms / 1000);
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (ms >= HOUR_MS) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}

export class Clocks {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {State | null} */
    this.state = null;
    this.since = 0;
    /** @type {number | null} seconds at the last warning */
    this.warned = null;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** @param {State} state */
  set(state) {
    this.state = state;
    this.since = performance.now();
    this.root.hidden = !state.clock && !state.ratings;
    for (const side of SIDES) {
      const rating = state.ratings && ratingText(state.ratings[side]);
      const near = state.seat === 1 ? 1 : 0;
      const player = findIn(this.box(side), ".player");
      setText(player, `${state.view.labels[side]}${rating ? ` ${rating}` : ""}`);
      player.dataset.bot = String(state.match.seats[side === "near" ? near : 1 - near].bot);
    }
    if (!state.clock?.near.runs) this.warned = null;
    this.tick();
  }

  /** Shows the time that is left now. */
  tick() {
    const clock = this.state?.clock;
    if (!this.state || !clock) return;
    const passed = performance.now() - this.since;
    const charged = Math.max(0, passed - clock.free_ms);
    const long = clock.free_ms >= HOUR_MS; // a turn of days: the delay is the clock
    for (const side of SIDES) {
      const box = this.box(side);
      const { ms, runs } = clock[side];
      const left = runs ? Math.max(0, ms - charged) : ms;
      const free = runs ? Math.max(0, clock.free_ms - passed) : 0;
      box.dataset.runs = String(runs);
      box.dataset.low = String(runs && !long && free + left < LOW_MS);
      setText(findIn(box, ".time"), long && runs ? timeText(free + left) : timeText(left));
      setText(findIn(box, ".free"), !long && free > 0 ? `+${Math.ceil(free / 1000)}` : "");
      if (side === "near" && runs && this.state.seat !== null) this.warn(Math.ceil((free + left) / 1000));
    }
  }

  /** @param {"near" | "far"} side */
  box(side) {
    return findIn(this.root, `[data-side="${side}"]`);
  }

  /** Announces, once each, that little time is left. @param {number} seconds */
  warn(seconds) {
    const due = WARNINGS_S.filter((limit) => seconds <= limit).at(-1);
    if (due === undefined || this.warned === due) return;
    this.warned = due;
    setText(findIn(this.root, "[role=status]"), `${seconds} seconds left on your clock`);
  }
}
