// What is said and asked around the events of a match: its dice, a break, a claim, and what it changes for the players.

/** @import {State} from "./link.js" */

/** @type {Record<string, string>} */
const WISHES = { adjourn: "Adjourn", resume: "Go on", claim: "Claim the match", decline: "Decline" };

/** A rating as it stands beside a name; with "?" while little is known of it. @param {{value: number, provisional: boolean}} rating */
export const ratingText = ({ value, provisional }) => `${Math.round(value)}${provisional ? "?" : ""}`;

/** What a match has changed: "1500 → 1517 (+17.2)". @param {{before: number | null, after: number | null}} rating */
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

/** What stands beside the board about a break, in one line; "" when nothing does. @param {State} state */
export function recessText({ recess, view, seat }) {
  const other = view.labels.far;
  const name = (/** @type {"near" | "far"} */ side) => view.labels[side];
  if (recess.claimed_by) {
    if (seat === null) return `${name(recess.claimed_by)} claims the match: the other player has left.`;
    return recess.claimed_by === "near" ? `${other} has left. The match is yours when the time is up.` : `${other} has claimed the match.`;
  }
  if (recess.asked_by === "near" && seat !== null) return `You want to ${recess.adjourned ? "go on" : "adjourn"}. ${other} has to agree.`;
  if (recess.asked_by) return `${name(recess.asked_by)} ${recess.asked_by === "near" ? "want" : "wants"} to ${recess.adjourned ? "go on" : "adjourn"}.`;
  return recess.adjourned ? "The match is adjourned. No clock runs; it goes on when both want to." : "";
}

/** Who gives the seeds of the dice, in one line. @param {State} state */
export function seedText({ match, seat, seq }) {
  const named = match.seats.map(({ name }, index) => (index === seat ? "you" : name));
  const awaited = named.filter((_, index) => match.seats[index].by_player && match.seats[index].sealed === null);
  if (match.seats.every(({ kind }) => kind !== "open") && awaited.length && seq === 0) return `Waiting for ${awaited.join(" and ")}.`;
  const given = named.filter((_, index) => match.seats[index].by_player);
  return given.length ? `A seed is given by ${given.join(" and ")}; everything else was fixed before it.` : "Fixed before the first roll.";
}

export class Around {
  /** @param {HTMLElement | null} dice  null at a real board @param {HTMLElement} recess @param {(wish: string) => void} ask */
  constructor(dice, recess, ask) {
    this.dice = dice;
    this.recess = recess;
    this.ask = ask;
    this.wishes = "";
  }

  /** @param {State} state */
  set(state) {
    if (this.dice) {
      this.put(this.dice, "[data-text]", seedText(state));
      /** @type {HTMLElement} */ (this.dice.querySelector("[data-check]")).hidden = !state.over;
    }
    const { may } = state.recess;
    const text = recessText(state);
    this.recess.hidden = !text && !may.length;
    this.put(this.recess, "[data-text]", text);
    if (may.join() === this.wishes) return;
    this.wishes = may.join();
    const place = /** @type {HTMLElement} */ (this.recess.querySelector("[data-wishes]"));
    place.replaceChildren(...may.map((wish) => this.button(wish)));
  }

  /** @param {string} wish */
  button(wish) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button";
    made.dataset.wish = wish;
    made.textContent = WISHES[wish] ?? wish;
    made.addEventListener("click", () => this.ask(wish));
    return made;
  }

  /** @param {HTMLElement} box @param {string} place @param {string} text */
  put(box, place, text) {
    const found = /** @type {HTMLElement} */ (box.querySelector(place));
    if (found.textContent !== text) found.textContent = text;
  }
}
