// Whether each player is connected: a dot in their row at the board, with its meaning in words.

/** @import {State} from "./types.js" */
import { N_, _, ngettext } from "../board/language.js";
import { isYou } from "../board/state.js";
import { element, findIn, setText } from "../dom.js";

/** Whoever loads the page anew is not called away. */
const LATE_MS = 4000;
const TICK_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SIDES = /** @type {const} */ (["far", "near"]);

/** For how long a player has been away, in the largest unit that fits. @param {number} ms */
export function awayText(ms) {
  if (ms < MINUTE_MS) return _("away for less than a minute");
  if (ms < HOUR_MS) return _("away for %(minutes)s min", { minutes: Math.floor(ms / MINUTE_MS) });
  if (ms < 48 * HOUR_MS) return _("away for %(hours)s h", { hours: Math.floor(ms / HOUR_MS) });
  return ngettext("away for %(num)s day", "away for %(num)s days", Math.floor(ms / (24 * HOUR_MS)));
}

export class PresenceDots {
  /** @param {{near: HTMLElement, far: HTMLElement}} rows  of the board @param {(text: string) => void} say  aloud */
  constructor(rows, say) {
    this.say = say;
    /** What is known of each side: whether it was ever connected, and whether it was said to be gone. */
    this.known = { near: { seen: false, gone: false }, far: { seen: false, gone: false } };
    this.dots = { near: dot("near"), far: dot("far") };
    for (const side of SIDES) rows[side].prepend(this.dots[side]);
    /** @type {State | null} */
    this.state = null;
    this.since = 0;
    this.online = true;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** @param {State} state */
  set(state) {
    this.state = state;
    this.since = performance.now();
    this.tick();
  }

  /** Whether this page has a connection itself: without one it knows nothing of the players. @param {boolean} online */
  connected(online) {
    this.online = online;
    this.tick();
  }

  tick() {
    if (!this.state) return;
    const { presence } = this.state;
    for (const side of SIDES) {
      const dot = this.dots[side];
      const known = presence?.[side];
      dot.hidden = !known || !this.online || this.state.over;
      if (!known) continue;
      const away = known.here || known.away_ms === null ? null : known.away_ms + performance.now() - this.since;
      const here = known.here || (away !== null && away < LATE_MS);
      dot.dataset.here = String(here);
      const words = here ? _("connected") : away === null ? _("away") : awayText(away);
      setText(findIn(dot, "span"), words);
      dot.title = words;
      if (!dot.hidden) this.tell(this.state, side, here);
    }
  }

  /** Says, once each, that somebody else is gone, and that they are back. @param {State} state @param {"near" | "far"} side @param {boolean} here */
  tell({ view }, side, here) {
    const known = this.known[side];
    known.seen ||= here;
    if (isYou(view, side) || !known.seen || known.gone !== here) return; // whoever comes for the first time is not back
    known.gone = !here;
    this.say(_(here ? N_("%(player)s is back.") : N_("%(player)s is offline."), { player: view.labels[side] }));
  }
}

/** @param {"near" | "far"} side */
const dot = (side) => element("span", { class: "presence", "data-side": side, hidden: "" }, [element("span")]);
