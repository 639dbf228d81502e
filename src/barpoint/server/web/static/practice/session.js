// A session of practice: asks cards on the board, sends answers to the server, shows what it says and when the card comes again.

/** @import {View, Move} from "../board/types.js" */
/** @import {Decision, Option as Choice} from "../replay/analysis.js" */
import { copyDecision, positionText } from "../analysis/decision_text.js";
import { BarpointBoard } from "../board/board.js";
import { _, ngettext, number } from "../board/language.js";
import { all, element, find, isPlainKey } from "../dom.js";
import { toast } from "../notes.js";
import { answerLines, asMoves, sideFrom, signOf, Verdict, worded } from "../replay/verdict.js";
import { parseExact } from "../session/exact.js";
import { dressBoard } from "../settings.js";
import { Away, ask, sentence } from "./ask.js";

/**
 * @typedef {"again" | "hard" | "good" | "easy"} Grade
 * @typedef {{id: string, asked: "play" | "double" | "take", address: string, due_at: number, faces?: number[], theme?: string,
 *   source?: string, made?: string, loss?: number, fresh?: boolean, reviews?: number}} Card
 * @typedef {{decision: Decision, plies: number, net: string, listed: boolean, grade: Grade, days: Record<Grade, number>, review: number, comment: string}} CardAnswer
 * @typedef {{card: Card, again: boolean, sent?: boolean}} Turn  again: as below. sent: an answer was sent, and what was said of it got lost
 * @typedef {{card: Card, answer: CardAnswer | null, grade: Grade | "", again: boolean}} Asked  again: it was missed before in this session
 */

const page = find("session");
const { deck = "", theme = "" } = page.dataset;
const themes = /** @type {Record<string, [string, string]>} */ (JSON.parse(page.dataset.themes ?? "{}"));
const board = find("board", BarpointBoard);
const verdict = new Verdict(find("table"), preview, themes);
dressBoard(board, { keys: true });

/** @type {Record<Grade, [string, string]>} the name of each grade, and its key */
const GRADES = { again: [_("Again"), "1"], hard: [_("Hard"), "2"], good: [_("Good"), "3"], easy: [_("Easy"), "4"] };

/** @type {Record<string, [string, string][]>} choices with their keys */
const CHOICES = { play: [], double: [["No double", "r"], ["Double", "d"]], take: [["Take", "t"], ["Pass", "p"]] };

/** @type {Turn[]} */
let queue = [];
/** @type {Asked[]} */
let asked = [];
/** @type {Turn | undefined} */
let now;
/** @type {View | null} the board that is asked about */
let view = null;
/** @type {View | null} the same without anything to do */
let still = null;
/** @type {"waiting" | "asking" | "answered" | "lost" | "over"} lost: the card cannot be read now */
let stage = "waiting";

async function begin() {
  stage = "waiting";
  asked = [];
  try {
    const { cards } = JSON.parse(await ask(`/session?${new URLSearchParams({ deck, theme })}`));
    queue = cards.map((/** @type {Card} */ card) => ({ card, again: false }));
  } catch (error) {
    end(sentence(error));
    return;
  }
  await next();
}

/** @param {Move[]} [moves] those tried */
async function look(moves = []) {
  const query = moves.length ? `?moves=${encodeURIComponent(JSON.stringify(moves))}` : "";
  const found = /** @type {View} */ (parseExact(await ask(`/card/${now?.card.id}${query}`)));
  return { ...found, labels: { near: _("You"), far: _("Opponent") } };
}

async function next() {
  now = queue.shift();
  if (!now) {
    end("");
    return;
  }
  stage = "waiting";
  board.arrows = [];
  try {
    view = await look();
  } catch (error) {
    if (error instanceof Away) {
      lose(now, sentence(error));
      return;
    }
    toast(sentence(error));
    await next();
    return;
  }
  board.turn = null; // else the board keeps what was tried of the same roll
  board.jump(view);
  showQuestion(now.card, view);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); // keys belong to the board now
  stage = "asking";
  page.dataset.stage = "asking";
  document.body.classList.toggle("trying", now.card.asked === "play");
}

/** Keeps a card that cannot be read now, until it is asked for again. @param {Turn} turn @param {string} problem */
function lose(turn, problem) {
  queue.unshift(turn);
  stage = "lost";
  clear();
  find("ask").textContent = find("choices").textContent = "";
  find("told").textContent = problem;
  find("next").textContent = _("Again");
  find("question").hidden = false;
  find("next").focus({ preventScroll: true });
}

/** Takes away what was said of the last card. */
function clear() {
  for (const id of ["answer", "table", "grades"]) find(id).replaceChildren();
  find("grades").hidden = find("more").hidden = true;
}

