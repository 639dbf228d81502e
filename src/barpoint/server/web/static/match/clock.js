// What the page adds to the players' rows at the board: rating and clock. The server decides about time: what counts down here is what it said last, and nothing
// follows from a clock that shows zero.

/** @import {State} from "./types.js" */
import { _ } from "../board/language.js";
import { element, findIn, setText } from "../dom.js";
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
  if (ms >= 2 * DAY_MS) return _("%(days)s d %(hours)s h", { days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / HOUR_MS) });
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (ms >= HOUR_MS) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}

export class Clocks {
  /** @param {{near: HTMLElement, far: HTMLElement}} rows  of the board @param {HTMLElement} warning  announced */
  constructor(rows, warning) {
    this.warning = warning;
    this.boxes = { near: clockBox("near"), far: clockBox("far") };
    this.ratings = { near: element("span", { class: "rating" }), far: element("span", { class: "rating" }) };
    for (const side of SIDES) rows[side].append(this.ratings[side], this.boxes[side]);
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
    for (const side of SIDES) {
      this.boxes[side].hidden = !state.clock;
      setText(this.ratings[side], state.ratings ? ratingText(state.ratings[side]) : "");
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
    const long = clock.delay_ms >= HOUR_MS; // a turn of days: the delay is the clock, also of whoever waits
    for (const side of SIDES) {
      const box = this.boxes[side];
      const { ms, runs, free_ms: delay } = clock[side];
      const left = runs ? Math.max(0, ms - charged) : ms;
      const free = Math.max(0, delay - (runs ? passed : 0));
      box.dataset.runs = String(runs);
      box.dataset.low = String(runs && !long && free + left < LOW_MS);
      setText(findIn(box, ".time"), timeText(long ? free + left : left));
      setText(findIn(box, ".free"), !long && runs && free > 0 ? `+${Math.ceil(free / 1000)}` : "");
      if (side === "near" && runs && this.state.seat !== null) this.warn(Math.ceil((free + left) / 1000));
    }
  }

  /** Announces, once each, that little time is left. @param {number} seconds */
  warn(seconds) {
    const due = WARNINGS_S.filter((limit) => seconds <= limit).at(-1);
    if (due === undefined || this.warned === due) return;
    this.warned = due;
    setText(this.warning, _("%(seconds)s seconds left on your clock", { seconds }));
  }
}

/** @param {"near" | "far"} side */
const clockBox = (side) => element("span", { class: "clock", "data-side": side, hidden: "" }, [
  element("span", { class: "time", role: "timer" }), element("span", { class: "free" }),
]);
