// The seed that this browser gives for the dice of a match: chosen before it knows the other's, sealed by its SHA-256, and
// kept here with the server's commitment, so that the report can be compared with both.

/** @import {State} from "./link.js" */

const KEY = "barpoint-dice-";
const SEED_BYTES = 16;

/** @typedef {{seed: string, commitment: string}} Kept */

/** What this browser keeps of a match's dice. @param {string} match @returns {Kept | null} */
export function keptSeed(match) {
  try {
    return JSON.parse(localStorage.getItem(KEY + match) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Seed {
  /** @param {string} match  its id */
  constructor(match) {
    this.match = match;
    this.seed = keptSeed(match)?.seed ?? hexadecimal(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
    /** @type {string | null} */
    this.seal = null;
    this.kept = keptSeed(match) !== null;
  }

  /** The seal; null where this page may not compute one, without TLS and not on this machine. @returns {Promise<string | null>} */
  async sealed() {
    if (this.seal === null && globalThis.crypto?.subtle) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(this.seed));
      this.seal = hexadecimal(new Uint8Array(digest));
    }
    return this.seal;
  }

  /** Keeps what the server has said, and gives the seed to tell once both are sealed; else null. @param {State} state */
  due({ seat, match }) {
    if (seat !== 0 && seat !== 1) return null;
    const mine = match.seats[seat];
    if (!mine.by_player || this.seal === null || mine.sealed !== this.seal) return null;
    this.keep(match.commitment);
    const sealed = match.seats.every(({ sealed, by_player }) => sealed !== null || !by_player);
    return sealed && mine.seed === null ? this.seed : null;
  }

  /** @param {string} commitment */
  keep(commitment) {
    if (this.kept) return;
    this.kept = true;
    try {
      localStorage.setItem(KEY + this.match, JSON.stringify({ seed: this.seed, commitment }));
    } catch {
      // storage is closed: after a reload the server's own seed stands in
    }
  }
}
