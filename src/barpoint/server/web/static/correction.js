// The page on which a match is corrected or written down: the board at the line with the cursor, what may be entered there, and the
// line that it gives. The server says all of it; typed lines need none of this.

/** @import {View} from "./board/types.js" */
import { BarpointBoard } from "./board/board.js";
import { _ } from "./board/language.js";
import { all, find, findIn, setText } from "./dom.js";
import { RealDice } from "./match/real_dice.js";
import { toast } from "./notes.js";
import { parseExact } from "./session/exact.js";
import { dressBoard } from "./settings.js";

/** How long typing rests before the board follows. */
const REST_MS = 400;

/** @typedef {{at: number, written: string[], line: number, view: View, roll: View["roll"] | null, problem: string}} Shown
 *   written: instead of the line `at`; line: which is due now; roll: with which it can begin */

const lines = find("lines", HTMLTextAreaElement);
const board = find("board", BarpointBoard);
const path = find("correction").dataset.path ?? "";
const first = findIn(document, "[name=first]", HTMLInputElement).value;
const realDice = new RealDice(find("real-dice"), board, enter);
dressBoard(board, { keys: true });

/** Index of the line at which the board is. */
let at = 0;
/** @type {Shown | null} */
let shown = null;
/** The number of the question whose answer counts. */
let asked = 0;
let rest = 0;
/** What is entered at the board, until the server has answered; resolves to whether it was taken.
 * @type {Promise<boolean> | null} */
let entry = null;
let sent = false;
const fixed = lines.readOnly;

/** @returns {string[]} */
const texts = () => lines.value.split("\n");

/** The index of the line with the cursor. */
const atCursor = () => lines.value.slice(0, lines.selectionStart).split("\n").length - 1;

/** The place of a line in the text. @param {number} index */
const startOf = (index) => texts().slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);

/** Marks the line that is due, and brings it into sight. @param {number} index */
function mark(index) {
  if (index >= texts().length) lines.value += "\n".repeat(index - texts().length + 1);
  at = index;
  setText(find("line"), `${index + 1}. ${texts()[index]}`);
  lines.style.setProperty("--line", String(index));
  if (document.activeElement === lines) return; // the cursor is in sight
  const height = parseFloat(getComputedStyle(lines).lineHeight);
  const top = index * height, seen = lines.clientHeight - 2 * height;
  if (top < lines.scrollTop || top > lines.scrollTop + seen) lines.scrollTop = Math.max(0, top - seen / 2);
}

/** Goes to a line: the cursor, too. @param {number} index @param {number} [length] of what is selected there */
function go(index, length = 0) {
  mark(Math.max(0, index));
  const start = startOf(at);
  lines.setSelectionRange(start, start + length);
}

/** Replaces lines, and goes to one. @param {number} from @param {number} count @param {string[]} by @param {number} to */
function write(from, count, by, to) {
  const now = texts();
  now.splice(from, count, ...by);
  lines.value = now.join("\n");
  go(to);
}

/** Asks for the board at the line, after what is entered there; what was asked before does not count any more.
 * @param {{event?: string, moves?: string}} [what] @param {boolean} [typed]  the line is being typed: what is wrong with it is not said yet
 * @returns {Promise<boolean>} whether something was entered */
async function ask(what = {}, typed = false) {
  clearTimeout(rest);
  const number = (asked += 1);
  const body = new URLSearchParams({ first, lines: lines.value, at: String(at), ...what });
  const answer = await fetch(`${path}/correct/board`, { method: "POST", body }).catch(() => null);
  const text = await answer?.text().catch(() => "");
  if (number !== asked) return false;
  if (answer?.ok && text) {
    /** @type {Shown} */
    const found = parseExact(text);
    if (!what.moves) say(typed && found.line === at ? "" : found.problem);
    const entered = found.written.length > 0;
    if (entered) write(found.at, 1, found.written, found.line);
    else mark(found.line);
    show(found, entered || Boolean(what.moves));
    return entered;
  }
  const refused = answer?.headers.get("content-type") === "application/json" && text ? JSON.parse(text).message : "";
  const failed = answer && !answer.ok ? _("The server answered %(status)s.", { status: answer.status }) : _("The server cannot be reached.");
  if (!typed) toast(refused || failed);
  if (shown) show(shown, true);
  return false;
}

