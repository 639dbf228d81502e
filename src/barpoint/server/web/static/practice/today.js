// The position of the day: played or answered once, judged by its rollout, and shown beside what everybody answered.

/** @import {View, Move} from "../board/types.js" */
/** @import {Choice, Judged} from "./question.js" */
import { BarpointBoard } from "../board/board.js";
import { _, ngettext, number, percent } from "../board/language.js";
import { element, find } from "../dom.js";
import { toast } from "../notes.js";
import { asMoves } from "../replay/verdict.js";
import { parseExact } from "../session/exact.js";
import { ask, sentence } from "./ask.js";
import { becomeGuest, forQuestions, named, offerCard, sentenceOf, showChoices } from "./question.js";

/**
 * @typedef {{day: string, stage: string, text: string, choices: Choice[], view: View, address: string, card: object}} Question
 * @typedef {{text: string, equity: number | null, error: number | null, loss: number, persons: number, own: boolean}} Answer
 * @typedef {{judged: Judged, choices: Answer[], persons: number}} Answered
 */

const page = find("daily");
const path = `/day/${page.dataset.day}`;
const board = find("board", BarpointBoard);
forQuestions(board);

/** @type {Question | null} */
let question = null;
/** @type {"" | "waiting" | "asking" | "answered"} */
let stage = "";
offerCard(find("make-card", HTMLButtonElement), () => question?.card);

/** The board without anything to do. @param {View} view @returns {View} */
const still = (view) => named({ ...view, turn: null, allowed: [] });

async function begin() {
  if (stage === "waiting") return;
  stage = "waiting";
  find("again-line").hidden = true;
  find("told").textContent = "";
  try {
    question = /** @type {Question} */ (parseExact(await ask(path)));
    if (page.dataset.answered === "yes") {
      board.jump(still(question.view));
      find("told").textContent = _("Judging …");
      judge(/** @type {Answered} */ (JSON.parse(await ask(`${path}/answers`))));
      return;
    }
  } catch (error) {
    find("told").textContent = sentence(error);
    find("again-line").hidden = false;
    stage = "";
    return;
  }
  board.jump(named(question.view));
  stage = "asking";
  page.dataset.stage = "asking";
  document.body.classList.toggle("trying", Boolean(question.view.turn));
  find("told").textContent = question.view.turn ? _("Play it on the board.") : "";
  showChoices(question.choices, (choice) => void answer({ choice }));
}

/** @param {{choice: string} | {moves: Move[]}} given */
async function answer(given) {
  if (stage !== "asking" || !question) return;
  stage = "waiting";
  find("told").textContent = _("Judging …");
  try {
    if (page.dataset.known === "no") await becomeGuest();
    page.dataset.known = "yes";
    judge(/** @type {Answered} */ (JSON.parse(await ask(`${path}/answer`, given))));
    find("answer").focus({ preventScroll: true });
  } catch (error) {
    find("told").textContent = sentence(error);
    stage = "asking";
    board.jump(named(question.view));
  }
}

/** @param {Answered} answered */
function judge({ judged, choices, persons }) {
  if (!question) return;
  stage = "answered";
  page.dataset.stage = "answered";
  document.body.classList.remove("trying");
  find("told").textContent = "";
  find("choices").replaceChildren();
  const { right: good, decision } = judged;
  find("answer").replaceChildren(element("p", { class: `quiz-said ${good ? "right" : "error"}` }, [sentenceOf(judged)]));
  find("table").replaceChildren(tableOf(choices, persons), element("p", { class: "hint" }, [
    ngettext("%(num)s person has answered.", "%(num)s people have answered.", persons), " ", _("Equities are by rollout; ± is the standard error.")]));
  board.jump(still(question.view));
  if (decision) {
    board.arrows = [...(decision.loss ? [{ side: /** @type {const} */ ("near"), moves: asMoves(decision.options[decision.chosen]), kind: /** @type {const} */ ("made") }] : []),
      { side: /** @type {const} */ ("near"), moves: asMoves(decision.options[0]), kind: /** @type {const} */ ("best") }];
  }
  find("more").hidden = false;
  find("here", HTMLAnchorElement).href = `/analysis?${question.address}`;
}

/** @param {Answer[]} choices @param {number} persons */
function tableOf(choices, persons) {
  const head = element("tr", {}, [_("Answer"), _("Equity"), _("Loss"), _("Share")].map((text) => element("th", { scope: "col" }, [text])));
  const rows = choices.map(({ text, equity, error, loss, persons: count, own }) => element("tr", own ? { class: "chosen" } : {}, [
    element("th", { scope: "row" }, [text, ...(own ? [" ✓", element("span", { class: "hidden" }, [_("your answer")])] : [])]),
    element("td", {}, equity === null ? [] : [number(equity, 3, true), ...(error === null ? [] : [" ", element("small", {}, [`± ${number(error, 3)}`])])]),
    element("td", {}, [loss ? number(-loss, 3) : ""]),
    element("td", {}, [percent(count / persons, 0)]),
  ]));
  return element("table", { class: "rolled answers" }, [element("thead", {}, [head]), element("tbody", {}, rows)]);
}

board.addEventListener("bg-event", (event) => {
  const { kind, moves } = /** @type {CustomEvent} */ (event).detail;
  if (kind === "play") void answer({ moves: moves ?? [] });
});
board.addEventListener("bg-draft", async (event) => {
  if (stage !== "asking" || !board.turn?.waiting) return;
  const query = new URLSearchParams({ moves: JSON.stringify(/** @type {CustomEvent} */ (event).detail.moves) });
  try {
    const { view } = /** @type {Question} */ (parseExact(await ask(`${path}?${query}`)));
    if (stage === "asking") board.set(named(view));
  } catch (error) {
    toast(sentence(error));
  }
});
find("again").addEventListener("click", () => void begin());

await begin();
