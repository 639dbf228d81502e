// A position of a study that is asked first: what it asks, the answer, and what the server says of it.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Move, View} from "../board/types.js" */
/** @import {Decision, Option} from "../replay/analysis.js" */
/** @import {AnswerGiven, StudyShown} from "./types.js" */
import { _ } from "../board/language.js";
import { element, find, findIn } from "../dom.js";
import { toast } from "../notes.js";
import { sentence } from "../practice/ask.js";
import { becomeGuest, named, showChoices } from "../practice/question.js";
import { answerLines, asMoves, sideFrom, Verdict } from "../replay/verdict.js";
import { ask } from "./ask.js";

export class StudyQuestion {
  /** @param {string} id  of the study @param {BarpointBoard} board @param {(study: StudyShown) => void} answered  shows the study as it is seen now */
  constructor(id, board, answered) {
    this.id = id;
    this.board = board;
    this.answered = answered;
    this.place = find("quiz");
    this.node = 0; // 0 while nothing is asked
    /** @type {View | null} the board that is asked about */
    this.view = null;
    /** @type {Decision | null} the one that was answered, while its position is shown */
    this.decision = null;
    this.verdict = new Verdict(find("table"), (option) => this.preview(option), JSON.parse(this.place.dataset.themes ?? "{}"));
  }

  /** Whether the board belongs to a question, or to what was said of its answer. */
  get on() {
    return Boolean(this.node || this.decision);
  }

  /** Takes away what was asked; says what the reader has answered, where they have. @param {AnswerGiven} [given] */
  leave(given) {
    this.node = 0;
    this.decision = this.view = null;
    this.board.options = { keys: false };
    for (const place of ["ask", "told", "offered", "said", "table"]) find(place).replaceChildren();
    if (given) find("said").replaceChildren(...answerLines(given));
    find("seen").hidden = true;
  }

  /** Asks. @param {number} node */
  async ask(node) {
    this.node = node;
    const found = await this.look();
    if (this.node !== node) return; // it was left meanwhile
    this.view = named(found.view);
    this.board.options = { keys: !found.choices.length };
    this.board.turn = null;
    this.board.arrows = [];
    this.board.jump(this.view);
    find("seen").hidden = false;
    find("ask").textContent = found.text;
    find("told").textContent = found.choices.length ? "" : _("Play it on the board.");
    showChoices(found.choices, (choice) => void this.send({ choice }), find("offered"));
  }

  /** The question, after the moves tried. @param {Move[]} [moves] */
  look(moves = []) {
    return ask(`/${this.id}/question/${this.node}?moves=${encodeURIComponent(JSON.stringify(moves))}`);
  }

  /** Asks for a deeper graph where the one that is there ends. @param {Move[]} moves */
  async tried(moves) {
    const { node } = this;
    if (!node || !this.board.turn?.waiting) return;
    const found = await this.look(moves);
    if (this.node === node) this.board.set(named(found.view));
  }

  /** Sends an answer to be judged, and shows how good it is. @param {{choice: string} | {moves: Move[]}} given */
  async send(given) {
    const { node, view } = this;
    if (!node) return;
    this.node = 0;
    find("told").textContent = _("Judging …");
    try {
      if (this.place.dataset.known === "no") await becomeGuest();
      this.place.dataset.known = "yes";
      const found = await ask(`/${this.id}/answer`, { node, ...given });
      if (this.view === view) this.judge(found);
      else this.answered(found.study);
    } catch (error) {
      if (this.view !== view) return;
      this.node = node;
      find("told").textContent = "";
      toast(sentence(error));
      if (view) this.board.jump({ ...view });
    }
  }

  /** @param {{decision: Decision, listed: boolean, study: StudyShown}} found */
  judge({ decision, listed, study }) {
    const { options, chosen, loss, mark = "", lesson, themes = [] } = decision;
    this.decision = decision;
    this.board.options = { keys: false };
    for (const place of ["told", "offered"]) find(place).replaceChildren();
    find("seen").hidden = true;
    find("said").replaceChildren(...answerLines({ text: options[chosen].text, loss, mark, listed, best: options[0].text }),
      ...(themes.length ? themes.map((theme) => this.verdict.theme(theme)) : lesson ? [element("p", {}, [lesson])] : []));
    find("table").replaceChildren(this.verdict.table(decision));
    this.answered(study);
    this.still();
    const next = findIn(document, '[data-go="on"]', HTMLButtonElement);
    (next.disabled ? find("said") : next).focus({ preventScroll: true });
  }

  /** The board without anything to do, and arrows for the best play and the one that was made. */
  still() {
    if (!this.view || !this.decision) return;
    const { kind, options, chosen, loss } = this.decision;
    this.board.turn = null;
    this.board.jump({ ...this.view, turn: null, allowed: [] });
    this.board.arrows = kind !== "play" ? [] : [...(loss ? [{ side: /** @type {const} */ ("near"), moves: asMoves(options[chosen]), kind: "made" }] : []),
      { side: /** @type {const} */ ("near"), moves: asMoves(options[0]), kind: "best" }];
  }

  /** Shows where a play leads, until it is no longer pointed at. @param {Option | null} option */
  preview(option) {
    if (!option?.position || !this.view || !this.decision) {
      this.still();
      return;
    }
    const [near, far] = option.position.map(sideFrom);
    this.board.arrows = [];
    this.board.jump({ ...this.view, turn: null, allowed: [], near, far });
  }
}
