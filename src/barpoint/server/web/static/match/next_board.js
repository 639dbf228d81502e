// The way to the next board, once the player has done their turn in a match with days for each: how many wait, and which has the least time left.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {State} from "./types.js" */
import { _, ngettext } from "../board/language.js";

export class NextBoard {
  /** @param {string} id  of this match @param {BarpointBoard} board @param {() => void} changed  told when there is another text */
  constructor(id, board, changed) {
    this.path = `/matches/next?but=${id}`;
    this.board = board;
    this.changed = changed;
    /** What is said where no board waits. */
    this.text = "";
    /** The event after which was asked; -1 while it is the player's turn. */
    this.asked = -1;
    /** Whether the state before was the player's turn. */
    this.mine = false;
  }

  /** @param {State} state */
  set(state) {
    const { seat, seq, over, view } = state;
    const mine = view.to_act === "near" && !over;
    const done = this.mine && !mine;
    this.mine = mine;
    if (seat === null || mine || !seq) this.forget();
    else if (this.asked !== seq) void this.ask(state, done);
  }

  forget() {
    this.asked = -1;
    this.text = "";
    this.board.offer([]);
  }

  /** @param {State} state @param {boolean} done  the player has just done their turn, and is told aloud */
  async ask({ seq, view }, done) {
    this.asked = seq;
    const answer = await fetch(this.path).catch(() => null);
    const { count, path } = answer?.ok ? await answer.json() : { count: 0, path: "" };
    if (this.asked !== seq || !answer?.ok) return;
    const label = _("Next board (%(count)s)", { count });
    const primary = view.allowed.every(({ kind }) => kind === "resign");
    const action = { kind: "next_board", label, detail: "", key: "G", primary, reason: "", icon: "", event: null, sure: null, levels: [], run: () => location.assign(path) };
    this.board.offer(count ? [action] : []);
    this.text = count ? "" : _("No other board waits for you.");
    this.changed();
    if (done) this.board.say(this.text || ngettext("%(num)s other board waits for you.", "%(num)s other boards wait for you.", count));
  }
}
