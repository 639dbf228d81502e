// Requests that the server answers by nothing of their own, such as to adjourn a match: each is kept until a ping behind it is answered, and
// can be sent again over the next connection.

/** @import {Connection} from "./connection.js" */
/** @typedef {{do: "ask", action: string} | {do: "mute", muted: boolean}} Request */

export class Requests {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Map<string, {number: number, request: Request}>} by what they do; number: of the ping behind the request, 0 before it is sent */
    this.kept = new Map();
    this.pings = 0;
  }

  /** The action that was asked for and that the server has not heard of; "" for none. */
  get action() {
    const request = this.kept.get("ask")?.request;
    return request?.do === "ask" ? request.action : "";
  }

  /** Whether to mute the chat, where the server has not heard of it. @returns {boolean | undefined} */
  get muted() {
    const request = this.kept.get("mute")?.request;
    return request?.do === "mute" ? request.muted : undefined;
  }

  /** Keeps a request, in place of an older one of its kind. @param {Request} request */
  keep(request) {
    this.kept.set(request.do, { number: 0, request });
  }

  /** Sends what is kept, but what has been sent over this connection. @param {boolean} [again]  that too: the connection is another one */
  send(again = false) {
    for (const one of this.kept.values()) {
      if (one.number && !again) continue;
      one.number = ++this.pings;
      this.connection.send(one.request);
      this.connection.ask({ do: "ping", number: one.number });
    }
  }

  /** The server has answered a ping, and heard all that was sent before. @param {number} number */
  answered(number) {
    for (const [kind, one] of this.kept) if (one.number && one.number <= number) this.kept.delete(kind);
  }
}
