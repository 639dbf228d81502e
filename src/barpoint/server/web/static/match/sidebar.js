// What stands beside the board about a match: its dice, an adjournment, a claim, and what the result changed.

/** @import {State} from "./types.js" */
import { element, find, findIn, setText } from "../dom.js";

/** @type {Record<string, string>} */
const LABELS = { adjourn: "Adjourn", resume: "Go on", claim: "Claim the match", decline: "Decline" };

/** A rating as it stands beside a name; with "?" while little is known of it. @param {{value: number, provisional: boolean}} rating */
export const ratingText = ({ value, provisional }) => `${Math.round(value)}${provisional ? "?" : ""}`;

/** How a match changed a rating: "1500 → 1517 (+17.2)". @param {{before: number | null, after: number | null}} rating */
export function changeText({ before, after }) {
  if (before === null || after === null) return "";
  const step = after - before;
  return `${before.toFixed(0)} → ${after.toFixed(0)} (${step < 0 ? "−" : "+"}${Math.abs(step).toFixed(1)})`;
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
    words.push(won ? `You win ${2 * match.fee} tickets` : `${2 * match.fee} tickets to ${view.labels[winner]}`);
  }
  return words.join(" · ");
}

/** How an adjournment or a claim stands, in one line; "" when there is none. @param {State} state */
export function adjournmentText({ adjournment: { adjourned, asked_by: asker, claimed_by: claimer }, view, seat }) {
  const { labels } = view;
  if (claimer) {
    if (seat === null) return `${labels[claimer]} claims the match: the other player has left.`;
    return claimer === "near" ? `${labels.far} has left. The match is yours when the time is up.` : `${labels.far} has claimed the match.`;
  }
  const what = adjourned ? "go on" : "adjourn";
  if (asker === "near" && seat !== null) return `You want to ${what}. ${labels.far} has to agree.`;
  if (asker) return `${labels[asker]} wants to ${what}.`;
  return adjourned ? "The match is adjourned. No clock runs; it goes on when both want to." : "";
}

/** Who gives the seeds of the dice, in one line. @param {State} state */
export function seedText({ match, seat, seq }) {
  const named = match.seats.map(({ name }, index) => (index === seat ? "you" : name));
  const awaited = named.filter((_, index) => match.seats[index].by_player && match.seats[index].commitment === null);
  if (match.seats.every(({ kind }) => kind !== "open") && awaited.length && seq === 0) return `Waiting for ${awaited.join(" and ")}.`;
  const given = named.filter((_, index) => match.seats[index].by_player);
  return given.length ? `A seed is given by ${given.join(" and ")}; everything else was fixed before it.` : "Fixed before the first roll.";
}

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
  }

  /** @param {State} state */
  set(state) {
    if (this.dice) {
      setText(findIn(this.dice, "[data-text]"), seedText(state));
      findIn(this.dice, "[data-check]").hidden = !state.over;
    }
    const { may } = state.adjournment;
    const text = adjournmentText(state);
    const answers = may.filter((what) => text || !ANY_TIME.has(what));
    const others = may.filter((what) => !answers.includes(what));
    this.request.hidden = !text && !answers.length;
    this.pause.hidden = !others.length;
    setText(findIn(this.request, "[data-text]"), text || (answers.length ? `${state.view.labels.far} is away.` : ""));
    const offered = `${answers} ${others}`;
    if (offered === this.offered) return;
    this.offered = offered;
    findIn(this.request, "[data-actions]").replaceChildren(...answers.map((what) => this.button(what)));
    findIn(this.pause, "[data-actions]").replaceChildren(...others.map((what) => this.button(what)));
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
