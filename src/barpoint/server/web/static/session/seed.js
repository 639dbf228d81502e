// The seed that this browser gives for the dice: chosen before it knows the other player's, committed to by its SHA-256, and
// kept here with the server's commitment, so that the report of the dice can be compared with both.

/** @import {State} from "../match/types.js" */
import { inBrowser } from "../kept.js";

const KEY = "barpoint-dice-";
const SEED_BYTES = 16;

/** @typedef {{seed: string, commitment: string}} Kept */

/** What this browser keeps of the dice of a match or a chouette. @param {string} id @returns {Kept | null} */
export const keptSeed = (id) => inBrowser.value(KEY + id);

/** @param {Uint8Array} bytes */
const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Seed {
  /** @param {string} id  of the match or the chouette */
  constructor(id) {
    this.id = id;
    this.seed = keptSeed(id)?.seed ?? hexadecimal(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
    /** @type {string | null} the SHA-256 of the seed, once it is computed */
    this.digest = null;
    this.kept = keptSeed(id) !== null;
  }

  /** The SHA-256 of the seed; null where this page may not compute one, without TLS and not on this machine. @returns {Promise<string | null>} */
  async commitment() {
    if (this.digest === null && globalThis.crypto?.subtle) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(this.seed));
      this.digest = hexadecimal(new Uint8Array(digest));
    }
    return this.digest;
  }

  /** Keeps the server's commitment, and returns the seed once both players have committed to theirs; else null. @param {State} state */
  due({ seat, match }) {
    if (seat !== 0 && seat !== 1) return null;
    const mine = match.seats[seat];
    if (!mine.by_player || this.digest === null || mine.commitment !== this.digest) return null;
    this.keep(match.commitment);
    const ready = match.seats.every(({ commitment, by_player }) => commitment !== null || !by_player);
    return ready && mine.seed === null ? this.seed : null;
  }

  /** @param {string} commitment  the server's */
  keep(commitment) {
    if (this.kept) return;
    this.kept = true;
    inBrowser.set(KEY + this.id, JSON.stringify({ seed: this.seed, commitment })); // else the server's own seed is used after a reload
  }
}
