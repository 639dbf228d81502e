// Waiting at a rematch: the other player is still at the match before it, or has left.

/** @import {State} from "./types.js" */

const ASK_MS = 4000;

export class RematchWait {
  /** @param {string} after  the match before @param {(text: string) => void} say  told what is known of the other player, "" for nothing */
  constructor(after, say) {
    this.path = `/match/${encodeURIComponent(after)}/rematch`;
    this.say = say;
    this.timer = 0;
  }

  /** Asks until the rematch has begun, or is over. @param {State} state */
  set({ seq, over }) {
    if (seq > 0 || over) {
      clearInterval(this.timer);
      this.say("");
    } else if (!this.timer) this.timer = setInterval(() => void this.ask(), ASK_MS);
  }

  async ask() {
    const answer = await fetch(this.path).catch(() => null); // the page says that there is no connection
    if (answer?.ok) this.say((await answer.json()).text);
  }
}
