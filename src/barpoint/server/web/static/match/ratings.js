// How well both have played: asked for when the match is over, and again while a deeper analysis is under way.

import { setText } from "../dom.js";

const ASK_AGAIN_MS = 3000;
/** Whoever leaves the page open is not told what comes later than this. */
const MAX_ASKED = 200;

export class MatchRatings {
  /** @param {HTMLElement} place @param {string} path  where the server says it */
  constructor(place, path) {
    this.place = place;
    this.path = path;
    this.asked = false;
  }

  /** Says it, unless nothing was played. @param {number} seq  the last event */
  async look(seq) {
    if (this.asked || seq < 2) return;
    this.asked = true;
    for (let count = 0; count < MAX_ASKED; count += 1) {
      const answer = await fetch(this.path).catch(() => null); // the page says that there is no connection
      if (answer?.ok) {
        const { text, coming } = await answer.json();
        setText(this.place, text);
        if (!coming) return;
      }
      await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    }
  }
}
