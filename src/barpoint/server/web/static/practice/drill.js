// A drill: asks one question after another, measures the time, and shows what the server says of each answer.

/** @import {View, Move} from "../board/types.js" */
/** @import {Choice, Judged} from "./question.js" */
import { BarpointBoard } from "../board/board.js";
import { _, number } from "../board/language.js";
import { all, element, find } from "../dom.js";
import { toast } from "../notes.js";
import { asMoves, Verdict } from "../replay/verdict.js";
import { parseExact } from "../session/exact.js";
import { ask, sentence } from "./ask.js";
import { becomeGuest, forQuestions, named, offerCard, sentenceOf, showChoices } from "./question.js";

/**
 * @typedef {{id: string, drill: string, text: string, unit: string, fields: string[], choices: Choice[], view: View | null, address: string, card: object | null}} Question
 */

const page = find("drill");
const board = find("board", BarpointBoard);
const verdict = new Verdict(find("table"), () => {});
forQuestions(board);

/** @type {Question | null} */
let question = null;
const card = find("make-card", HTMLButtonElement);
offerCard(card, () => question?.card);
/** @type {"" | "waiting" | "asking" | "answered"} */
let stage = "";
let began = 0;
let asked = 0;
let right = 0;

/** The next question, unless one is on its way or an answer is being judged. */
async function next() {
  if (stage === "waiting") return;
  stage = "waiting";
  try {
    if (page.dataset.known === "no") await becomeGuest();
    page.dataset.known = "yes";
    const query = page.dataset.only ? `?${new URLSearchParams({ stage: page.dataset.only })}` : "";
    question = /** @type {Question} */ (parseExact(await ask(`/drills/question/${page.dataset.drill}${query}`)));
  } catch (error) {
    find("told").textContent = sentence(error);
    find("next").hidden = false;
    find("next").textContent = _("Again");
    stage = "";
    return;
  }
  show(question);
  stage = "asking";
  began = performance.now();
}

/** @param {Question} shown */
function show({ text, fields, choices, view, unit }) {
  page.dataset.board = view ? "yes" : "no";
  board.arrows = [];
  if (view) {
    board.turn = null;
    board.jump(named(view));
  }
  page.dataset.stage = "asking";
  document.body.classList.toggle("trying", Boolean(view?.turn));
  find("ask").textContent = text;
  if (asked) find("count").textContent = _("%(right)s of %(count)s right", { right, count: asked });
  find("told").textContent = view?.turn ? _("Play it on the board.") : "";
  for (const id of ["answer", "table"]) find(id).replaceChildren();
  find("next").hidden = find("more").hidden = true;
  find("numbers").hidden = !fields.length;
  find("fields").replaceChildren(...fields.map((name, index) => element("label", { class: "field" }, [unit ? `${name} (${unit})` : name,
    element("input", { name: `n${index}`, type: "text", inputmode: "decimal", required: "", maxlength: "8", "aria-label": name })])));
  showChoices(choices, (choice) => void answer({ choice }));
  if (fields.length) find("fields").querySelector("input")?.focus({ preventScroll: true });
}

/** @param {{choice: string} | {numbers: number[]} | {moves: Move[]}} given */
async function answer(given) {
  if (stage !== "asking" || !question) return;
  stage = "waiting";
  find("told").textContent = _("Judging …");
  try {
    judge(/** @type {Judged} */ (JSON.parse(await ask("/drills/answer", { question: question.id, ...given }))));
  } catch (error) {
    find("told").textContent = sentence(error);
    stage = "asking";
    if (question.view) board.jump(named(question.view));
    find("next").hidden = false;
    find("next").textContent = _("Skip");
  }
}

/** @param {Judged} judged */
function judge(judged) {
  const { right: good, detail, ms, decision } = judged;
  stage = "answered";
  page.dataset.stage = "answered";
  asked += 1;
  if (good) right += 1;
  document.body.classList.remove("trying");
  find("told").textContent = "";
  find("count").textContent = _("%(right)s of %(count)s right", { right, count: asked });
  find("answer").replaceChildren(element("p", { class: `quiz-said ${good ? "right" : "error"}` }, [
    [sentenceOf(judged), detail, _("%(seconds)s s", { seconds: number(ms / 1000, 1) })].filter(Boolean).join(" · ")]));
  for (const field of all("#fields input")) field.setAttribute("readonly", "");
  find("numbers").querySelector("button")?.setAttribute("hidden", "");
  find("choices").replaceChildren();
  if (decision) {
    find("table").replaceChildren(verdict.table(decision));
    const { options } = decision;
    if (question?.view) board.jump(named({ ...question.view, turn: null, allowed: [] }));
    board.arrows = [{ side: /** @type {const} */ ("near"), moves: asMoves(options[0]), kind: /** @type {const} */ ("best") }];
  } else if (question?.view) board.jump(named(question.view));
  find("more").hidden = !question?.address && !question?.view;
  card.hidden = !question?.card;
  card.disabled = false;
  find("here", HTMLAnchorElement).href = `/analysis?${question?.address ?? ""}`;
  find("next").hidden = false;
  find("next").textContent = _("Next");
  find("next").focus({ preventScroll: true });
}

board.addEventListener("bg-event", (event) => {
  const { kind, moves } = /** @type {CustomEvent} */ (event).detail;
  if (kind === "play") void answer({ moves: moves ?? [] });
});
board.addEventListener("bg-draft", async (event) => {
  if (stage !== "asking" || !board.turn?.waiting || !question) return;
  const { id } = question;
  const query = new URLSearchParams({ question: id, moves: JSON.stringify(/** @type {CustomEvent} */ (event).detail.moves) });
  try {
    const view = /** @type {View} */ (parseExact(await ask(`/drills/board?${query}`)));
    if (question.id === id && stage === "asking") board.set(named(view));
  } catch (error) {
    toast(sentence(error));
  }
});
/** The number in a field, with a decimal point or comma; a percent sign may follow one in percent. @param {Element} field @param {boolean} percent */
function numberIn(field, percent) {
  const value = /** @type {HTMLInputElement} */ (field).value.trim();
  const text = percent ? value.replace(/\s*%$/, "") : value;
  return text ? Number(text.replace(",", ".")) : NaN;
}

find("numbers").addEventListener("submit", (event) => {
  event.preventDefault();
  const percent = question?.unit === "%";
  const numbers = [...all("#fields input")].map((field) => numberIn(field, percent));
  if (!numbers.every(Number.isFinite)) find("told").textContent = _("A number is wanted.");
  else if (percent && !numbers.every((value) => value >= 0 && value <= 100)) find("told").textContent = _("A number from 0 to 100 is wanted.");
  else void answer({ numbers });
});
find("next").addEventListener("click", () => {
  find("numbers").querySelector("button")?.removeAttribute("hidden");
  void next();
});
setInterval(() => {
  if (stage === "asking") find("clock").textContent = _("%(seconds)s s", { seconds: number((performance.now() - began) / 1000, 0) });
}, 500);

await next();
