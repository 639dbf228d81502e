// What the page adds to the players' rows at the board: rating and clock. The server decides about time: what counts down here is what it said last, and nothing
// follows from a clock that shows zero.

/** @import {ClockShown, State} from "./types.js" */
import { N_, _ } from "../board/language.js";
import { told } from "../board/state.js";
import { element, findIn, setText } from "../dom.js";
import { ratingText } from "./sidebar.js";

const TICK_MS = 200;
const LOW_MS = 20_000;
const WARNINGS_S = [60, 30, 10];
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
    /** @type {{near: number, far: number}} seconds at the last warning to each side; Infinity where they have enough time */
    this.warned = { near: Infinity, far: Infinity };
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
    if (!state.clock?.near.runs) {
      this.warned.near = Infinity; // each turn anew
      setText(this.warning, "");
    }
    this.tick();
  }

  /** Shows the time that is left now. */
  tick() {
    const clock = this.state?.clock;
    if (!this.state || !clock) return;
    const long = clock.delay_ms >= HOUR_MS; // a turn of days: the delay is the clock, also of whoever waits
    for (const side of SIDES) {
      const box = this.boxes[side];
      const { runs } = clock[side];
      const { left, free } = this.left(clock, side);
      box.dataset.runs = String(runs);
      box.dataset.low = String(runs && !long && free + left < LOW_MS);
      setText(findIn(box, ".time"), timeText(long ? free + left : left));
      setText(findIn(box, ".free"), !long && runs && free > 0 ? `+${Math.ceil(free / 1000)}` : "");
      if (runs && !this.state.over) this.warn(this.state, side, Math.ceil((free + left) / 1000));
    }
  }

  /** What a side has left now, of its time and of the time that is free. @param {ClockShown} clock @param {"near" | "far"} side */
  left(clock, side) {
    const { ms, runs, free_ms: delay } = clock[side];
    const passed = performance.now() - this.since;
    return runs ? { left: Math.max(0, ms - Math.max(0, passed - clock.free_ms)), free: Math.max(0, delay - passed) } : { left: ms, free: delay };
  }

  /** Announces, once each, that a side has little time left. @param {State} state @param {"near" | "far"} side @param {number} seconds */
  warn({ view }, side, seconds) {
    const due = WARNINGS_S.filter((limit) => seconds <= limit).at(-1);
    if (due === undefined) this.warned[side] = Infinity;
    if (due === undefined || this.warned[side] <= due) return;
    this.warned[side] = due;
    setText(this.warning, told(view, side, N_("%(seconds)s seconds left on your clock"), N_("%(seconds)s seconds left on the clock of %(player)s"), { seconds }));
  }

  /** The time that each side has left, to be said; "" where there is no clock. */
  text() {
    const { state } = this;
    if (!state?.clock) return "";
    const { clock, view } = state;
    const [own, other] = /** @type {const} */ (["near", "far"]).map((side) => {
      const { left, free } = this.left(clock, side);
      return timeText(clock.delay_ms >= HOUR_MS ? free + left : left);
    });
    const running = SIDES.find((side) => clock[side].runs);
    const runs = running ? ` ${told(view, running, N_("Your clock runs."), N_("The clock of %(player)s runs."))}` : "";
    return `${_("Time left: %(near)s %(own)s, %(far)s %(other)s.", { near: view.labels.near, own, far: view.labels.far, other })}${runs}`;
  }
}

/** @param {"near" | "far"} side */
const clockBox = (side) => element("span", { class: "clock", "data-side": side, hidden: "" }, [
  element("span", { class: "time", role: "timer" }), element("span", { class: "free" }),
]);
