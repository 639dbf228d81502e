// A real board, recorded here: faces of real dice are tapped or typed, and both sides act on one screen. The server says
// which roll it waits for and what may happen; this file only shows it.

/** @import {Allowed, View} from "../board/types.js" */
/** @import {BarpointBoard} from "../board/board.js" */
import { resignations } from "../board/actions.js";
import { _ } from "../board/language.js";
import { askResignation } from "../board/panel.js";
import { element, isPlainKey } from "../dom.js";

/** Keys of the faces; the twelve-sided die goes on to the right of the nine. */
const KEYS = "1234567890-=";
/** What is needed seldom; its buttons stand below the dice instead of at the board. */
const RARE = new Set(["void", "resign"]);

/** @type {Record<string, string>} */
const REASONS = { cocked: _("Cocked dice: roll again"), premature: _("Rolled too early: roll again") };

export class RealDice {
  /** @param {HTMLElement} place @param {BarpointBoard} board @param {(event: Record<string, unknown>) => void} send */
  constructor(place, board, send) {
    this.place = place;
    this.board = board;
    this.send = send;
    /** @type {View | null} */
    this.view = null;
    /** @type {number[]} faces of the roll that is being entered */
    this.faces = [];
    this.awaited = "";
    /** an event was sent, and its answer has not come: what is tapped now would go to the roll before */
    this.waiting = false;
    this.prompt = element("p", { class: "real-dice-prompt", id: "real-dice-prompt" });
    this.dice = element("div", { class: "real-dice-faces", role: "group", "aria-labelledby": "real-dice-prompt" });
    this.rare = element("div", { class: "real-dice-rare", role: "group", "aria-label": _("What can go wrong") });
    place.replaceChildren(this.prompt, this.dice, this.rare);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows what a view asks of real dice, and returns the rest, for the board. @param {View} view @returns {View} */
  show(view) {
    this.view = view;
    this.waiting = false;
    const awaited = JSON.stringify(view.roll ?? null);
    if (awaited !== this.awaited) {
      this.awaited = awaited;
      this.faces = [];
    }
    this.drawDice(view);
    this.drawRare(view);
    this.place.hidden = !view.roll && !this.rare.children.length;
    return { ...view, allowed: view.allowed.filter(({ kind }) => !RARE.has(kind)) };
  }

  /** @param {View} view */
  drawDice(view) {
    const expected = view.roll;
    this.prompt.hidden = this.dice.hidden = !expected;
    if (!expected) return;
    this.prompt.textContent = this.question(view);
    if (this.dice.childElementCount !== expected.sides) {
      this.dice.classList.toggle("many", expected.sides > 6);
      this.dice.replaceChildren(...Array.from({ length: expected.sides }, (nothing, index) => this.face(index + 1)));
    }
    for (const [index, button] of [...this.dice.children].entries()) {
      button.setAttribute("aria-pressed", String(this.faces.includes(index + 1)));
      button.setAttribute("aria-disabled", String(this.waiting));
    }
  }

  /** @param {number} face */
  face(face) {
    const key = KEYS[face - 1];
    const button = element("button", { type: "button", class: "die", "aria-keyshortcuts": key, "data-face": face }, [String(face)]);
    button.addEventListener("click", () => this.enterFace(face));
    return button;
  }

  /** @param {View} view */
  question(view) {
    if (!view.roll) return "";
    const { of, dice } = view.roll;
    const first = this.faces[0];
    if (of === null) {
      const { near, far } = view.labels;
      return first === undefined ? _("%(player)s’s opening die", { player: near }) : _("%(player)s %(die)s; %(other)s’s die", { player: near, die: first, other: far });
    }
    const player = view.labels[of];
    if (dice === 1) return _("%(player)s rolls", { player });
    if (first === undefined) return dice === 2 ? _("%(player)s rolls: both dice", { player }) : _("%(player)s rolls: all three dice", { player });
    return _("%(player)s rolls: %(die)s and …", { player, die: this.faces.join("-") });
  }

  /** @param {number} face */
  enterFace(face) {
    const { view } = this;
    const expected = view?.roll;
    if (!view || this.waiting || !expected || face > expected.sides) return;
    this.faces = [...this.faces, face];
    if (this.faces.length < expected.dice) {
      this.drawDice(view);
      return;
    }
    const faces = this.faces;
    this.faces = [];
    this.enter(expected.of === null ? { kind: "opening", faces } : { kind: "roll", faces, by: expected.of });
    this.drawDice(view);
  }

  /** @param {View} view */
  drawRare(view) {
    const shown = view.allowed.filter(({ kind }) => RARE.has(kind));
    this.rare.replaceChildren(...shown.map((allowed) => this.rareButton(view, allowed)));
  }

  /** @param {View} view @param {Allowed} allowed */
  rareButton(view, allowed) {
    const name = allowed.by ? view.labels[allowed.by] : "";
    const text = allowed.kind === "resign" ? _("%(player)s resigns …", { player: name }) : REASONS[allowed.reason ?? ""] ?? _("Void roll");
    const button = element("button", { type: "button", class: "button", "data-kind": allowed.kind, "data-reason": allowed.reason ?? "" }, [text]);
    button.addEventListener("click", () => this.press(allowed));
    return button;
  }

  /** @param {Allowed} allowed */
  press(allowed) {
    const { kind, by, reason, roll: id } = allowed;
    if (kind === "void") this.enter({ kind, roll: id, reason, by });
    else askResignation(this.board, resignations(allowed), (level) => this.enter({ kind, level, by }));
  }

  /** Sends an event as logs have it: with a player instead of a side, and the id of a roll as `throw`.
   * @param {Record<string, unknown>} event */
  enter({ by, roll, ...event }) {
    const player = by === undefined ? {} : { player: by === "near" ? 0 : 1 };
    const id = roll === undefined ? {} : { throw: roll };
    this.waiting = true;
    this.send({ ...event, ...player, ...id });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.repeat || !isPlainKey(event)) return;
    if (event.key === "Escape" && this.faces.length && this.view) {
      this.faces = [];
      this.drawDice(this.view);
    } else if (event.key.toLowerCase() === "v") {
      const cocked = this.rare.querySelector('[data-reason="cocked"]');
      if (cocked instanceof HTMLElement) cocked.click();
    } else if (this.view?.roll && KEYS.includes(event.key)) {
      this.enterFace(KEYS.indexOf(event.key) + 1);
    }
  }
}
