// A WebSocket that reconnects: after each failure it waits longer, with jitter so that clients do not return all at once.
// A connection can be dead without being closed; one that leaves a question unanswered for too long is abandoned.

import { formatExact, parseExact } from "./exact.js";

const MIN_WAIT_MS = 300;
const MAX_WAIT_MS = 10_000;
const GROWTH = 1.7;
/** How long an answer may take. A server that is slower gets more time after each connection that was abandoned. */
const MIN_PATIENCE_MS = 5000;
const MAX_PATIENCE_MS = 25_000;
/** How often whoever has a connection looks after it. */
export const WATCH_MS = 1000;
/** From one ping to the next. */
const PING_MS = 5000;

/**
 * @typedef {object} Listener
 * @property {(message: unknown) => void} message  a message, parsed
 * @property {() => void} [open]
 * @property {() => void} [close]
 */

export class Connection {
  /** @param {string} path  on this server @param {Listener} listener */
  constructor(path, listener) {
    this.address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
    this.listener = listener;
    this.wait = MIN_WAIT_MS;
    this.patience = MIN_PATIENCE_MS;
    /** @type {number | null} since when an answer, or the connection itself, is awaited, in ms since 1970 */
    this.asked = null;
    /** When the last ping was sent, as performance.now(). */
    this.pinged = 0;
    this.open();
    addEventListener("online", () => this.abandon());
  }

  open() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.asked = Date.now();
    socket.onopen = () => {
      this.asked = null;
      this.listener.open?.();
    };
    socket.onmessage = (event) => {
      if (this.silence_ms < MIN_PATIENCE_MS) this.patience = MIN_PATIENCE_MS;
      this.asked = null;
      this.listener.message(parseExact(event.data));
    };
    socket.onclose = () => {
      this.forget(socket);
      setTimeout(() => this.open(), this.wait * (0.6 + 0.8 * Math.random()));
      this.wait = Math.min(MAX_WAIT_MS, this.wait * GROWTH);
    };
  }

  /** Nothing of this socket counts any more. @param {WebSocket} socket */
  forget(socket) {
    socket.onopen = () => socket.close();
    socket.onmessage = socket.onclose = null;
    this.socket = undefined;
    this.asked = null;
    this.listener.close?.();
  }

  /** Opens a new connection in place of this one. Browsers report that a dead one is closed only after minutes. */
  abandon() {
    const { socket } = this;
    if (socket) this.forget(socket);
    if (socket?.readyState === WebSocket.OPEN) socket.close();
    this.open();
  }

  /** Abandons the connection if an answer takes too long. @returns {boolean} whether it did */
  abandonSilent() {
    if (this.silence_ms <= this.patience) return false;
    this.patience = Math.min(MAX_PATIENCE_MS, this.patience * GROWTH);
    this.abandon();
    return true;
  }

  /** Asks whether the server is still there. */
  ping() {
    this.pinged = performance.now();
    this.ask({ do: "ping", number: 0 });
  }

  /**
   * Abandons the connection if an answer takes too long; asks for one if none is awaited: a connection that is gone is
   * often not noticed. @param {number} [pause]  ms from one question to the next
   */
  watch(pause = PING_MS) {
    if (this.abandonSilent() || !this.isOpen || this.silence_ms) return;
    if (performance.now() - this.pinged >= pause) this.ping();
  }

  /** For how long an answer has been awaited, in ms. */
  get silence_ms() {
    return this.asked === null ? 0 : Date.now() - this.asked;
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** The connection works: after the next failure it waits shortly again. */
  settle() {
    this.wait = MIN_WAIT_MS;
  }

  /** Sends a message that the server answers. @param {Record<string, unknown>} message */
  ask(message) {
    if (this.isOpen) this.asked ??= Date.now();
    this.send(message);
  }

  /** Sends a message if the connection is open. @param {Record<string, unknown>} message */
  send(message) {
    if (this.isOpen) this.socket?.send(formatExact(message));
  }
}
