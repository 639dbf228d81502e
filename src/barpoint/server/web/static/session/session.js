// The live session of a match or a chouette: joins by the last event known, and repeats after a reconnect what was not
// acknowledged. A command keeps its id, so sending it twice does it once; a line of chat keeps the line it follows; what is asked for
// besides is sent again only where it can still be asked for.

/** @import {Move, View} from "../board/types.js" */
/** @import {ChatMessage} from "./chat.js" */
import { showNews, tellsNews } from "../news.js";
import { Connection, LOGGED_OUT, WATCH_MS } from "./connection.js";
import { Requests } from "./requests.js";

/**
 * @typedef {{seq: number, by: number | null, game: number, kind: string, text: string, faces: number[], moves?: Move[], title?: string, automatic?: boolean}} Line
 *   an event in the list of moves. automatic: the server has made the play for its player
 * @typedef {{seq: number, roll_seq: number, version: number, view: View}} SharedState
 *   what the states of matches and of chouettes have in common. roll_seq: the event that made the roll, to which
 *   tried moves belong; version: of those moves
 * @typedef {{say: "chat"} & ChatMessage | {say: "pong", number: number} | {say: "done", id: string, seq: number}
 *   | {say: "refused", id: string | null, code: string, message: string} | {say: "tried"} | {say: "news", html: string}} Answer
 * @typedef {{do: "act" | "enter", id: string, seq: number, event: Record<string, unknown>, to?: number[]}} Command
 */

/**
 * What differs between a match and a chouette, and who listens.
 * @template {SharedState} S
 * @typedef {object} SessionOptions
 * @property {string} stateTag  how the server marks a message that is a state
 * @property {() => Promise<Record<string, unknown>>} greeting  fields of the first message, besides those of every session
 * @property {boolean} tellsLag  whether commands say how long messages take
 * @property {(state: S) => void} state
 * @property {(code: string, message: string) => void} refused
 * @property {(online: boolean) => void} status  told when the server stops answering, and when it answers again
 * @property {(waits: boolean) => void} waits  told when a command waits for the connection, and when that is back
 * @property {() => void} held  a line of chat, or what is asked for, cannot be sent now; it is sent after a reconnect
 * @property {(state: S) => string[]} [asks]  what can be asked for about a match itself
 * @property {(action: string) => void} [asked]  told what was asked for that waits for the connection; "" for nothing
 * @property {(chat: ChatMessage) => void} chat
 * @property {(texts: string[]) => void} unsent  told the lines of chat that the server has not acknowledged
 * @property {(text: string) => void} unsaid  the server has refused a line of chat
 */

const PROTOCOL = 2;
/** An answer that takes longer looks like a lost connection. */
const SILENT_MS = 1500;
const PINGS_KEPT = 6;

/** An id that no other command has. */
const newId = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** @template {SharedState} S */
export class Session {
  /** @param {string} path @param {SessionOptions<S>} options */
  constructor(path, options) {
    this.options = options;
    /** @type {S | null} */
    this.state = null;
    /** Whether the server has sent a state on this connection. */
    this.joined = false;
    /** @type {boolean | null} whether the server answers; null before it is known */
    this.online = null;
    /** @type {Command | null} the command that waits for its answer */
    this.pending = null;
    /** @type {{seq: number, moves: number[][]} | null} */
    this.draft = null;
    this.version = 0;
    /** @type {{id: string, text: string, after?: number}[]} lines of chat to send; the first waits for its answer */
    this.unsent = [];
    /** The last line of chat that is known. */
    this.heard = 0;
    /** @type {number[]} how long the last pings took, in ms */
    this.pings = [];
    this.connection = new Connection(path, {
      open: () => void this.join(),
      // The server is ours, and both protocols are checked there: what comes is a state or an answer.
      message: (message) => this.hear(/** @type {({say: string} & S) | Answer} */ (message)),
      close: (reason) => {
        this.joined = false;
        if (reason === LOGGED_OUT) showNews(""); // what waited was for somebody else
        if (!this.connection.ended) this.tell(false);
      },
    });
    this.requests = new Requests(this.connection);
    setInterval(() => this.watch(), WATCH_MS);
    document.addEventListener("visibilitychange", () => document.hidden || this.watch(0));
    addEventListener("offline", () => this.tell(false)); // at once; an answer that comes all the same says otherwise
  }

  async join() {
    const more = await this.options.greeting();
    this.connection.ask({ do: "join", protocol: PROTOCOL, seq: this.state ? this.state.seq : null, ...(tellsNews && { news: true }), ...more });
    this.connection.ping();
  }

  /** Looks after the connection. @param {number} [pause]  ms from one question to the next */
  watch(pause) {
    const { connection } = this;
    connection.watch(this.joined ? pause : Infinity); // the server must first be joined
    if (connection.silence_ms > SILENT_MS) this.tell(false);
  }

  /** Says whether the server answers, if that has changed. @param {boolean} online */
  tell(online) {
    if (online === this.online) return;
    this.online = online;
    this.options.status(online);
    this.tellWaiting();
  }

  /** Says whether a command waits for the connection, and what was asked for. */
  tellWaiting() {
    this.options.waits(!this.online && this.pending !== null && this.pending.seq === this.state?.seq);
    this.options.asked?.(this.online ? "" : this.requests.action);
  }