/** @param {Card} card @param {View} shown */
function showQuestion(card, { score }) {
  const done = new Set(asked.map((one) => one.card.id)).size;
  const left = new Set(queue.map((one) => one.card.id)).size;
  const place = _("%(number)s of %(count)s", { number: now?.again ? done : done + 1, count: now?.again ? done : done + 1 + left });
  const about = now?.again ? _("once more") : card.fresh ? _("new") : "";
  find("count").textContent = [place, about].filter(Boolean).join(" · ");
  const roll = (card.faces ?? []).join("-");
  find("ask").textContent = { play: _("How do you play %(roll)s?", { roll }), double: _("Double, or roll?"), take: _("You are doubled: take or pass?") }[card.asked];
  find("stake").textContent = !score.length ? _("Money game") : `${_("Match to %(length)s, %(score)s", { length: score.length, score: `${score.near}-${score.far}` })}${score.crawford ? `, ${_("Crawford game")}` : ""}`;
  find("told").textContent = card.asked === "play" ? _("Play it on the board.") : "";
  find("choices").replaceChildren(...CHOICES[card.asked].map(([text, key]) => {
    const button = element("button", { type: "button", class: "button", "data-choice": text, "data-key": key }, [worded(text), " ", element("kbd", {}, [key.toUpperCase()])]);
    button.addEventListener("click", () => void answer({ choice: text }));
    return button;
  }));
  clear();
  find("next").textContent = _("Skip");
  find("question").hidden = false;
  find("end").hidden = true;
}

/** @param {{moves: Move[]} | {choice: string}} given */
async function answer(given) {
  if (stage !== "asking" || !now) return;
  stage = "waiting";
  find("told").textContent = _("Judging …");
  const turn = now;
  const { card } = turn;
  const { reviews = 0 } = card;
  // With the number of answers known here, an answer replaces the one before: only the same one sent again may, since another tab may ask the card too.
  const known = turn.sent ? { reviews } : {};
  try {
    const found = /** @type {CardAnswer} */ (JSON.parse(await ask(`/card/${card.id}/answer`, { ...given, ...known, deck, theme })));
    card.reviews = reviews + 1;
    judge(turn, found);
  } catch (error) {
    turn.sent ||= error instanceof Away;
    find("told").textContent = _("Not judged: %(why)s. Try again.", { why: error instanceof Error ? error.message : "" });
    stage = "asking";
    if (view) board.jump({ ...view });
  }
}

/** @param {Turn} turn @param {CardAnswer} found */
function judge({ card, again }, found) {
  stage = "answered";
  page.dataset.stage = "answered";
  document.body.classList.remove("trying");
  asked.push({ card, answer: found, grade: found.grade, again });
  const { decision } = found;
  const { options, chosen, loss, mark = "", lesson, themes: found_themes = [] } = decision;
  find("told").textContent = "";
  find("choices").replaceChildren();
  find("answer").replaceChildren(
    ...answerLines({ text: options[chosen].text, loss, mark, listed: found.listed, best: options[0].text }),
    ...(card.made ? [element("p", { class: "hint" }, [_("In the match: %(play)s, which gave away %(loss)s", { play: worded(card.made), loss: number(card.loss ?? 0, 3) })])] : []),
    ...(found_themes.length ? found_themes.map((one) => verdict.theme(one)) : lesson ? [element("p", {}, [lesson])] : []),
    ...(found.comment ? [element("p", { class: "own-note" }, [_("My note: %(text)s", { text: found.comment })])] : []),
  );
  find("table").replaceChildren(verdict.table(decision), element("p", { class: "hint" }, [_("%(plies)s-ply, net %(net)s", { plies: found.plies, net: found.net })]));
  showGrades(found);
  find("more").hidden = false;
  find("here", HTMLAnchorElement).href = `/analysis?${card.address}`;
  find("source").hidden = !card.source;
  find("source", HTMLAnchorElement).href = card.source || "/practice";
  showNext();
  find("next").focus({ preventScroll: true });
  if (!view) return;
  still = { ...view, turn: null, allowed: [] };
  board.turn = null;
  board.jump(still);
  point(decision);
}

/** @param {CardAnswer} found */
function showGrades({ days, review }) {
  const one = asked.at(-1);
  find("grades").hidden = false;
  find("grades").replaceChildren(...Object.entries(GRADES).map(([name, [title, key]]) => {
    const grade = /** @type {Grade} */ (name);
    const gap = ngettext("%(num)s day", "%(num)s days", days[grade]);
    const button = element("button", { type: "button", class: "button", "data-key": key, "data-grade": grade, "aria-pressed": String(grade === one?.grade), title: _("Key %(key)s", { key }) },
      [title, element("small", {}, [gap])]);
    button.addEventListener("click", () => void regrade(review, grade));
    return button;
  }));
}

/** Says what comes after the card that is judged, which may be that card once more. */
function showNext() {
  find("next").textContent = queue.length || asked.at(-1)?.grade === "again" ? _("Next") : _("The end");
}

/** Changes the grade at once, and back where the server does not take it; the next card may be there by then. @param {number} review @param {Grade} grade */
async function regrade(review, grade) {
  const one = asked.at(-1);
  if (!one || stage !== "answered" || one.grade === grade) return;
  const before = one.grade;
  setGrade(one, grade);
  try {
    await ask(`/answer/${review}/grade`, { grade });
  } catch (error) {
    toast(sentence(error));
    if (one.grade === grade) setGrade(one, before);
  }
}

