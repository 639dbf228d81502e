// The events of a match as a list to choose from.

/** @import {Line} from "../session/session.js" */
import { _ } from "../board/language.js";
import { element } from "../dom.js";
import { gameHeading, MoveRows } from "../move_rows.js";

export class EventList {
  /** @param {HTMLElement} body  of the HTML table @param {HTMLElement} box  that scrolls @param {(seq: number) => void} choose */
  constructor(body, box, choose) {
    this.body = body;
    this.rows = new MoveRows(body);
    this.box = box;
    /** @type {Map<number, HTMLElement>} the button of each event; a roll and its play share one */
    this.buttons = new Map();
    /** @type {HTMLElement | null} */
    this.current = null;
    /** @type {HTMLElement | null} the roll that is not played yet */
    this.open = null;
    /** @type {HTMLElement | null} the roll made last */
    this.last = null;
    this.at = 0;
    new ResizeObserver(() => this.show(this.at)).observe(box); // what is above it grows when a verdict comes
    body.addEventListener("click", ({ target }) => {
      const button = target instanceof Element && target.closest("[data-seq]");
      if (button) choose(Number(button.getAttribute("data-seq")));
    });
  }

  /** @param {Line[]} lines */
  fill(lines) {
    this.rows.clear();
    this.buttons.clear();
    this.open = this.last = null;
    for (const line of lines) this.put(line);
  }

  /** @param {Line} line */
  put(line) {
    const { seq, by, kind, text } = line;
    if (this.rows.begins(line.game)) {
      this.rows.addSentence("game", this.button(seq, gameHeading(line)));
      if (kind === "next") return;
    }
    if (kind === "roll" && by !== null) this.putRoll(line, by);
    else if (kind === "play" && by !== null) {
      const button = this.open ?? this.putRoll(line, by);
      button.append(` ${text}`);
      button.dataset.seq = String(seq);
      this.buttons.set(seq, button);
      this.open = null;
    } else {
      if (kind === "rollover" || kind === "void") {
        this.last?.classList.add("void");
        this.open = null;
      }
      this.rows.addSentence("said", this.button(seq, text));
    }
  }

  /** @param {Line} line @param {number} by */
  putRoll({ seq, faces }, by) {
    const button = this.button(seq, `${faces.join("")}:`);
    this.rows.cell(by).append(button);
    this.open = this.last = button;
    return button;
  }

  /** @param {number} seq @param {string} text */
  button(seq, text) {
    const button = element("button", { type: "button", "data-seq": seq }, [text]);
    this.buttons.set(seq, button);
    return button;
  }

  /** Marks the event after which the board is shown. @param {number} seq */
  show(seq) {
    this.at = seq;
    let at = seq;
    while (at > 0 && !this.buttons.has(at)) at -= 1;
    const button = this.buttons.get(at) ?? null;
    this.current?.removeAttribute("aria-current");
    this.current = button;
    if (!button) {
      this.box.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "step");
    const { box } = this;
    const place = button.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (place.top < frame.top + 40 || place.bottom > frame.bottom - 10) box.scrollTop += place.top - frame.top - frame.height / 2;
  }

  /** Marks decisions; the worst one of an event counts. @param {{event: number, mark?: string}[]} decisions @param {(mark: string | undefined) => string} sign */
  mark(decisions, sign) {
    for (const old of this.body.querySelectorAll(".mark-sign")) old.remove();
    for (const { event, mark } of decisions) {
      const button = this.buttons.get(event);
      if (!mark || !button) continue;
      button.append(element("span", { class: `mark-sign ${mark}`, title: _(mark) }, [` ${sign(mark)}`]));
    }
  }
}
