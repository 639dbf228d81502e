// What stands beside the board about a match: its dice, an adjournment, a claim, and what the result changed.

/** @import {State} from "./types.js" */
import { _, listed, number } from "../board/language.js";
import { element, find, findIn, setText } from "../dom.js";

/** @type {Record<string, string>} */
const LABELS = { adjourn: _("Adjourn"), resume: _("Go on"), claim: _("Claim the match"), decline: _("Decline") };

/** A rating as it stands beside a name; with "?" while little is known of it. @param {{value: number, provisional: boolean}} rating */
export const ratingText = ({ value, provisional }) => `${Math.round(value)}${provisional ? "?" : ""}`;

/** How a match changed a rating: "1500 → 1517 (+17.2)". @param {{before: number | null, after: number | null}} rating */
export function changeText({ before, after }) {
  if (before === null || after === null) return "";
  const step = after - before;
  return `${before.toFixed(0)} → ${after.toFixed(0)} (${number(step, 1, true)})`;
}

/** What the result meant beyond the score, in one line; "" when nothing. @param {State} state */
export function countText({ ratings, match, view, seat, over }) {
  const words = [];
  if (ratings && over) {
    for (const side of /** @type {const} */ (["near", "far"])) {
      const change = changeText(ratings[side]);
      if (change) words.push(`${view.labels[side]} ${change}`);
    }
  }
  const winner = view.result?.winner;
  if (over && match.fee && winner) {
    const won = winner === "near" && seat !== null;
    words.push(won ? _("You win %(tickets)s tickets", { tickets: 2 * match.fee }) : _("%(tickets)s tickets to %(player)s", { tickets: 2 * match.fee, player: view.labels[winner] }));
  }
  return words.join(" · ");
}

/** How an adjournment or a claim stands, in one line; "" when there is none. @param {State} state */
export function adjournmentText({ adjournment: { adjourned, asked_by: asker, claimed_by: claimer }, view, seat }) {
  const { labels } = view;
  if (claimer) {
    if (seat === null) return _("%(player)s claims the match: the other player has left.", { player: labels[claimer] });
    return claimer === "near" ? _("%(player)s has left. The match is yours when the time is up.", { player: labels.far }) : _("%(player)s has claimed the match.", { player: labels.far });
  }
  if (asker === "near" && seat !== null) {
    const other = { player: labels.far };
    return adjourned ? _("You want to go on. %(player)s has to agree.", other) : _("You want to adjourn. %(player)s has to agree.", other);
  }
  if (asker) return adjourned ? _("%(player)s wants to go on.", { player: labels[asker] }) : _("%(player)s wants to adjourn.", { player: labels[asker] });
  return adjourned ? _("The match is adjourned. No clock runs; it goes on when both want to.") : "";
}

/** Players without whom the match does not begin, as indices of seats; none once it has begun. @param {State} state */
function awaitedSeats({ match: { seats }, seq, over, seat, presence }) {
  if (seq > 0 || over || seats.some(({ kind }) => kind === "open")) return [];
  const near = seat === 1 ? 1 : 0;
  return seats.flatMap(({ by_player: gives, commitment }, index) => {
    const away = presence?.[index === near ? "near" : "far"]?.here === false;
    return (gives && commitment === null) || away ? [index] : [];
  });
}

/** For whom the match waits, to somebody who waits too; "" for nobody. @param {State} state */
function awaitedText(state) {
  const awaited = awaitedSeats(state);
  if (!awaited.length || awaited.some((index) => index === state.seat)) return "";
  return _("Waiting for %(names)s.", { names: listed(awaited.map((index) => state.match.seats[index].name)) });
}

/** Who gives the seeds of the dice, in one line. @param {State} state */
export function seedText(state) {
  const { match, seat } = state;
  const named = match.seats.map(({ name }, index) => (index === seat ? _("you") : name));
  const awaited = awaitedSeats(state).map((index) => named[index]);
  if (awaited.length) return _("Waiting for %(names)s.", { names: listed(awaited) });
  const given = named.filter((name, index) => match.seats[index].by_player);
  return given.length ? _("A seed is given by %(names)s; everything else was fixed before it.", { names: listed(given) }) : _("Fixed before the first roll.");
}

