// The rows of a list of moves, as HTML: a turn of both sides in each, or one sentence across all columns.

/** @import {Line} from "./session/session.js" */
import { _ } from "./board/language.js";
import { element } from "./dom.js";

/** What stands above a game. @param {Line} line  its first one */
export function gameHeading({ game, title }) {
  return _("Game %(number)s", { number: game }) + (title ? ` · ${title}` : "");
}

export class MoveRows {
  /** @param {HTMLElement} body  of the HTML table */
  constructor(body) {
    this.body = body;
    this.game = 0;
    this.turn = 0;
    /** @type {HTMLElement | null} the row of the last turn, while it can take more */
    this.row = null;
  }

  clear() {
    this.body.replaceChildren();
    this.game = 0;
    this.row = null;
  }

  /** Whether a line begins another game than the one before; turns are counted from there. @param {number} game */
  begins(game) {
    if (game === this.game) return false;
    this.game = game;
    this.turn = 0;
    return true;
  }

  /** The cell for a side's next roll: in the last row while that is free, else in a new one. @param {number} by */
  cell(by) {
    const [, first, second] = this.row?.children ?? [];
    const free = by === 0 ? first : second;
    if (free instanceof HTMLElement && !free.hasChildNodes() && !second.hasChildNodes()) return free;
    this.turn += 1;
    const cells = [element("td"), element("td")];
    this.row = element("tr", {}, [element("td", {}, [String(this.turn)]), ...cells]);
    this.body.append(this.row);
    return cells[by];
  }

  /** Adds a row across all columns. @param {string} kind  its class @param {Element | string} content */
  addSentence(kind, content) {
    this.body.append(element("tr", { class: kind }, [element("td", { colspan: 3 }, [content])]));
    this.row = null;
  }
}
