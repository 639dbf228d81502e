// A study: the tree beside the board. Whoever reads it goes through its lines; its owner adds plays, names and comments.

/** @import {BoardShown, PlayAnswer} from "../analysis/types.js" */
/** @import {Move} from "../board/types.js" */
/** @import {StudyNode, StudyShown} from "./types.js" */
import { choicesOf } from "../analysis/choices.js";
import { showGot } from "../analysis/numbers.js";
import { Questions } from "../analysis/server.js";
import { rollGrid } from "../analysis/tables.js";
import { _ } from "../board/language.js";
import { BarpointBoard } from "../board/board.js";
import { all, element, find, findIn, isPlainKey, setText } from "../dom.js";
import { copy, toast } from "../notes.js";
import { sentence } from "../practice/ask.js";
import { dressBoard } from "../settings.js";
import { ask } from "./ask.js";
import { NoteForm } from "./note.js";
import { StudyQuestion } from "./question.js";
import { drawTree, following, nodeOf, step } from "./tree.js";

const board = find("board", BarpointBoard);
const id = find("study").dataset.id ?? "";
const questions = new Questions();
const answer = find("answer", HTMLDetailsElement);
dressBoard(board, { keys: false });

/** @type {StudyShown} */
let study = await ask(`/${id}`);
let at = nodeOf(study.nodes, Number(location.hash.slice(1) || new URLSearchParams(location.search).get("at")))?.id ?? study.at;
/** The roll that is tried in a position without one. */
let roll = "";
/** @type {BoardShown | null} */
let shown = null;
/** The owner's fields for the name and the comment; null for a reader. */
const note = study.mine ? new NoteForm(find("note", HTMLFormElement), keepNote) : null;

/** What is asked first; null where the study asks nothing, or nothing of its owner. */
const question = document.getElementById("quiz") ? new StudyQuestion(id, board, answered) : null;

const here = () => /** @type {StudyNode} */ (nodeOf(study.nodes, at) ?? study.nodes[0]);

/** The query of the position that is shown, with the roll that is tried. */
function query() {
  const fields = { ...here().board, ...(roll ? { roll } : {}) };
  return String(new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, typeof value === "boolean" ? String(Number(value)) : String(value)])));
}

/** Does something; says why it cannot be done. @param {() => Promise<unknown>} work @returns {Promise<boolean>} whether it was done */
async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    toast(sentence(error));
    return false;
  }
}

/** Shows a position of the study. @param {number} node @param {string} [tried]  a roll */
async function go(node, tried = "") {
  if (!await keepChanged()) return; // what was written would be lost
  at = node;
  roll = tried;
  history.replaceState(history.state, "", `#${at}`);
  question?.leave(study.answers.find((one) => one.node === at));
  drawPlace();
  await attempt(draw);
}

/** Shows where the reader is in the study, and what it says about the position. */
function drawPlace() {
  drawTree(find("tree"), study.nodes, at, (next) => void go(next));
  showNote();
  if (question) setText(find("score"), study.score);
  for (const way of ["back", "on"]) {
    findIn(document, `[data-go="${way}"]`, HTMLButtonElement).disabled = !step(study.nodes, at, way);
  }
}

/** Shows the study as it is seen after an answer. @param {StudyShown} found */
function answered(found) {
  study = found;
  find("open-analysis").hidden = asks();
  drawPlace();
}

/** Whether the position waits for an answer of the reader. */
const asks = () => Boolean(question && here().asked && !study.answers.some((one) => one.node === at));

async function draw() {
  const asking = asks();
  answer.hidden = find("open-analysis").hidden = find("open-rolls").hidden = asking;
  const asked = query();
  find("open-analysis", HTMLAnchorElement).href = `/analysis?${asked}`;
  if (question && asking) {
    questions.forget("board");
    shown = null;
    await question.ask(at);
    return;
  }
  const found = /** @type {BoardShown | null} */ (await questions.ask("board", `/board?${asked}`));
  if (!found) return;
  shown = found;
  if (board.turn?.made.length) board.turn = null;
  board.arrows = [];
  board.jump(named(found.view));
  drawDice(found);
  await analyse();
}

/** A board with its sides called as the page calls them. @param {BoardShown["view"]} view @returns {BoardShown["view"]} */
const named = (view) => ({ ...view, labels: { near: _("You"), far: _("Opponent") } });

function showNote() {
  const { name = "", comment = "" } = here();
  if (note) {
    note.show(here().id, here());
    find("first", HTMLButtonElement).disabled = following(study.nodes, here().parent ?? 0)[0].id === at;
    find("remove", HTMLButtonElement).disabled = study.nodes.length < 2;
    return;
  }
  for (const [place, text] of /** @type {const} */ ([["name", name], ["comment", comment]])) {
    find(place).textContent = text;
    find(place).hidden = !text;
  }
}

/** Keeps what was written about a position, and stays where the reader is. @param {number} node @param {object} fields @param {boolean} leaving  the page */
async function keepNote(node, fields, leaving) {
  study = await ask(`/${id}/edit`, { edit: { kind: "note", node, ...fields } }, leaving);
  drawTree(find("tree"), study.nodes, at, (next) => void go(next));
}

/** Keeps what was written, if the study does not hold it yet; whether it holds it now. */
const keepChanged = async () => !note || note.saveChanged();

/** Changes the study, and shows the position that the change leads to. @param {object} edit */
async function change(edit) {
  if (!await keepChanged()) return;
  await attempt(async () => {
    study = await ask(`/${id}/edit`, { edit });
    find("title").textContent = study.title;
    await go(study.at);
  });
}

