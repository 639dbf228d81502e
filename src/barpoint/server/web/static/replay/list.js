// The events of a match as a list to choose from: rolls and plays side by side, everything else in a line of its own.

/** @import {Line} from "../match/link.js" */

/** @param {string} name @param {string} [text] */
function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export class EventList {
  /** @param {HTMLElement} body  of the table @param {HTMLElement} box  that scrolls @param {(seq: number) => void} choose */
  constructor(body, box, choose) {
    this.body = body;
    this.box = box;
    /** @type {Map<number, HTMLElement>} the button of each event; a roll and its play share one */
    this.buttons = new Map();
    /** @type {HTMLElement | null} */
    this.current = null;
    this.game = 0;
    this.turn = 0;
    /** @type {HTMLElement | null} */
    this.row = null;
    /** @type {HTMLElement | null} the roll that is not played yet */
    this.open = null;
    /** @type {HTMLElement | null} the roll made last */
    this.latest = null;
    body.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-seq]");
      if (button) choose(Number(button.getAttribute("data-seq")));
    });
  }

  /** @param {Line[]} lines */
  fill(lines) {
    this.body.replaceChildren();
    this.buttons.clear();
    this.game = 0;
    this.row = this.open = this.latest = null;
    for (const line of lines) this.put(line);
  }

  /** @param {Line} line */
  put(line) {
    const { seq, by, kind, text } = line;
    if (line.game !== this.game) {
      this.game = line.game;
      this.turn = 0;
      this.say(seq, `Game ${line.game}`, "game");
      if (kind === "next") return;
    }
    if (kind === "roll" && by !== null) {
      this.open = this.cell(seq, by, `${line.faces.join("")}:`);
    } else if (kind === "play" && by !== null) {
      this.open ??= this.cell(seq, by, `${line.faces.join("")}:`);
      const button = this.open;
      button.append(` ${text}`);
      button.dataset.seq = String(seq);
      this.buttons.set(seq, button);
      this.open = null;
    } else {
      if (kind === "rollover" || kind === "void") {
        this.latest?.classList.add("void");
        this.open = null;
      }
      this.say(seq, text, "said");
    }
  }

  /** @param {number} seq @param {number} by @param {string} text */
  cell(seq, by, text) {
    let cell = /** @type {HTMLElement | undefined} */ (this.row?.children[by + 1]);
    if (!cell || cell.hasChildNodes() || (by === 0 && this.row?.children[2].hasChildNodes())) {
      this.turn += 1;
      this.row = element("tr");
      this.row.append(element("td", String(this.turn)), element("td"), element("td"));
      this.body.append(this.row);
      cell = /** @type {HTMLElement} */ (this.row.children[by + 1]);
    }
    const button = this.button(seq, text);
    cell.append(button);
    this.latest = button;
    return button;
  }

  /** @param {number} seq @param {string} text @param {string} kind */
  say(seq, text, kind) {
    const row = element("tr");
    const cell = /** @type {HTMLTableCellElement} */ (element("td"));
    row.className = kind;
    cell.colSpan = 3;
    cell.append(this.button(seq, text));
    row.append(cell);
    this.body.append(row);
    this.row = null;
  }

  /** @param {number} seq @param {string} text */
  button(seq, text) {
    const button = /** @type {HTMLButtonElement} */ (element("button", text));
    button.type = "button";
    button.dataset.seq = String(seq);
    this.buttons.set(seq, button);
    return button;
  }

  /** Shows where the match stands. @param {number} seq */
  show(seq) {
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
      const shown = element("span", ` ${sign(mark)}`);
      shown.className = `mark-sign ${mark}`;
      shown.title = mark;
      button.append(shown);
    }
  }
}
