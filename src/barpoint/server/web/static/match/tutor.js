// The tutor in a match against a bot: warns before a mistake is committed, gives hints, and shows the costliest mistakes at the end.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Move, View} from "../board/types.js" */
/** @import {State} from "./types.js" */
import { _, number } from "../board/language.js";
import { element, find } from "../dom.js";
import { toast } from "../notes.js";
import { Analysis } from "../replay/analysis.js";
import { asMoves, signOf, worded } from "../replay/verdict.js";
import { keptSettings } from "../settings.js";

/** @typedef {{loss: number, mark: string, best: string, moves: Move[], lesson: string}} Said */

const ASKED = new Set(["play", "roll", "double", "take", "pass"]);
/** The marks of mistakes, the smallest first. */
const MARKS = ["doubtful", "error", "blunder"];
const COSTLIEST = 3;
/** How long a play waits for the tutor's word, and after which time that is said. */
const PATIENCE_MS = 4000;
const SILENT_MS = 500;

export class Tutor {
  /** @param {string} id @param {boolean} on @param {BarpointBoard} board @param {() => void} forget  has the server forget the moves tried */
  constructor(id, on, board, forget) {
    this.on = on;
    this.forget = forget;
    this.path = `/match/${id}`;
    this.board = board;
    /** @type {State | null} */
    this.state = null;
    /** @type {object | null} the question whether to warn that waits for its answer */
    this.asking = null;
    this.ended = false;
    board.addEventListener("bg-draft", () => {
      board.arrows = []; // the hint is taken, or not
      this.forgetQuestion(); // other moves lie there now: what was asked about is neither warned of nor played
      this.close();
    });
    find("hint").addEventListener("click", () => void this.hint());
    find("tutored").addEventListener("change", (event) => void this.turn(/** @type {HTMLInputElement} */ (event.target).checked));
  }

  /** Has the server keep whether the player wants a tutor. @param {boolean} on */
  async turn(on) {
    this.on = on;
    if (this.state) this.set(this.state);
    if (!on) this.close();
    const answer = await fetch(`${this.path}/tutored`, { method: "POST", body: new URLSearchParams(on ? { on: "1" } : {}) }).catch(() => null);
    if (answer?.ok || this.on !== on) return;
    toast(_("Not saved. Try again."));
    this.on = find("tutored", HTMLInputElement).checked = !on;
    if (this.state) this.set(this.state);
  }

  /** @param {State} state */
  set(state) {
    const same = this.state?.seq === state.seq;
    this.state = state;
    if (!same) {
      this.close();
      find("hint-text").textContent = "";
      this.board.arrows = [];
    }
    const decides = state.view.to_act === "near" && state.view.allowed.some(({ kind }) => ["play", "double", "take"].includes(kind));
    find("hint-tools").hidden = !this.on || state.over || !decides;
    if (this.on && state.over && !this.ended) {
      this.ended = true;
      void this.showDearest();
    }
  }

  close() {
    find("tutor").hidden = true;
  }

  /** What the tutor says. Error with what to tell the player where it says nothing.
   * @param {object} question @param {AbortSignal} [signal]  when to wait no longer @returns {Promise<Said>} */
  async ask(question, signal) {
    const body = JSON.stringify({ seq: this.state?.seq ?? 0, ...question });
    const answer = await fetch(`${this.path}/tutor`, { method: "POST", body, headers: { "Content-Type": "application/json" }, signal }).catch(() => null);
    const said = await answer?.json().catch(() => null);
    if (!answer?.ok || !said) throw new Error(said?.message ?? _("The server cannot be reached."));
    return said;
  }

  /** Ends the question whether to warn, which nobody waits for any more. */
  forgetQuestion() {
    this.asking = null;
    this.board.line.showAwaited("");
  }

