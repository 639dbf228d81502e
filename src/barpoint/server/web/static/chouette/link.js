// The connection to a table: as to a match, but that commands may name players, and that a seed for the dice is told unsealed.

import { Link, PROTOCOL } from "../match/link.js";

/**
 * @typedef {{by: number, points: number}} OfferShown
 * @typedef {{player: number, name: string, bot: boolean, role: string, state: string, points: number, leaving: boolean,
 *   asks: boolean, cube: number, owner: string | null, offered: number, won: number | null, seed: string | null, settle: OfferShown[]}} Place
 * @typedef {{kind: string, to?: number[], value?: number}} May
 * @typedef {import("../match/link.js").Line & {results?: string[]}} TableLine
 * @typedef {{id: string, title: string, terms: string, one_cube: boolean, consulting: string, decision_ms: number,
 *   commitment: string, seed: string | null}} TableShown
 * @typedef {{say: "table", table: TableShown, player: number | null, facing: number | null, seq: number, roll_seq: number,
 *   version: number, playing: boolean, over: boolean, games: number, box: number | null, captain: number | null,
 *   places: Place[], waits_for: number[], may: May[], view: import("../board/types.js").View, log: TableLine[],
 *   talk: boolean, due_ms: number | null}} TableState
 */

const NO_SEED = /** @type {any} */ ({ due: () => null, sealed: async () => null });

export class TableLink extends Link {
  /** @param {string} address @param {{state: (state: TableState) => void, refused: (code: string, message: string) => void,
   *   status: (online: boolean) => void, words: (told: any) => void}} listener */
  constructor(address, listener) {
    super(address, NO_SEED, /** @type {any} */ (listener));
  }

  async join() {
    this.send({ do: "join", protocol: PROTOCOL, seq: this.state ? this.state.seq : null });
    this.ping();
  }

  /** @param {any} message */
  hear(message) {
    if (message.say === "table") this.adopt(message);
    else super.hear(message);
  }

  /** Asks for an event. @param {Record<string, unknown>} event @param {number[]} to  players, for the box */
  want(event, to = []) {
    if (!this.state || this.command?.seq === this.state.seq) return;
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.command = /** @type {any} */ ({ do: "act", id, seq: this.state.seq, event, to });
    this.repeat();
  }

  repeat() {
    if (this.command) this.send(this.command);
  }
}