/** Makes a play: adds it, or follows the line of somebody else's study. @param {Move[]} moves */
async function make(moves) {
  if (study.mine) return change({ kind: "play", parent: at, roll, moves });
  await attempt(async () => {
    const found = /** @type {BoardShown | null} */ (await questions.ask("board", `/board?${query()}&play=1&moves=${encodeURIComponent(JSON.stringify(moves))}`));
    const next = found && following(study.nodes, at).find(({ board: { position, turn } }) => position === found.address.position && turn === found.address.turn);
    if (next) return go(next.id);
    toast(_("The study says nothing about this play."));
    return go(at, roll);
  });
}

/** The rolls to choose from. @param {BoardShown} found */
function drawDice({ rolls, view }) {
  const chosen = view.dice?.faces.join("-") ?? "";
  find("open-rolls").textContent = chosen ? _("Roll %(faces)s", { faces: chosen }) : _("Roll");
  find("open-rolls", HTMLButtonElement).disabled = Boolean(here().board.roll);
  for (const button of all("#double")) /** @type {HTMLButtonElement} */ (button).disabled = Boolean(chosen);
  find("dice").replaceChildren(rollGrid(rolls.map((faces) => ({ faces })), (/** @type {{faces: number[]}} */ one) => {
    const faces = one.faces.join("-");
    const button = element("button", { type: "button", "aria-label": _("Roll %(faces)s", { faces }), "aria-pressed": String(faces === chosen) }, [one.faces.join("")]);
    button.addEventListener("click", () => {
      find("dice").hidePopover();
      void go(at, faces);
    });
    return button;
  }, false));
}

/** What the engine says about the position, where the reader asks for it. */
async function analyse() {
  if (!answer.open || !shown) return;
  find("choices").replaceChildren(element("p", { class: "hint" }, [_("Looking …")]));
  try {
    const found = await questions.ask("answer", `?${query()}`);
    if (!found) return;
    showGot(find("got"), found);
    find("choices").replaceChildren(...choicesOf(found, { point, make: (/** @type {PlayAnswer} */ play) => void make(play.moves), ...(study.mine ? { title: _("Add this play") } : {}) }, false));
  } catch (error) {
    find("choices").replaceChildren(element("p", { class: "hint" }, [sentence(error)]));
  }
}

/** @param {PlayAnswer | null} play */
function point(play) {
  if (!shown || board.turn?.made.length) return;
  board.arrows = play ? [{ side: shown.view.to_act ?? "near", moves: play.moves, kind: "best" }] : [];
}

/** @param {string} place @param {() => void} work */
const onPress = (place, work) => document.getElementById(place)?.addEventListener("click", work);

/** @param {string} place @param {(fields: FormData) => void} work */
function onSubmit(place, work) {
  const form = document.getElementById(place);
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    work(new FormData(/** @type {HTMLFormElement} */ (form)));
  });
}

/** @param {string} way */
function walk(way) {
  const next = step(study.nodes, at, way);
  if (next) void go(next.id);
}

for (const button of all("[data-go]")) button.addEventListener("click", () => walk(button.dataset.go ?? ""));
answer.addEventListener("toggle", () => void analyse());
onPress("double", () => void change({ kind: "double", parent: at }));
onPress("first", () => void change({ kind: "first", node: at }));
onPress("remove", () => {
  if (confirm(_("Remove this position and all that follows it?"))) void change({ kind: "remove", node: at });
});
onPress("copy-link", () => void copy(new URL(`/study/${id}?at=${at}`, location.href).href, _("The link is copied."), _("The link stands in the address bar of the browser.")));
onPress("copy-study", () => void attempt(async () => location.assign(`/study/${(await ask(`/${id}/copy`, {})).id}`)));
document.getElementById("remove-study")?.addEventListener("click", (event) => {
  if (!confirm(_("Delete this study? Its link will lead nowhere."))) event.preventDefault();
});
onSubmit("retitle", (fields) => void change({ kind: "title", title: fields.get("title") }));
board.addEventListener("bg-event", (event) => {
  const { kind, moves } = /** @type {CustomEvent} */ (event).detail;
  if (kind === "play" && question?.on) void question.send({ moves });
  else if (kind === "play") void make(moves);
  if (kind === "roll") find("dice").showPopover();
});
board.addEventListener("bg-draft", (event) => void attempt(async () => {
  if (!board.turn?.waiting) return;
  const { moves } = /** @type {CustomEvent} */ (event).detail;
  if (question?.on) return question.tried(moves);
  const found = await questions.ask("board", `/board?${query()}&moves=${encodeURIComponent(JSON.stringify(moves))}`);
  if (found) board.set(named(found.view));
}));
find("dice").addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState === "open") findIn(find("dice"), "button").focus();
});
addEventListener("hashchange", () => {
  const wanted = nodeOf(study.nodes, Number(location.hash.slice(1)))?.id;
  if (wanted && wanted !== at) void go(wanted);
});
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !isPlainKey(event) || (event.target instanceof Node && board.contains(event.target))) return;
  if (event.key.toLowerCase() === "r" && !find("open-rolls").hidden && !find("open-rolls", HTMLButtonElement).disabled) {
    event.preventDefault();
    find("open-rolls").click();
  }
  const way = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down", Home: "first" }[event.key];
  if (!way || find("dice").matches(":popover-open")) return;
  event.preventDefault();
  walk(way);
});

await go(at);
