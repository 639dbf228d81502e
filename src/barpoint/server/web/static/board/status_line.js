// The line below the board: what is going on, what is waited for, why a tap was refused, or that what was pressed waits to be sent.

/** @import {BarpointBoard} from "./board.js" */
/** @import {TurnInProgress} from "./turn.js" */
import { goesOnText } from "./access.js";
import { statusText } from "./actions.js";
import { html } from "./svg.js";

/** How long the reason why a tap was refused stands there. */
const REFUSED_MS = 4000;

export class StatusLine {
  /** @param {BarpointBoard} board */
  constructor(board) {
    this.board = board;
    this.element = html("p", { class: "bg-status" });
    /** Why the last tap was refused; empty once something else happens. */
    this.refused = "";
    /** Why nothing can be done until what was pressed has been sent; "" while that is not so. */
    this.held = "";
    /** What the page waits for before it goes on; "" where it does not. Nothing is barred meanwhile. */
    this.awaited = "";
    /** What the page says before what is going on. */
    this.preface = "";
  }

  /** @param {TurnInProgress} turn */
  draw(turn) {
    const urgent = this.held || this.refused;
    const follows = turn.view.dice?.follows && !turn.made.length ? `${goesOnText(turn.view)}. ` : "";
    this.element.textContent = urgent || this.awaited || `${this.preface} ${follows}${statusText(turn)}`.trim();
    this.element.classList.toggle("bg-refused", urgent !== "");
  }

  /** Says why a tap does nothing, here and aloud. @param {string} reason @param {string} before what is said first, aloud only */
  refuse(reason, before) {
    clearTimeout(this.timer);
    this.refused = reason;
    this.board.say(`${before}${reason}.`);
    this.board.redraw();
    this.timer = setTimeout(() => this.forgive(true), REFUSED_MS);
  }

  /** Forgets why the last tap was refused. @param {boolean} [draw] */
  forgive(draw = false) {
    clearTimeout(this.timer);
    if (!this.refused) return;
    this.refused = "";
    if (draw) this.board.redraw();
  }

  /** Says, here and aloud, that what was pressed waits; "" ends that. @param {string} text */
  hold(text) {
    if (text === this.held) return;
    this.held = text;
    this.board.say(text && `${text}.`);
    if (this.board.turn) this.board.drawPanel(this.board.turn);
  }

  /** Says, here and aloud, what the page waits for; "" ends that. @param {string} text */
  showAwaited(text) {
    if (text === this.awaited) return;
    this.awaited = text;
    this.board.say(text);
    if (this.board.turn) this.draw(this.board.turn);
  }

  /** @param {string} text  what stands before what is going on */
  introduce(text) {
    if (text === this.preface) return;
    this.preface = text;
    if (this.board.turn) this.board.drawPanel(this.board.turn);
  }
}