  /** The shortest time that a message and its answer lately took, in whole ms: the clock does not charge it. */
  get lag() {
    return this.pings.length ? Math.min(...this.pings) : 0;
  }

  /** @param {({say: string} & S) | Answer} message */
  hear(message) {
    if (this.joined) this.tell(true);
    if ("view" in message) {
      if (message.say === this.options.stateTag) this.adopt(message);
    } else if (message.say === "pong") this.hearPong(message.number);
    else if (message.say === "chat") {
      this.heard = message.lines.reduce((last, { id }) => Math.max(last, id), this.heard);
      this.options.chat({ ...message, muted: this.requests.muted ?? message.muted });
    } else if (message.say === "news") showNews(message.html);
    else if (message.say === "done") this.settle(message.id, message.seq);
    else if (message.say === "refused" && message.code !== "protocol") { // that closes the connection, which says what to do
      const line = this.settle(message.id);
      this.options.refused(message.code, message.message);
      if (line) this.options.unsaid(line.text);
    }
  }

  /** @param {number} number  of the ping; 0 for one that only asks how long messages take */
  hearPong(number) {
    if (number) this.requests.answered(number);
    else this.pings = [...this.pings, Math.round(performance.now() - this.connection.pinged)].slice(-PINGS_KEPT);
  }

  /** The command or line of chat with this id has its answer; returns the line. @param {string | null} id @param {number} [seq]  the line's number */
  settle(id, seq = 0) {
    if (id !== null && id === this.pending?.id) this.pending = null;
    if (id === null || id !== this.unsent[0]?.id) return undefined;
    this.heard = Math.max(this.heard, seq);
    const line = this.unsent.shift();
    this.tellUnsent();
    this.sendLine();
    return line;
  }

  tellUnsent() {
    this.options.unsent(this.unsent.map(({ text }) => text));
  }

  /** @param {S} state */
  adopt(state) {
    const fresh = !this.joined;
    this.joined = true;
    this.connection.settle();
    if (!this.state || state.roll_seq !== this.state.roll_seq) this.version = state.version;
    this.version = Math.max(this.version, state.version);
    this.state = state;
    if (fresh) {
      this.tell(true);
      this.version = state.version;
      if (this.draft && this.draft.seq === state.roll_seq && !this.pending) this.tryMoves(this.draft.moves);
      this.repeat();
      this.sendLine();
      if (!this.options.asks?.(state).includes(this.requests.action)) this.requests.kept.delete("ask");
      this.requests.send(true);
    }
    this.options.state(state);
  }

  /** Asks for something about the match itself, such as to adjourn it, now or as soon as the server answers again. @param {string} action */
  askFor(action) {
    this.request({ do: "ask", action });
  }

  /** Mutes the chat for this viewer, or no longer. @param {boolean} muted */
  mute(muted) {
    this.request({ do: "mute", muted });
  }

  /** @param {import("./requests.js").Request} request */
  request(request) {
    this.requests.keep(request);
    if (this.joined) this.requests.send();
    if (!this.joined || this.online === false) this.options.held();
    this.tellWaiting();
  }

  /** Sends something that needs no acknowledgement. @param {Record<string, unknown>} message */
  send(message) {
    this.connection.send(message);
  }

  /** Asks for an event; one at a time, until its answer or a newer state.
   * @param {Record<string, unknown>} event @param {number[]} [to]  players, for the box of a chouette */
  act(event, to) {
    this.command({ do: "act", event, ...(to ? { to } : {}) });
  }

  /** Enters what happened at a real board. @param {Record<string, unknown>} event */
  enter(event) {
    this.command({ do: "enter", event });
  }

  /** @param {Omit<Command, "id" | "seq">} command */
  command(command) {
    if (!this.state || this.pending?.seq === this.state.seq) return;
    this.pending = { ...command, id: newId(), seq: this.state.seq };
    if (this.joined) this.repeat();
    this.tellWaiting();
  }

  /** Sends the command that waits for its answer, again after a reconnect. */
  repeat() {
    if (!this.pending) return;
    const tellsLag = this.options.tellsLag && this.pending.do === "act";
    this.connection.ask(tellsLag ? { ...this.pending, lag: this.lag } : this.pending);
  }

  /** Writes a line of chat, now or as soon as the server answers again. @param {string} text */
  say(text) {
    this.unsent.push({ id: newId(), text });
    this.tellUnsent();
    if (!this.joined) this.options.held();
    else if (this.unsent.length === 1) this.sendLine();
  }

  /** Sends the line of chat that is next, again after a reconnect: what it follows does not change. */
  sendLine() {
    const [line] = this.unsent;
    if (!line || !this.joined) return;
    line.after ??= this.heard;
    this.connection.ask({ do: "say", ...line });
  }

  /** Keeps moves that are tried. @param {number[][]} moves */
  tryMoves(moves) {
    if (!this.state) return;
    this.draft = { seq: this.state.roll_seq, moves };
    if (!this.joined) return;
    this.version += 1;
    this.connection.send({ do: "try", seq: this.state.roll_seq, version: this.version, moves });
  }
}
