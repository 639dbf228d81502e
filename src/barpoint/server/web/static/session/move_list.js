// The list of moves beside a live board, which grows as the match goes on.

/** @typedef {import("./session.js").Line & {result?: string}} Line  result: of the game that ends with the event */
import { _ } from "../board/language.js";
import { element } from "../dom.js";
import { gameHeading, MoveRows } from "../move_rows.js";

/** A list scrolled no further than this from its end counts as at the end. */
const NEAR_END_PX = 60;

export class MoveList {
  /** @param {HTMLElement} body  of the HTML table @param {HTMLElement} box  that scrolls */
  constructor(body, box) {
    this.rows = new MoveRows(body);
    this.box = box;
    /** @type {HTMLElement | null} the roll that is not played yet */
    this.open = null;
    /** @type {HTMLElement | null} the roll made last */
    this.last = null;
    /** Whether the newest line is in view, and is kept there. */
    this.follows = true;
    /** Height of the box when it was last seen. A scroll event may come after the box has shrunk and before it is known: nobody has scrolled then. */
    this.height = box.clientHeight;
    box.addEventListener("scroll", () => {
      if (box.clientHeight === this.height) this.follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
    });
    new ResizeObserver(() => {
      this.height = box.clientHeight;
      this.follow();
    }).observe(box);
  }

  follow() {
    if (this.follows) this.box.scrollTop = this.box.scrollHeight;
  }

  /** @param {Line[]} lines */
  add(lines) {
    if (!lines.length) return;
    for (const line of lines) {
      this.put(line);
      if (line.result) this.rows.addSentence("result", line.result);
    }
    this.follow();
  }

  /** @param {Line} line */
  put(line) {
    if (this.rows.begins(line.game)) this.rows.addSentence("game", gameHeading(line));
    switch (line.kind) {
      case "next":
        return;
      case "roll":
        this.putRoll(line);
        return;
      case "play":
        if (!this.open) this.putRoll(line);
        this.open?.append(line.text);
        if (line.automatic) this.open?.append(" ", element("small", {}, [_("automatic")]));
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
