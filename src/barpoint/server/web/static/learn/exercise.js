// A lesson on a board: shows its position, sends what is tried to the server, and says what the server answers.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Move, View} from "../board/types.js" */
/** @typedef {{legal: boolean, right: boolean, text: string}} Answer */
import { _ } from "../board/language.js";
import { dressBoard } from "../settings.js";

export class Exercise {
  /** @param {BarpointBoard} board @param {(answer: Answer) => void} told */
  constructor(board, told) {
    this.board = board;
    this.told = told;
    this.lesson = "";
    this.done = false;
    dressBoard(board, { near: "light", mirror: false, keys: false });
    board.addEventListener("bg-event", (event) => void this.answer(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("bg-draft", (event) => void this.draft(/** @type {CustomEvent} */ (event).detail.moves));
  }

  /** @param {string} what @param {Record<string, string>} fields */
  async ask(what, fields) {
    const answer = await fetch(`/learn/${this.lesson}/${what}?${new URLSearchParams(fields)}`);
    if (!answer.ok) throw new Error(_("The server answered %(status)s.", { status: answer.status }));
    return answer.json();
  }

  /** Puts the position of a lesson on the board. @param {string} lesson */
  async show(lesson) {
    this.lesson = lesson;
    this.done = false;
    try {
      /** @type {View} */
      const view = await this.ask("board.json", {});
      if (this.lesson !== lesson) return;
      this.board.turn = null; // else the board keeps what was tried of the same roll
      this.board.roster = null;
      this.board.jump(view);
    } catch {
      this.lost();
    }
  }

  /** Where hands may go anywhere, the server says what follows. @param {Move[]} moves */
  async draft(moves) {
    const { turn } = this.board;
    if (this.done || !turn || !(turn.waiting || turn.view.turn?.free)) return;
    const { lesson } = this;
    try {
      const view = await this.ask("board.json", { moves: JSON.stringify(moves) });
      if (lesson === this.lesson && !this.done) this.board.set(view);
    } catch {
      this.lost();
    }
  }

  /** @param {{kind: string, moves?: Move[]}} event */
  async answer({ kind, moves = [] }) {
    if (this.done) return;
    const { lesson } = this;
    /** @type {Record<string, string>} */
    const fields = kind === "play" ? { moves: JSON.stringify(moves) } : { event: kind };
    try {
      /** @type {Answer} */
      const answer = await this.ask("answer.json", fields);
      if (lesson !== this.lesson) return;
      this.told(answer);
      if (!answer.right) return void (await this.show(lesson));
      this.done = true;
      const { view } = this.board.turn ?? {};
      if (view) this.board.set({ ...view, turn: view.turn && { ...view.turn, free: undefined, made: moves }, allowed: [] });
    } catch {
      this.lost();
    }
  }

  lost() {
    this.told({ legal: false, right: false, text: _("The server cannot be reached. Try again.") });
  }
}