/** Enters something at the board. Until its answer is there the text stays as it is. @param {Record<string, unknown>} event */
function enter(event) {
  if (entry) return;
  lines.readOnly = true;
  entry = ask({ event: JSON.stringify(event) }).finally(() => {
    entry = null;
    lines.readOnly = fixed;
  });
}

/** What a button does, after what is being entered if that is taken. @param {() => void} act */
const inTurn = (act) => () => void (entry ? entry.then((entered) => entered && act()) : act());

/** @param {string} problem */
function say(problem) {
  setText(find("problem"), problem);
  find("problem").hidden = !problem;
}

/** @param {Shown} found @param {boolean} goes_on  from what the board shows */
function show(found, goes_on) {
  shown = found;
  const { view, roll } = found;
  const still = fixed ? { ...view, allowed: [], turn: null, roll: undefined } : { ...view, roll: roll ?? undefined };
  const seen = { ...realDice.show(still), roll: view.roll };
  if (view.dice && roll) setText(realDice.prompt, _("Roll %(faces)s", { faces: view.dice.faces.join("-") })); // another can be entered
  if (goes_on) board.set(seen);
  else board.jump(seen);
}

/** Follows the cursor where it has come to another line. */
function follow() {
  if (!entry && document.activeElement === lines && atCursor() !== at) typed();
}

function typed() {
  mark(atCursor());
  clearTimeout(rest);
  rest = setTimeout(() => void ask({}, true), REST_MS);
}

/** Empties the line; an empty one goes, and the one before it is due again. */
function takeBack() {
  if (texts()[at].trim()) write(at, 1, [""], at);
  else if (at) write(at, 1, [], at - 1);
  void ask();
}

board.addEventListener("bg-event", (event) => realDice.enter(/** @type {CustomEvent} */ (event).detail));
board.addEventListener("bg-draft", (event) => {
  const { turn } = board;
  if (!entry && turn && (turn.waiting || turn.view.turn?.free)) void ask({ moves: JSON.stringify(/** @type {CustomEvent} */ (event).detail.moves) });
});
for (const button of all("[data-step]")) {
  button.addEventListener("click", inTurn(() => {
    go(Math.min(at + Number(button.dataset.step), texts().length - (texts().at(-1)?.trim() ? 0 : 1)));
    void ask();
  }));
}
find("insert").addEventListener("click", inTurn(() => {
  write(at, 0, [""], at);
  void ask();
}));
find("back").addEventListener("click", inTurn(takeBack));
lines.addEventListener("input", typed);
document.addEventListener("selectionchange", follow);
for (const form of document.forms) {
  if (form.action.endsWith("/correct")) form.addEventListener("submit", (event) => {
    if (entry) {
      event.preventDefault();
      void entry.then((entered) => entered && form.requestSubmit(event.submitter));
    } else sent = true;
  });
}
addEventListener("beforeunload", (event) => {
  if (!sent && (entry || "unsaved" in lines.dataset || lines.value.trimEnd() !== lines.defaultValue.trimEnd())) event.preventDefault();
});

find("steps").hidden = false;
for (const id of ["insert", "back"]) find(id).hidden = fixed;
const wrong = Number(lines.dataset.wrong ?? -1);
if (wrong >= 0) {
  lines.focus({ preventScroll: true }); // the board and what is wrong stand above
  go(wrong, texts()[wrong]?.length);
} else go(new URLSearchParams(location.search).has("after") ? 0 : texts().length - (lines.value ? 0 : 1));
void ask();
