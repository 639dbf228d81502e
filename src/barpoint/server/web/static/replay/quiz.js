// Asks a player his own mistakes again: the board before each, his answer beside the best one and beside what he did; and counts.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Move, View} from "../board/types.js" */
/** @import {Decision, Option, Report} from "./analysis.js" */
import { signOf, Verdict } from "./verdict.js";

/**
 * @typedef {{text: string, moves?: Move[], loss: number, cost: number, mark?: string, lesson?: string, best?: string,
 *   plies?: number, ranked?: boolean}} Answer  what a choice is worth
 * @typedef {{decision: Decision, answer: Answer | null}} Asked  answer: null where it was skipped
 */

/** Choices in the order in which they are asked, which tells nothing, with their keys. @type {Record<string, string>} */
const KEYS = { "No double": "r", Double: "d", Take: "t", Pass: "p", Beaver: "b", Raccoon: "b", "Let it stand": "k", "Roll over": "o",
  Accept: "y", Reject: "n", "Play on": "n", Resign: "x" };

/** What is asked, by the kind of decision. @type {Record<string, (who: string, faces: string) => string>} */
const QUESTIONS = {
  play: (who, faces) => `${who}: how is ${faces} played?`,
  double: (who) => `${who}: double, or roll?`, "no double": (who) => `${who}: double, or roll?`,
  take: (who) => `${who} is doubled: what now?`, pass: (who) => `${who} is doubled: what now?`,
  beaver: (who) => `${who} is doubled: what now?`, raccoon: (who) => `${who} is beavered: what now?`,
  call: (who, faces) => `${who}: shall ${faces} stand?`, keep: (who, faces) => `${who}: shall ${faces} stand?`,
  resign: (who) => `${who}: resign?`, accept: (who) => `${who} is offered a resignation.`, reject: (who) => `${who} is offered a resignation.`,
};

/** Below this a choice is as good as the best one; the analysis counts likewise. */
const SAME = 0.001;

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const find = (id) => /** @type {T} */ (document.getElementById(id));

/** @param {string} name @param {string} [text] @param {string} [kind] */
function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

