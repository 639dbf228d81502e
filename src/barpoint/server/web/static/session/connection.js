// A WebSocket that reconnects: after each failure it waits longer, with jitter so that clients do not return all at once.

import { formatExact, parseExact } from "./exact.js";

const MIN_WAIT_MS = 300;
const MAX_WAIT_MS = 10_000;
const GROWTH = 1.7;

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
    /** When the last message came, in ms since 1970; 0 before the first. */
    this.heard = 0;
    this.open();
    addEventListener("online", () => this.open());
  }

  open() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => this.listener.open?.();
    socket.onmessage = (event) => {
      this.heard = Date.now();
      if (socket === this.socket) this.listener.message(parseExact(event.data));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.listener.close?.();
      setTimeout(() => this.open(), this.wait * (0.6 + 0.8 * Math.random()));
      this.wait = Math.min(MAX_WAIT_MS, this.wait * GROWTH);
    };
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** The connection works: after the next failure it waits shortly again. */
  settle() {
    this.wait = MIN_WAIT_MS;
  }

  close() {
    this.socket?.close();
  }

  /** Sends a message if the connection is open. @param {Record<string, unknown>} message */
  send(message) {
    if (this.isOpen) this.socket?.send(formatExact(message));
  }
}