/** What a request says in place of how the match stands, until it can be sent. @param {string} action */
const heldText = (action) => action && _("%(what)s: will be sent when the connection is back.", { what: LABELS[action] ?? action });

/** Requests that are shown only with what they answer, and those that can be made at any time. */
const ANY_TIME = new Set(["adjourn"]);

export class Sidebar {
  /** @param {HTMLElement | null} dice  null at a real board @param {(what: string) => void} ask */
  constructor(dice, ask) {
    this.dice = dice;
    this.request = find("request");
    this.pause = find("break");
    this.ask = ask;
    this.offered = "";
    /** What was asked for that waits for the connection; "" for nothing. */
    this.held = "";
    /** What the request says that was closed. */
    this.closed = "";
    /** Whether the request is on the screen. */
    this.inSight = false;
    this.link = this.linkInBar();
    /** What is known of whoever is waited for; "" for nothing. */
    this.awaited = "";
    /** @type {State | null} */
    this.state = null;
  }

  /** Says something about whoever is waited for. @param {string} text */
  say(text) {
    this.awaited = text;
    if (this.state) this.set(this.state);
  }

  /** Says what was asked for that waits for the connection. @param {string} action */
  hold(action) {
    if (action === this.held) return;
    this.held = action;
    if (this.state) this.set(this.state);
  }

  /** A link to the request, shown while that is out of sight: on a phone it lies below the board. */
  linkInBar() {
    const link = element("a", { class: "pill request-link", href: "#request", hidden: "" });
    link.addEventListener("click", (event) => {
      event.preventDefault(); // the address stays that of the match
      this.request.scrollIntoView({ block: "center" });
      this.request.querySelector("button")?.focus({ preventScroll: true });
    });
    document.querySelector(".match .top nav")?.before(link);
    new IntersectionObserver((changes) => {
      this.inSight = changes.some((change) => change.isIntersecting);
      this.showLink();
    }, { threshold: 0.5 }).observe(this.request);
    return link;
  }

  showLink() {
    this.link.hidden = this.request.hidden || this.inSight;
  }

  /** Hides what the viewer has asked for, until it changes. */
  close() {
    this.closed = findIn(this.request, "[data-text]").textContent ?? "";
    this.request.hidden = true;
    this.showLink();
  }

  /** @param {State} state */
  set(state) {
    this.state = state;
    if (this.dice) {
      setText(findIn(this.dice, "[data-text]"), seedText(state));
      findIn(this.dice, "[data-check]").hidden = !state.over;
    }
    const { may, asked_by: asker } = state.adjournment;
    const text = heldText(this.held) || adjournmentText(state);
    const answers = this.held ? [] : may.filter((what) => text || !ANY_TIME.has(what));
    const others = may.filter((what) => !answers.includes(what));
    const waiting = awaitedText(state);
    const told = waiting && this.awaited ? this.awaited : waiting;
    const said = text || (answers.length ? _("%(player)s is away.", { player: state.view.labels.far }) : told);
    if (said !== this.closed) this.closed = "";
    this.request.hidden = !said || said === this.closed;
    this.pause.hidden = !others.length;
    setText(findIn(this.request, "[data-text]"), said);
    setText(this.link, said);
    this.showLink();
    const closes = asker === "near" && state.seat !== null && !answers.length;
    const offered = `${answers} ${others} ${closes}`;
    if (offered === this.offered) return;
    this.offered = offered;
    findIn(this.request, "[data-actions]").replaceChildren(...answers.map((what) => this.button(what)), ...(closes ? [this.closer()] : []));
    findIn(this.pause, "[data-actions]").replaceChildren(...others.map((what) => this.button(what)));
  }

  /** The button of a request that has no answer: the other player has to agree. */
  closer() {
    const made = element("button", { type: "button", class: "button" }, [_("Close")]);
    made.addEventListener("click", () => this.close());
    return made;
  }

  /** @param {string} what */
  button(what) {
    const made = element("button", { type: "button", class: "button", "data-ask": what }, [LABELS[what] ?? what]);
    made.addEventListener("click", () => {
      made.closest("dialog")?.close();
      this.ask(what);
    });
    return made;
  }
}
