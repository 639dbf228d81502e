// A WebSocket that reconnects: after each failure it waits longer, with jitter so that clients do not return all at once.
// A connection can be dead without being closed; one that leaves a question unanswered for too long is abandoned.

import { _ } from "../board/language.js";
import { inWindow } from "../kept.js";
import { formatExact, parseExact } from "./exact.js";
import { showLasting } from "./lasting.js";

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
/** The code with which the server closes a connection that it does not allow; the reason says why. */
const NOT_ALLOWED = 1008;
/** The reason where the page speaks another version of the protocol. */
const OUTDATED = "protocol";
/** The reason where this browser belongs to somebody else from now on, or to nobody. */
export const LOGGED_OUT = "logged out";
/** Under this name the address of a page is kept that was loaded again because it was outdated. */
const LOADED_AGAIN = "loaded-again";

/**
 * @typedef {object} Listener
 * @property {(message: unknown) => void} message  a message, parsed
 * @property {() => void} [open]
 * @property {(reason: string) => void} [close]  reason: why the server does not allow it; "" where it was lost otherwise
 */

/** Loads an outdated page again, once; says so where that has not helped, or where it cannot be known whether it was tried. */
function loadAgain() {
  const tried = inWindow.get(LOADED_AGAIN) === location.pathname;
  inWindow.set(LOADED_AGAIN, location.pathname);
  if (!tried && inWindow.get(LOADED_AGAIN) === location.pathname) location.reload();
  else showLasting(_("This page is older than the server: load it again."));
}

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
    /** Whether it is not to be opened again. */
    this.ended = false;
    this.open();
    addEventListener("online", () => this.abandon());
  }

  open() {
    if (this.ended || this.socket && this.socket.readyState <= WebSocket.OPEN) return;
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
    socket.onclose = ({ code, reason }) => {
      const why = code === NOT_ALLOWED ? reason : "";
      this.ended ||= why === OUTDATED;
      this.forget(socket, why);
      if (why === OUTDATED) loadAgain();
      if (this.ended) return;
      setTimeout(() => this.open(), this.wait * (0.6 + 0.8 * Math.random()));
      this.wait = Math.min(MAX_WAIT_MS, this.wait * GROWTH);
    };
  }

  /** Ends it for good. */
  end() {
    this.ended = true;
    this.socket?.close();
  }

  /** Nothing of this socket counts any more. @param {WebSocket} socket @param {string} [reason]  as a listener is told */
  forget(socket, reason = "") {
    socket.onopen = () => socket.close();
    socket.onmessage = socket.onclose = null;
    this.socket = undefined;
    this.asked = null;
    this.listener.close?.(reason);
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
    inWindow.remove(LOADED_AGAIN);
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
