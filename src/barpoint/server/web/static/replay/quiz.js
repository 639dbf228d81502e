// The quiz: asks mistakes or every decision of a match again, with the board before each, and shows the answer beside the best choice
// and beside what was done in the match; at the end it counts.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Move, View} from "../board/types.js" */
/** @import {Decision, Option, Report} from "./analysis.js" */
import { _, ngettext, number, percent } from "../board/language.js";
import { all, element, find, isPlainKey } from "../dom.js";
import { parseExact } from "../session/exact.js";
import { copyDecision, momentText } from "../analysis/decision_text.js";
import { choicesOf, KEYS, QUESTIONS } from "./questions.js";
import { costliest, showScore } from "./score.js";
import { asMoves, optionText, sideFrom, signOf, Verdict } from "./verdict.js";

/**
 * @typedef {{text: string, done: string, moves: Move[], loss: number, cost: number, mark: string, lesson: string, best: string,
 *   plies: number, ranked: boolean}} Answer  how good an answer is, 0 being as good as the best; done: the option of the match that it is
 * @typedef {{decision: Decision, answer: Answer | null}} Asked  answer: null where it was skipped
 */

export class Quiz {
  /**
   * @param {string} path  the beginning of the addresses of the match
   * @param {BarpointBoard} board
   * @param {{nameOf: (player: number) => string, noteOf: (event: number) => string, whole: (decision: Decision) => Promise<Decision>,
   *   left: (seq: number | null) => void, failed: (text: string) => void}} page
   *   whole: a decision with all that is known of it. left: the quiz is over; the event to go to
   * @param {Record<string, [string, string]>} themes  title and sentence of each
   */
  constructor(path, board, page, themes) {
    this.path = path;
    this.board = board;
    this.page = page;
    /** @type {Report | null} */
    this.report = null;
    /** @type {Decision[]} */
    this.questions = [];
    /** Whether every decision is asked, of whoever made it. */
    this.every = false;
    /** @type {Asked[]} */
    this.asked = [];
    /** @type {View | null} the board that is asked about */
    this.view = null;
    /** @type {View | null} the same without anything to do */
    this.still = null;
    /** @type {"" | "waiting" | "asking" | "answered"} */
    this.stage = "";
    /** @type {number | null} the event to go to after it */
    this.to = null;
    this.verdict = new Verdict(find("quiz-table"), (option, decision) => this.preview(option, decision), themes);
    board.addEventListener("bg-event", (event) => void this.played(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("bg-draft", (event) => void this.tried(/** @type {CustomEvent} */ (event).detail.moves));
    find("quiz-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    find("quiz-next").addEventListener("click", () => void this.next());
    find("quiz-order").addEventListener("change", () => this.offer());
    for (const button of all('[data-quiz="stop"]')) button.addEventListener("click", () => this.giveUp());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("popstate", () => this.leave(this.to));
  }

  get on() {
    return !find("quiz").hidden;
  }

  get question() {
    return this.questions[this.asked.length];
  }

  /** Asks which decisions are wanted. @param {Report} report @param {"worst" | "every"} which  what is offered first */
  open(report, which) {
    this.report = report;
    this.asked = [];
    find("quiz-order", HTMLSelectElement).value = which;
    if (!this.wanted(null).length) {
      this.page.failed(NONE[which]);
      return;
    }
    this.offer();
    this.board.arrows = []; // those of a mistake that is asked about
    document.body.classList.add("quizzing");
    this.to = null;
    history.pushState({ quiz: true }, "");
    this.show("quiz-form");
    find("quiz").hidden = false;
    find("replay-side").hidden = true;
    find("quiz-player").focus();
  }

  /** The decisions of the form, in the order of play. @param {number | null} player  null for both */
  wanted(player) {
    const every = find("quiz-order", HTMLSelectElement).value === "every";
    return this.report?.decisions.filter((one) => (every ? one.counted : one.mark) && (player === null || one.player === player)) ?? [];
  }

  /** Offers whose decisions can be asked. */
  offer() {
    const choice = find("quiz-player", HTMLSelectElement);
    const { value } = choice;
    const players = [0, 1].filter((player) => this.wanted(player).length);
    choice.replaceChildren(...players.map((player) => new Option(`${this.page.nameOf(player)} (${this.wanted(player).length})`, String(player))),
      ...(players.length > 1 ? [new Option(_("Both (%(count)s)", { count: this.wanted(null).length }), "both")] : []));
    if ([...choice.options].some((option) => option.value === value)) choice.value = value;
  }

  begin() {
    const { value } = find("quiz-player", HTMLSelectElement);
    const order = find("quiz-order", HTMLSelectElement).value;
    const found = value ? this.wanted(value === "both" ? null : Number(value)) : [];
    if (!found.length) {
      this.page.failed(NONE.worst);
      return;
    }
    if (order === "worst") found.sort((a, b) => b.loss - a.loss);
    this.every = order === "every";
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
    if (!answer.ok) throw new Error(_("The server answered %(status)s.", { status: answer.status }));
    return /** @type {View} */ (parseExact(await answer.text()));
  }

  /** Asks the next question; where it cannot be read, everything stays as it was, for another try. */
  async ask() {
    const { question, stage } = this;
    this.stage = "waiting";
    const [view, whole] = await Promise.all([this.look(), this.page.whole(question)]).catch(() => []);
    if (question !== this.question || !this.on) return; // it was left meanwhile
    if (!view || !whole) {
      if (stage === "asking") this.asked.pop(); // it is not skipped yet
      this.stage = stage;
      this.page.failed(_("The server cannot be reached."));
      return;
    }
    this.view = view;
    this.questions[this.asked.length] = whole;
    this.board.arrows = [];
    this.board.options = { keys: true };
    this.board.jump(view);
    this.showQuestion(whole, view);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); // keys belong to the board now
    this.stage = "asking";
    find("quiz").dataset.stage = "asking";
    find("quiz").dataset.kind = question.kind;
    document.body.classList.toggle("trying", question.kind === "play");
  }

  /** @param {Decision} question @param {View} view */
  showQuestion(question, { score }) {
    const { game, kind, player, faces, level = 0 } = question;
    find("quiz-count").textContent = _("%(number)s of %(count)s · game %(game)s, at %(score)s", { number: this.asked.length + 1, count: this.questions.length, game, score: `${score.near} : ${score.far}` });
    find("quiz-ask").textContent = QUESTIONS[kind](this.page.nameOf(player), (faces ?? []).join("-"), level);
    find("quiz-hint").textContent = kind === "play" ? _("Play it on the board.") : "";
    find("quiz-choices").replaceChildren(...(kind === "play" ? [] : choicesOf(question).map((text) => this.button(text, question))));
    find("quiz-answer").replaceChildren();
    find("quiz-table").replaceChildren();
    find("quiz-next").textContent = _("Skip");
    this.show("quiz-question");
  }

  /** @param {string} text @param {Decision} question */
  button(text, question) {
    const key = element("kbd", {}, [KEYS[text]?.toUpperCase() ?? ""]);
    const button = element("button", { type: "button", class: "button", "data-choice": text }, [optionText(text, question), " ", key]);
    button.addEventListener("click", () => void this.send({ kind: question.kind, choice: text }));
    return button;
  }

  /** A play was made on the board. @param {{kind: string, moves?: Move[]}} event */
  async played({ kind, moves }) {
    if (kind === "play") await this.send({ moves: JSON.stringify(moves ?? []) });
  }

  /** Sends an answer to be judged, and shows how good it is. @param {Record<string, string>} given */
  async send(given) {
    if (this.stage !== "asking") return;
    this.stage = "waiting";
    find("quiz-hint").textContent = _("Judging …");
    const { question } = this;
    let answer;
    try {
      answer = await this.judged({ event: String(question.event), plies: String(this.report?.plies), ...given });
    } catch (error) {
      if (question !== this.question || !this.on) return;
      find("quiz-hint").textContent = _("Not judged: %(why)s. Try again.", { why: error instanceof Error ? error.message : _("the server cannot be reached") });
      this.stage = "asking";
      if (this.view) this.board.jump({ ...this.view });
      return;
    }
    if (question === this.question && this.on) this.judge(answer);
  }

  /** How good an answer is, as the server says. @param {Record<string, string>} form @returns {Promise<Answer>} */
  async judged(form) {
    const answer = await fetch(`${this.path}/quiz`, { method: "POST", body: new URLSearchParams(form) });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    return said;
  }

  /** Asks for a deeper graph where the one that is there ends. @param {Move[]} moves */
  async tried(moves) {
    if (this.stage !== "asking" || !this.board.turn?.waiting) return;
    const { question } = this;
    try {
      const view = await this.look(moves);
      if (question !== this.question || this.stage !== "asking") return;
      this.view = view;
      this.board.set(view);
    } catch {
      this.page.failed(_("The server cannot be reached."));
    }
  }

  /** Shows how good an answer is. @param {Answer} answer */
  judge(answer) {
    const { question } = this;
    this.stage = "answered";
    find("quiz").dataset.stage = "answered";
    document.body.classList.remove("trying");
    find("quiz-hint").textContent = "";
    find("quiz-choices").replaceChildren();
    this.tell(question, answer);
    this.asked.push({ decision: question, answer });
    find("quiz-next").textContent = this.question ? _("Next") : _("The score");
    find("quiz-next").focus({ preventScroll: true });
  }

  /** @param {Decision} decision @param {Answer} answer */
  tell(decision, answer) {
    const { options, chosen, loss, mark } = decision;
    const right = !answer.loss;
    const same = answer.done === options[chosen].text;
    const made = optionText(answer.text, decision);
    const verdict = right ? _("%(play)s: the best choice.", { play: made })
      : `${_("%(play)s gives away %(loss)s.", { play: made, loss: `${number(answer.loss, 3)}${this.percent(answer.cost)}` })} ${signOf(answer.mark)}`;
    const lines = [
      paragraph(verdict, `quiz-said ${right ? "right" : answer.mark || "near"}`),
      paragraph(right ? "" : _("Best is %(play)s.", { play: optionText(answer.best, decision) })),
      ...(this.every ? this.beside(decision, answer, same) : [paragraph(same ? _("You did the same in the match.")
        : `${_("In the match: %(play)s, which gave away %(loss)s", { play: optionText(options[chosen].text, decision), loss: number(loss, 3) })} ${signOf(mark)}`)]),
      ...this.why(decision, answer, right || same),
      paragraph(this.page.noteOf(decision.event), "own-note"),
      paragraph(answer.ranked ? "" : this.remark(answer.plies), "hint"),
    ];
    find("quiz-answer").replaceChildren(...lines.filter(({ textContent }) => textContent));
    const here = element("a", { href: `${this.path}/analysis-board?before=${decision.event}&player=${decision.player}` }, [_("Open this position on the analysis board")]);
    const copying = button(_("Copy with analysis"), "button", () => void copyDecision(momentText(this.path, decision, this.report?.plies ?? 0)));
    find("quiz-table").replaceChildren(this.verdict.table(decision), element("p", {}, [here]), element("p", { class: "button-row" }, [copying]));
    if (!this.view) return;
    this.still = { ...this.view, turn: null, allowed: [] };
    this.board.jump(this.still);
    this.point(decision, answer);
  }

  /** What was done in the match, by whoever decided there, and both losses. @param {Decision} decision @param {Answer} answer @param {boolean} same */
  beside(decision, answer, same) {
    const { options, chosen, loss, mark } = decision;
    const player = this.page.nameOf(decision.player);
    const play = optionText(options[chosen].text, decision);
    const done = same ? _("%(player)s did the same.", { player }) : loss ? `${_("%(player)s: %(play)s", { player, play })} ${signOf(mark)}` : _("%(player)s: %(play)s, the best choice.", { player, play });
    return [paragraph(done), paragraph(_("Given away: %(own)s by you, %(theirs)s by %(player)s.", { own: number(answer.loss, 3), theirs: number(loss, 3), player }))];
  }

  /** Why the best is best: for another play than that of the match what was found of it, else the themes, which every language has.
   * @param {Decision} decision @param {Answer} answer @param {boolean} known */
  why({ themes, lesson, kind }, answer, known) {
    if ((known || kind !== "play") && themes?.length) return themes.map((theme) => this.verdict.theme(theme));
    return [paragraph(answer.lesson || (known ? lesson : "") || "")];
  }

  /** How a play was judged that the report has not ranked. @param {number} plies */
  remark(plies) {
    const deep = this.report?.plies ?? 0;
    const values = { ahead: ahead(plies), deep: ahead(deep) };
    return plies < deep ? _("The analysis has not ranked this play; it was judged now, %(ahead)s, where the analysis looked %(deep)s.", values)
      : _("The analysis has not ranked this play; it was judged now, %(ahead)s.", values);
  }

  /** @param {Decision} decision @param {Answer} answer */
  point({ kind, options }, answer) {
    if (kind !== "play") return;
    const best = asMoves(options[0]);
    const made = answer.loss ? answer.moves : [];
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
    return this.report?.length && cost ? `, ${_("%(share)s of the match", { share: percent(cost, 2) })}` : "";
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
    const right = answered.filter(({ answer }) => answer?.loss === 0).length;
    const missed = this.asked.filter(({ answer }) => answer?.loss !== 0).map(({ decision }) => decision);
    const title = element("h2", { tabindex: -1 }, [_("%(right)s of %(count)s right", { right, count: this.asked.length })]);
    const buttons = element("p", { class: "button-row" }, [
      ...(missed.length ? [button(_("Those missed again"), "button primary", () => void this.start(missed))] : []),
      button(_("Back to the replay"), "button", () => this.stop()),
    ]);
    const listed = this.every ? costliest(answered) : this.asked;
    const list = element("ol", { class: "quiz-list" }, listed.map(({ decision, answer }) => this.line(decision, answer)));
    const score = element("div", { class: "quiz-score", role: "status" });
    find("quiz-end").replaceChildren(title, score, ...sums(answered, this.asked.length - answered.length),
      ...(this.every && listed.length ? [element("h3", {}, [_("What cost you most")])] : []), list, buttons);
    if (this.every && answered.length) void showScore(score, this.path, this.report?.plies ?? 0, answered);
    this.show("quiz-end");
    title.focus({ preventScroll: true });
  }

  /** Stops; where every decision is asked, the answers so far are counted first. */
  giveUp() {
    const counts = this.every && this.stage && this.asked.some(({ answer }) => answer);
    if (!counts) return this.stop();
    this.questions = this.asked.map(({ decision }) => decision);
    this.end();
  }

  /** @param {Decision} decision @param {Answer | null} answer */
  line(decision, answer) {
    const { event, options, loss, kind } = decision;
    const show = button(answer ? optionText(answer.text, decision) : _("skipped"), "plain", () => this.stop(event - 1));
    show.title = _("Show it in the replay");
    const lost = !answer ? "" : !answer.loss ? "✓" : `${number(-answer.loss, 3)} ${signOf(answer.mark)}`;
    const best = _("best %(play)s; in the match %(loss)s", { play: optionText(options[0].text, decision), loss: number(-loss, 3) });
    return element("li", { "data-kind": kind }, [show, element("span", {}, [lost]), element("span", { class: "hint" }, [best])]);
  }

  /** Back to the replay, as the browser's Back leads there. @param {number | null} [seq] the event to go to */
  stop(seq = null) {
    if (!history.state?.quiz) return this.leave(seq);
    this.to = seq;
    history.back();
  }

  /** @param {number | null} seq */
  leave(seq) {
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
    if (!this.on || this.stage !== "asking" || event.repeat || !isPlainKey(event)) return;
    const choice = [...all("#quiz-choices [data-choice]")].find(({ dataset }) => KEYS[dataset.choice ?? ""] === event.key.toLowerCase());
    if (!choice) return;
    event.preventDefault();
    choice.click();
  }
}

/** What is said where there is nothing to ask. */
const NONE = { worst: _("Nobody has made a mistake in this match."), every: _("Nothing was to be decided in this match.") };

/** @param {string} text @param {string} [kind]  its class */
const paragraph = (text, kind) => element("p", kind ? { class: kind } : {}, [text]);

/** @param {string} text @param {string} kind  its class @param {() => void} act */
function button(text, kind, act) {
  const made = element("button", { type: "button", class: kind }, [text]);
  made.addEventListener("click", act);
  return made;
}

/** What the answers lost together, and how many questions were skipped. @param {Asked[]} answered @param {number} skipped */
function sums(answered, skipped) {
  const sum = (/** @type {(one: Asked) => number} */ value) => answered.reduce((total, one) => total + value(one), 0);
  const here = sum(({ answer }) => answer?.loss ?? 0);
  const then = sum(({ decision }) => decision.loss);
  return [
    ...(answered.length ? [paragraph(_("Answers gave away %(here)s; in the match the same decisions gave away %(then)s.", { here: number(here, 3), then: number(then, 3) }))] : []),
    ...(skipped ? [paragraph(ngettext("%(num)s skipped.", "%(num)s skipped.", skipped), "hint")] : []),
  ];
}

/** @param {number} plies */
const ahead = (plies) => [_("at a glance"), _("one roll ahead"), _("two rolls ahead")][plies] ?? _("%(plies)s rolls ahead", { plies });
