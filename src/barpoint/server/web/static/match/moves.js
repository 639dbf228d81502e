// The list of what has happened: rolls and plays side by side, everything else in a line of its own.

/** @import {Line} from "./link.js" */

/** @param {string} name @param {string} [text] */
function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export class MoveList {
  /** @param {HTMLElement} body  of the table @param {HTMLElement} box  that scrolls */
  constructor(body, box) {
    this.body = body;
    this.box = box;
    this.game = 0;
    this.turn = 0;
    /** @type {HTMLElement | null} */
    this.row = null;
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
    if (line.game !== this.game) {
      this.game = line.game;
      this.turn = 0;
      this.say(`Game ${line.game}`, "game");
    }
    switch (line.kind) {
      case "next":
        return;
      case "roll":
        this.rollDice(line);
        return;
      case "play":
        if (!this.open) this.rollDice(line);
        this.open?.append(line.text);
        this.open = null;
        return;
      case "correct":
        if (this.last) this.last.append(` → ${line.text}`);
        return;
      case "rollover":
      case "void":
        this.last?.classList.add("void");
        this.open = null;
    }
    this.say(line.text, line.kind === "result" ? "result" : "said");
  }

  /** @param {Line} line */
  rollDice({ by, faces }) {
    if (by === null) return;
    let cell = /** @type {HTMLElement | undefined} */ (this.row?.children[by + 1]);
    if (!cell || cell.hasChildNodes() || (by === 0 && this.row?.children[2].hasChildNodes())) {
      this.turn += 1;
      this.row = element("tr");
      this.row.append(element("td", String(this.turn)), element("td"), element("td"));
      this.body.append(this.row);
      cell = /** @type {HTMLElement} */ (this.row.children[by + 1]);
    }
    const dice = element("span", `${faces.join("")}:`);
    dice.className = "dice";
    cell.append(dice);
    this.open = this.last = cell;
  }

  /** @param {string} text @param {string} kind */
  say(text, kind) {
    const row = element("tr");
    const cell = /** @type {HTMLTableCellElement} */ (element("td", text));
    row.className = kind;
    cell.colSpan = 3;
    row.append(cell);
    this.body.append(row);
    this.row = null;
  }
}