  /** Has what the player is about to do judged; does it, or warns. A tutor that cannot answer, or not soon, stands in nobody's way.
   * @param {{kind: string, moves?: Move[]}} event @param {() => void} act */
  async check({ kind, moves = [] }, act) {
    if (!this.on || !ASKED.has(kind)) return act();
    if (this.asking) return;
    const question = {};
    this.asking = question;
    const seq = this.state?.seq;
    setTimeout(() => this.asking === question && this.board.line.showAwaited(_("Judging …")), SILENT_MS);
    /** @type {Said | null} */
    let said = null;
    try {
      said = await this.ask({ kind, moves: kind === "play" ? moves : [] }, AbortSignal.timeout(PATIENCE_MS));
    } catch {
      // it is played as it is
    }
    if (this.asking !== question) return;
    this.forgetQuestion();
    if (this.state?.seq !== seq) return;
    if (!said?.mark || MARKS.indexOf(said.mark) < MARKS.indexOf(keptSettings().warns)) return act();
    this.warn(said, { kind, moves }, act);
  }

  /** @param {Said} said @param {{kind: string, moves: Move[]}} event @param {() => void} act */
  warn({ loss, mark }, event, act) {
    const { kind } = event;
    const size = { loss: number(loss, 3), mark: worded(mark) };
    this.board.set(/** @type {View} */ (this.state?.view)); // the play lies there still, with its undo lights
    find("tutor-text").textContent = kind === "play" ? _("This play gives away %(loss)s (%(mark)s).", size) : _("This gives away %(loss)s (%(mark)s).", size);
    const back = this.button(_("Take back"), "button primary", () => {
      this.close();
      this.takeBack();
    });
    const anyway = this.button(kind === "play" ? _("Play anyway") : _("Do it anyway"), "button", () => {
      this.close();
      act();
    });
    const better = this.button(_("What is better?"), "button", () => void this.showBetter(event, better));
    find("tutor-actions").replaceChildren(back, anyway, better);
    find("tutor").hidden = false;
    back.focus({ preventScroll: true });
  }

  /** Begins the turn again. */
  takeBack() {
    if (!this.state) return;
    this.forget();
    this.board.turn = null; // else the board keeps what was tried of the same roll
    this.board.jump(this.state.view.turn ? { ...this.state.view, turn: { ...this.state.view.turn, made: [] } } : this.state.view);
  }

  /** @param {{kind: string, moves: Move[]}} event @param {HTMLElement} button */
  async showBetter({ kind, moves }, button) {
    try {
      const { best, lesson } = await this.ask({ kind, moves: kind === "play" ? moves : [], better: true });
      find("tutor-text").append(" ", _("Best is %(play)s.", { play: worded(best || "no play") }), lesson ? ` ${lesson}` : "");
      button.remove();
    } catch (error) {
      find("tutor-text").textContent = error instanceof Error ? error.message : "";
    }
  }

  async hint() {
    const seq = this.state?.seq;
    try {
      const { best, moves } = await this.ask({});
      if (seq !== this.state?.seq) return;
      find("hint-text").textContent = best ? _("Best is %(play)s.", { play: worded(best) }) : _("Nothing is decided here.");
      if (!this.board.turn?.made.length) this.board.arrows = moves.length ? [{ side: "near", moves, kind: "best" }] : [];
    } catch (error) {
      find("hint-text").textContent = error instanceof Error ? error.message : "";
    }
  }

  /** The costliest mistakes of the match, each with its moment in the replay. */
  async showDearest() {
    const analysis = new Analysis(this.path, () => {}, () => {});
    try {
      await analysis.find();
      if (!analysis.report) await analysis.order("0");
    } catch {
      return; // the replay has it later
    }
    const own = analysis.report?.decisions.filter(({ player, mark }) => player === this.state?.seat && mark) ?? [];
    own.sort((a, b) => b.loss - a.loss);
    find("costliest-list").replaceChildren(...own.slice(0, COSTLIEST).map(({ event, options, chosen, faces = [], loss, mark }) => {
      const roll = faces.length && asMoves(options[chosen]).length ? `${faces.join("-")}: ` : "";
      const link = element("a", { href: `${this.path}/replay#${event - 1}` }, [`${roll}${worded(options[chosen].text || "no play")}`]);
      return element("li", {}, [link, ` ${number(-loss, 3)} ${signOf(mark)}`]);
    }));
    if (!own.length) find("costliest-list").replaceChildren(element("li", {}, [_("No mistakes. Well played!")]));
    find("costliest").hidden = false;
  }

  /** @param {string} text @param {string} kind  its class @param {() => void} act */
  button(text, kind, act) {
    const made = element("button", { type: "button", class: kind }, [text]);
    made.addEventListener("click", act);
    return made;
  }
}