export class Quiz {
  /**
   * @param {string} path  the beginning of the addresses of the match
   * @param {BarpointBoard} board
   * @param {{nameOf: (player: number) => string, left: (seq: number | null) => void, failed: (text: string) => void}} page
   *   left: the quiz is over; the event to go to
   */
  constructor(path, board, page) {
    this.path = path;
    this.board = board;
    this.page = page;
    /** @type {Report | null} */
    this.report = null;
    /** @type {Decision[]} */
    this.questions = [];
    /** @type {Asked[]} */
    this.asked = [];
    /** @type {View | null} the board that is asked about */
    this.view = null;
    /** @type {View | null} the same without anything to do */
    this.still = null;
    /** @type {"" | "waiting" | "asking" | "answered"} */
    this.stage = "";
    this.verdict = new Verdict(find("quiz-table"), (option, decision) => this.preview(option, decision));
    board.addEventListener("bg-event", (event) => void this.played(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("bg-draft", (event) => void this.tried(/** @type {CustomEvent} */ (event).detail.moves));
    find("quiz-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    find("quiz-next").addEventListener("click", () => void this.next());
    for (const button of document.querySelectorAll('[data-quiz="stop"]')) button.addEventListener("click", () => this.stop());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get on() {
    return !find("quiz").hidden;
  }

  get question() {
    return this.questions[this.asked.length];
  }

  /** Asks whose mistakes are wanted. @param {Report} report */
  open(report) {
    this.report = report;
    const marked = (/** @type {number} */ player) => report.decisions.filter((one) => one.mark && one.player === player);
    const players = [0, 1].filter((player) => marked(player).length);
    const choice = /** @type {HTMLSelectElement} */ (find("quiz-player"));
    choice.replaceChildren(...players.map((player) =>
      new Option(`${this.page.nameOf(player)} (${marked(player).length})`, String(player))));
    if (!players.length) {
      this.page.failed("Nobody has made a mistake in this match.");
      return;
    }
    document.body.classList.add("quizzing");
    this.show("quiz-form");
    find("quiz").hidden = false;
    find("replay-side").hidden = true;
    choice.focus();
  }

  begin() {
    const player = Number(/** @type {HTMLSelectElement} */ (find("quiz-player")).value);
    const worst = /** @type {HTMLSelectElement} */ (find("quiz-order")).value === "worst";
    const found = this.report?.decisions.filter((one) => one.mark && one.player === player) ?? [];
    if (worst) found.sort((a, b) => b.loss - a.loss);
    void this.start(found);
  }

  /** @param {Decision[]} questions */
  async start(questions) {
    this.questions = questions;
    this.asked = [];
    await this.ask();
  }

  /** @param {string} part  the one that is shown */
  show(part) {
    for (const id of ["quiz-form", "quiz-question", "quiz-end"]) find(id).hidden = id !== part;
  }

  /** @param {Move[]} [moves] those tried */
  async look(moves = []) {
    const { event, player, kind } = this.question;
    const query = new URLSearchParams({ event: String(event), player: String(player) });
    if (kind === "play") query.set("moves", JSON.stringify(moves));
    const answer = await fetch(`${this.path}/quiz.json?${query}`);
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return /** @type {Promise<View>} */ (answer.json());
  }

  async ask() {
    const { question } = this;
    this.stage = "waiting";
    this.board.arrows = [];
    try {
      this.view = await this.look();
    } catch {
      this.stop();
      this.page.failed("The server cannot be reached.");
      return;
    }
    if (question !== this.question || !this.on) return; // it was left meanwhile
    const { game, kind, player, faces, options } = question;
    const { score } = this.view;
    this.board.options = { keys: true };
    this.board.jump(this.view);
    find("quiz-count").textContent = `${this.asked.length + 1} of ${this.questions.length} · game ${game}, at ${score.near} : ${score.far}`;
    find("quiz-ask").textContent = QUESTIONS[kind](this.page.nameOf(player), (faces ?? []).join("-"));
    find("quiz-hint").textContent = kind === "play" ? "Play it on the board." : "";
    find("quiz-choices").replaceChildren(...(kind === "play" ? [] : choicesOf(options).map((text) => this.button(text))));
    find("quiz-answer").replaceChildren();
    find("quiz-table").replaceChildren();
    find("quiz-next").textContent = "Skip";
    this.show("quiz-question");
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur(); // keys belong to the board now
    this.stage = "asking";
    find("quiz").dataset.stage = "asking";
    find("quiz").dataset.kind = kind;
    document.body.classList.toggle("trying", kind === "play");
  }

  /** @param {string} text */
  button(text) {
    const button = /** @type {HTMLButtonElement} */ (element("button", text, "button"));
    button.type = "button";
    button.dataset.choice = text;
    button.append(" ", element("kbd", KEYS[text]?.toUpperCase() ?? ""));
    button.addEventListener("click", () => {
      if (this.stage !== "asking") return;
      const option = this.question.options.find((one) => one.text === text);
      if (option) this.judge({ ...this.valued(option), lesson: this.question.lesson });
    });
    return button;
  }

  /** An option as an answer. @param {Option} option @returns {Answer} */
  valued(option) {
    const loss = option.loss < SAME ? 0 : option.loss;
    const mark = loss >= 0.08 ? "blunder" : loss >= 0.04 ? "error" : loss >= 0.02 ? "doubtful" : "";
    return { text: option.text, moves: /** @type {Move[]} */ (option.moves), loss, cost: this.question.options[0].worth - option.worth, mark };
  }

  /** Sends a play to be judged. @param {{kind: string, moves?: Move[]}} event */
  async played({ kind, moves }) {
    if (this.stage !== "asking" || kind !== "play") return;
    this.stage = "waiting";
    find("quiz-hint").textContent = "Judged…";
    const { question } = this;
    const body = new URLSearchParams({ event: String(question.event), plies: String(this.report?.plies), moves: JSON.stringify(moves ?? []) });
    let said;
    try {
      const answer = await fetch(`${this.path}/quiz`, { method: "POST", body });
      said = await answer.json();
      if (!answer.ok) throw new Error(said.message);
    } catch (error) {
      if (question !== this.question || !this.on) return;
      find("quiz-hint").textContent = `Not judged: ${error instanceof Error ? error.message : "the server cannot be reached"}. Try again.`;
      this.stage = "asking";
      if (this.view) this.board.jump({ ...this.view });
      return;
    }
    if (question === this.question && this.on) this.judge(said);
  }

  /** Asks for a deeper graph where the one that is there ends. @param {Move[]} moves */
  async tried(moves) {
    if (this.stage !== "asking" || !this.board.trial?.waiting) return;
    const { question } = this;
    try {
      const view = await this.look(moves);
      if (question !== this.question || this.stage !== "asking") return;
      this.view = view;
      this.board.set(view);
    } catch {
      this.page.failed("The server cannot be reached.");
    }
  }

  /** Says what an answer is worth. @param {Answer} answer */
  judge(answer) {
    const { question } = this;
    this.stage = "answered";
    find("quiz").dataset.stage = "answered";
    document.body.classList.remove("trying");
    find("quiz-hint").textContent = "";
    find("quiz-choices").replaceChildren();
    this.tell(question, answer);
    this.asked.push({ decision: question, answer });
    find("quiz-next").textContent = this.question ? "Next" : "The score";
    find("quiz-next").focus({ preventScroll: true });
  }

  /** @param {Decision} decision @param {Answer} answer */
  tell(decision, answer) {
    const { options, chosen, loss, mark } = decision;
    const right = answer.loss < SAME;
    const same = answer.text === options[chosen].text;
    const lines = [
      element("p", right ? `${answer.text || "No play"}: the best choice.`
        : `${answer.text || "No play"} gives away ${answer.loss.toFixed(3)}${this.percent(answer.cost)}. ${signOf(answer.mark)}`, `quiz-said ${right ? "right" : answer.mark || "near"}`),
      element("p", right ? "" : `Best is ${answer.best ?? options[0].text}.`),
      element("p", same ? "You did the same in the match." : `In the match: ${options[chosen].text || "no play"}, which gave away ${loss.toFixed(3)} ${signOf(mark)}`),
      element("p", answer.lesson || (right ? decision.lesson : "") || ""),
      element("p", answer.ranked === false ? this.remark(answer.plies ?? 0) : "", "hint"),
    ];
    find("quiz-answer").replaceChildren(...lines.filter(({ textContent }) => textContent));
    find("quiz-table").replaceChildren(this.verdict.table(decision));
    if (!this.view) return;
    this.still = { ...this.view, turn: null, allowed: [] };
    this.board.jump(this.still);
    this.point(decision, answer);
  }

  /** How a play was judged that the report has not ranked. @param {number} plies */
  remark(plies) {
    const deep = this.report?.plies ?? 0;
    return `The analysis has not kept this play; it was judged now, ${ahead(plies)}${plies < deep ? `, where the analysis looked ${ahead(deep)}` : ""}.`;
  }

  /** @param {Decision} decision @param {Answer} answer */
  point({ kind, options }, answer) {
    if (kind !== "play") return;
    const best = /** @type {Move[]} */ (options[0].moves ?? []);
    const made = answer.loss < SAME ? [] : answer.moves ?? [];
    this.board.arrows = [{ side: "near", moves: made, kind: "made" }, { side: "near", moves: best, kind: "best" }];
  }

  /** Shows where a play leads, until it is no longer pointed at. @param {Option | null} option @param {Decision} decision */
  preview(option, decision) {
    if (!this.still || this.stage !== "answered") return;
    if (!option?.position) {
      this.board.jump(this.still);
      const { answer } = this.asked.at(-1) ?? {};
      if (answer) this.point(decision, answer);
      return;
    }
    const [near, far] = option.position.map(sideFrom);
    this.board.arrows = [];
    this.board.jump({ ...this.still, near, far });
  }

  /** @param {number} cost */
  percent(cost) {
    return this.report?.length && cost ? `, ${(100 * cost).toFixed(2)} % of the match` : "";
  }

  async next() {
    if (this.stage === "waiting") return;
    if (this.stage === "asking") this.asked.push({ decision: this.question, answer: null });
    if (this.question) await this.ask();
    else this.end();
  }

  end() {
    this.stage = "";
    find("quiz").dataset.stage = "end";
    document.body.classList.remove("trying");
    const answered = this.asked.filter(({ answer }) => answer);
    const right = answered.filter(({ answer }) => (answer?.loss ?? 1) < SAME).length;
    const sum = (/** @type {(one: Asked) => number} */ value) => answered.reduce((total, one) => total + value(one), 0).toFixed(3);
    const missed = this.asked.filter(({ answer }) => !answer || answer.loss >= SAME).map(({ decision }) => decision);
    const list = element("ol", "", "quiz-list");
    for (const { decision, answer } of this.asked) list.append(this.line(decision, answer));
    const again = /** @type {HTMLButtonElement} */ (element("button", "Those missed again", "button primary"));
    again.type = "button";
    again.addEventListener("click", () => void this.start(missed));
    const back = /** @type {HTMLButtonElement} */ (element("button", "Back to the replay", "button"));
    back.type = "button";
    back.addEventListener("click", () => this.stop());
    const buttons = element("p", "", "reel");
    buttons.append(...(missed.length ? [again] : []), back);
    const title = element("h2", `${right} of ${this.asked.length} right`);
    title.tabIndex = -1;
    const parts = [title];
    if (answered.length) parts.push(element("p", `Answers gave away ${sum(({ answer }) => answer?.loss ?? 0)}; in the match the same decisions gave away ${sum(({ decision }) => decision.loss)}.`));
    if (answered.length < this.asked.length) parts.push(element("p", `${this.asked.length - answered.length} skipped.`, "hint"));
    find("quiz-end").replaceChildren(...parts, list, buttons);
    this.show("quiz-end");
    title.focus({ preventScroll: true });
  }

  /** @param {Decision} decision @param {Answer | null} answer */
  line({ event, options, loss, kind }, answer) {
    const item = element("li");
    const button = /** @type {HTMLButtonElement} */ (element("button", answer ? answer.text || "no play" : "skipped", "plain"));
    button.type = "button";
    button.title = "Show it in the replay";
    button.addEventListener("click", () => this.stop(event - 1));
    item.append(button, element("span", !answer ? "" : answer.loss < SAME ? "✓" : `−${answer.loss.toFixed(3)} ${signOf(answer.mark)}`),
      element("span", `best ${options[0].text}; in the match −${loss.toFixed(3)}`, "hint"));
    item.dataset.kind = kind;
    return item;
  }

  /** Back to the replay. @param {number | null} [seq] the event to go to */
  stop(seq = null) {
    if (!this.on) return;
    this.stage = "";
    this.still = null;
    find("quiz").hidden = true;
    find("replay-side").hidden = false;
    document.body.classList.remove("quizzing", "trying");
    this.board.options = { keys: false };
    this.page.left(seq);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.on || this.stage !== "asking" || event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.closest("input, select, textarea, dialog")) return;
    const button = [.../** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#quiz-choices [data-choice]"))]
      .find(({ dataset }) => KEYS[dataset.choice ?? ""] === event.key.toLowerCase());
    if (!button) return;
    event.preventDefault();
    button.click();
  }
}

/** @param {Option[]} options  best first @returns {string[]} their texts in an order that tells nothing */
function choicesOf(options) {
  const order = Object.keys(KEYS);
  return options.map(({ text }) => text).sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** @param {number} plies */
const ahead = (plies) => ["at a glance", "one roll ahead", "two rolls ahead"][plies] ?? `${plies} rolls ahead`;

/** @param {number[]} counts  26 of points, the hand, a mask of pins */
export function sideFrom(counts) {
  const pinned = Array.from({ length: 24 }, (_, index) => index + 1).filter((point) => (counts[27] >> point) & 1);
  return { points: counts.slice(0, 26), hand: counts[26], pinned };
}