/** @param {Asked} one @param {Grade | ""} grade */
function setGrade(one, grade) {
  one.grade = grade;
  if (stage !== "answered" || one !== asked.at(-1)) return;
  for (const button of all("#grades [data-grade]")) button.setAttribute("aria-pressed", String(button.dataset.grade === grade));
  showNext();
}

/** Copies the decision that was answered last, with what is said of it. */
function copyLast() {
  const { card, answer: given } = asked.at(-1) ?? {};
  if (!card || !given) return;
  const { options, chosen } = given.decision;
  void copyDecision(positionText(card.address, given.plies, options[chosen].text));
}

/** @param {Decision} decision */
function point({ kind, options, chosen, loss }) {
  if (kind !== "play") return;
  board.arrows = [...(loss ? [{ side: /** @type {const} */ ("near"), moves: asMoves(options[chosen]), kind: /** @type {const} */ ("made") }] : []),
    { side: /** @type {const} */ ("near"), moves: asMoves(options[0]), kind: /** @type {const} */ ("best") }];
}

/** Shows where a play leads, until it is no longer pointed at. @param {Choice | null} option @param {Decision} decision */
function preview(option, decision) {
  if (!still || stage !== "answered") return;
  if (!option?.position) {
    board.jump(still);
    point(decision);
    return;
  }
  const [near, far] = option.position.map(sideFrom);
  board.arrows = [];
  board.jump({ ...still, near, far });
}

/** To the next card; one that was missed comes once more at the end of the session. */
async function go() {
  if (stage === "waiting" || !now) return;
  const last = stage === "answered" ? asked.at(-1) : null;
  if (last && last.grade === "again" && !last.again) queue.push({ card: last.card, again: true });
  if (stage === "asking") asked.push({ card: now.card, answer: null, grade: "", again: now.again });
  await next();
}

/** @param {string} problem */
function end(problem) {
  stage = "over";
  page.dataset.stage = view ? "over" : "none";
  document.body.classList.remove("trying");
  const first = asked.filter(({ again, answer: given }) => given && !again);
  const right = first.filter(({ grade }) => grade === "good" || grade === "easy").length;
  const lost = first.reduce((sum, { answer: given }) => sum + (given?.decision.loss ?? 0), 0);
  const title = element("h2", { tabindex: -1 }, [problem || (first.length ? _("%(right)s of %(count)s right", { right, count: first.length }) : _("Nothing is due here."))]);
  const another = element("button", { type: "button", class: "button primary" }, [_("Another session")]);
  another.addEventListener("click", () => void begin());
  find("end").replaceChildren(
    title,
    ...(first.length ? [element("p", {}, [_("Lost on average: %(loss)s", { loss: number(lost / first.length, 3) })])] : []),
    element("ol", { class: "quiz-list" }, first.map(lineOf)),
    element("p", { class: "button-row" }, [...(first.length ? [another] : []), element("a", { class: "button", href: "/practice" }, [_("All decks")])]),
  );
  find("question").hidden = true;
  find("end").hidden = false;
  if (first.length || problem) title.focus({ preventScroll: true });
}

/** @param {Asked} one */
function lineOf({ card, answer: given, grade }) {
  const { options = [], chosen = 0, loss = 0, mark = "" } = given?.decision ?? {};
  const link = element("a", { href: `/analysis?${card.address}` }, [worded(options[chosen]?.text || "no play")]);
  const days = given && grade ? ngettext("again in %(num)s day", "again in %(num)s days", given.days[grade]) : "";
  return element("li", {}, [link, " ", element("span", {}, [loss ? `${number(-loss, 3)} ${signOf(mark)}` : "✓"]), element("span", { class: "hint" }, [days])]);
}

async function remove() {
  if (stage !== "answered" || !now) return;
  const turn = now;
  const { id } = turn.card;
  try {
    await ask(`/card/${id}/remove`, {});
  } catch (error) {
    toast(sentence(error));
    return;
  }
  queue = queue.filter(({ card }) => card.id !== id);
  asked = asked.filter(({ card }) => card.id !== id);
  toast(_("The card is deleted."));
  if (now === turn) await next(); // else the next one is there already
}

board.addEventListener("bg-event", (event) => {
  const { kind, moves } = /** @type {CustomEvent} */ (event).detail;
  if (kind === "play") void answer({ moves: moves ?? [] });
});
board.addEventListener("bg-draft", async (event) => {
  if (stage !== "asking" || !board.turn?.waiting) return;
  const turn = now;
  try {
    const found = await look(/** @type {CustomEvent} */ (event).detail.moves);
    if (turn !== now || stage !== "asking") return;
    board.set(found);
  } catch (error) {
    toast(sentence(error));
  }
});
find("next").addEventListener("click", () => void go());
find("copy-analysis").addEventListener("click", copyLast);
find("remove").addEventListener("click", () => void remove());
document.addEventListener("keydown", (event) => {
  if (event.repeat || !isPlainKey(event)) return;
  const button = [...all("#choices [data-key], #grades [data-key]")].find(({ dataset }) => dataset.key === event.key.toLowerCase());
  if (!button) return;
  event.preventDefault();
  button.click();
});

await begin();
