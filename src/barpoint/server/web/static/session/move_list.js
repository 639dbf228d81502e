// The list of moves beside a live board, which grows as the match goes on.

/** @import {Line} from "./session.js" */
import { element } from "../dom.js";
import { MoveRows } from "../move_rows.js";

export class MoveList {
  /** @param {HTMLElement} body  of the HTML table @param {HTMLElement} box  that scrolls */
  constructor(body, box) {
    this.rows = new MoveRows(body);
    this.box = box;
    /** @type {HTMLElement | null} the roll that is not played yet */
    this.open = null;
    /** @type {HTMLElement | null} the roll made last */
    this.last = null;
  }

  /** @param {Line[]} lines */
  add(lines) {
    if (!lines.length) return;
    const atEnd = this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < 60;
    for (const line of lines) this.put(line);
    if (atEnd) this.box.scrollTop = this.box.scrollHeight;
  }

  /** @param {Line} line */
  put(line) {
    if (this.rows.begins(line.game)) this.rows.addSentence("game", `Game ${line.game}`);
    switch (line.kind) {
      case "next":
        return;
      case "roll":
        this.putRoll(line);
        return;
      case "play":
        if (!this.open) this.putRoll(line);
        this.open?.append(line.text);
        this.open = null;
        return;
      case "correct":
        this.last?.append(` → ${line.text}`);
        return;
      case "rollover":
      case "void":
        this.last?.classList.add("void");
        this.open = null;
    }
    this.rows.addSentence(line.kind === "result" ? "result" : "said", line.text);
  }

  /** @param {Line} line */
  putRoll({ by, faces }) {
    if (by === null) return;
    this.open = this.last = this.rows.cell(by);
    this.open.append(element("span", { class: "dice" }, [`${faces.join("")}:`]));
  }
}
