// The connection to the server: joins by the last event known, comes back by itself, and sends again what was not
// acknowledged. A command keeps its id, so that sending it twice does it once.

/** @import {Seed} from "./seed.js" */
/**
 * @typedef {{seq: number, by: number | null, game: number, kind: string, text: string, faces: number[]}} Line
 * @typedef {{id: string, variant: string, title: string, terms: string, length: number,
 *   seats: SeatShown[], commitment: string, rematch: string | null, rated: boolean, fee: number}} MatchShown
 * @typedef {{kind: string, name: string, bot: boolean, by_player: boolean, sealed: string | null, seed: string | null}} SeatShown
 * @typedef {{say: "state", match: MatchShown, seat: number | null, seq: number, roll_seq: number, version: number,
 *   view: import("../board/types.js").View, log: Line[], over: boolean, clock: ClockShown | null, due: Due | null,
 *   recess: Recess, ratings: {near: Rating, far: Rating} | null}} State
 * @typedef {{adjourned: boolean, asked_by: "near" | "far" | null, claimed_by: "near" | "far" | null, may: string[]}} Recess
 * @typedef {{value: number, provisional: boolean, before: number | null, after: number | null}} Rating
 * @typedef {{ms: number, runs: boolean}} Side
 * @typedef {{name: string, delay_ms: number, free_ms: number, near: Side, far: Side}} ClockShown
 * @typedef {{kind: string, ms: number, by: "near" | "far" | null}} Due
 * @typedef {{do: string, id: string, seq: number, event: Record<string, unknown>}} Command
 * @typedef {{state: (state: State) => void, refused: (code: string, message: string) => void,
 *   status: (online: boolean) => void, words: (told: {lines: import("./talk.js").Words[], muted: boolean}) => void}} Listener
 */

export const PROTOCOL = 1;
const SHORTEST_MS = 300;
const LONGEST_MS = 10000;
const QUIET_MS = 25000;
const WAYS_KEPT = 6;

export class Link {
  /** @param {string} address @param {Seed} seed @param {Listener} listener */
  constructor(address, seed, listener) {
    this.address = address;
    this.seed = seed;
    this.listener = listener;
    /** @type {State | null} */
    this.state = null;
    /** @type {Command | null} */
    this.command = null;
    /** @type {{seq: number, moves: number[][]} | null} */
    this.draft = null;
    this.version = 0;
    this.wait = SHORTEST_MS;
    this.heard = 0;
    this.pinged = 0;
    /** @type {number[]} how long the last pings took, in ms */
    this.ways = [];
    this.open();
    setInterval(() => this.keepAlive(), QUIET_MS / 5);
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.keepAlive());
  }

  open() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      void this.join();
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      if (socket === this.socket) this.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.joined = false;
      this.listener.status(false);
      setTimeout(() => this.open(), this.wait * (0.6 + 0.8 * Math.random()));
      this.wait = Math.min(LONGEST_MS, this.wait * 1.7);
    };
  }

  /** The first words of a connection, with the seal of this browser's seed for the dice. */
  async join() {
    const seal = await this.seed.sealed();
    this.send({ do: "join", protocol: PROTOCOL, seq: this.state ? this.state.seq : null, seal });
    this.ping();
  }

  /** A laptop that was asleep does not notice that its connection is gone: asks, and gives up on one that is silent. */
  keepAlive() {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return;
    if (this.heard && Date.now() - this.heard > QUIET_MS) this.socket.close();
    else this.ping();
  }

  /** The answer tells how long messages take on their way; that is no time of the player's. */
  ping() {
    this.pinged = performance.now();
    this.send({ do: "ping", number: 0 });
  }

  /** What a command takes on its way, in whole ms: the least of what was measured lately. */
  get lag() {
    return this.ways.length ? Math.min(...this.ways) : 0;
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {any} message */
  hear(message) {
    if (message.say === "state") this.adopt(message);
    else if (message.say === "pong") this.ways = [...this.ways, Math.round(performance.now() - this.pinged)].slice(-WAYS_KEPT);
    else if (message.say === "words") this.listener.words(message);
    else if (message.say === "done" && message.id === this.command?.id) this.command = null;
    else if (message.say === "refused") {
      if (message.id !== null && message.id === this.command?.id) this.command = null;
      this.listener.refused(message.code, message.message);
    }
  }

  /** @param {State} state */
  adopt(state) {
    const fresh = !this.joined;
    this.joined = true;
    this.wait = SHORTEST_MS;
    if (!this.state || state.roll_seq !== this.state.roll_seq) this.version = state.version;
    this.version = Math.max(this.version, state.version);
    this.state = state;
    if (fresh) {
      this.listener.status(true);
      this.version = state.version;
      if (this.draft && this.draft.seq === state.roll_seq && !this.command) this.tryMoves(this.draft.moves);
      this.repeat();
    }
    const told = this.seed.due(state);
    if (told !== null) this.send({ do: "seed", seed: told });
    this.listener.state(state);
  }

  /** Asks to adjourn, to go on, to claim, or declines that. @param {string} wish */
  ask(wish) {
    this.send({ do: "ask", wish });
  }

  /** Asks for an event, or enters what happened at a real board; one at a time, until its answer or news that it is done.
   * @param {Record<string, unknown>} event @param {"act" | "enter"} [way] */
  act(event, way = "act") {
    if (!this.state || this.command?.seq === this.state.seq) return;
    this.command = { do: way, id: crypto.getRandomValues(new Uint32Array(4)).join("-"), seq: this.state.seq, event };
    this.repeat();
  }

  /** Sends what was asked for, and again after the connection was lost. */
  repeat() {
    if (this.command?.do === "act") this.send({ ...this.command, lag: this.lag });
    else if (this.command) this.send(this.command);
  }

  /** Keeps moves that are tried. @param {number[][]} moves */
  tryMoves(moves) {
    if (!this.state) return;
    this.draft = { seq: this.state.roll_seq, moves };
    if (!this.joined) return;
    this.version += 1;
    this.send({ do: "try", seq: this.state.roll_seq, version: this.version, moves });
  }
}
