// The first game in ten steps: one board, one step after the other.

import { BarpointBoard } from "../board/board.js";
import { _ } from "../board/language.js";
import { all, find, findIn } from "../dom.js";
import { Exercise } from "./exercise.js";

const steps = [...all("[data-lesson]")];
const said = find("answer");
const next = find("next", HTMLButtonElement);
const back = find("back", HTMLButtonElement);

let at = 0;
let reached = 0;

const exercise = new Exercise(find("board", BarpointBoard), ({ right, text }) => {
  said.textContent = text;
  said.dataset.right = String(right);
  findIn(document, ".button-row").scrollIntoView({ block: "nearest" });
  if (!right) return;
  reached = Math.max(reached, at + 1);
  find("progress", HTMLProgressElement).value = reached;
  next.textContent = at + 1 < steps.length ? _("Next") : _("Finish");
  next.classList.add("primary");
  next.focus({ preventScroll: true });
});

/** Shows a step, or the end. @param {number} step @param {boolean} [focus] */
function go(step, focus = true) {
  at = step;
  for (const [index, part] of steps.entries()) part.hidden = index !== at;
  const over = at === steps.length;
  find("end").hidden = !over;
  next.hidden = over;
  back.hidden = at === 0;
  find("count").textContent = over ? _("All steps") : _("Step %(number)s of %(count)s", { number: at + 1, count: steps.length });
  said.textContent = "";
  next.textContent = _("Skip this step");
  next.classList.remove("primary");
  if (focus) findIn(over ? find("end") : steps[at], "h2").focus({ preventScroll: true });
  if (over) showBoth();
  else void exercise.show(steps[at].dataset.lesson ?? "").then(showBoth);
}

/** Scrolls on a small screen until the task and the buttons below the board are seen, or else the task. */
function showBoth() {
  const below = exercise.board.getBoundingClientRect().bottom - innerHeight;
  const above = (steps[at] ?? find("end")).getBoundingClientRect().top;
  scrollBy({ top: Math.min(Math.max(below, 0), above) });
}

next.addEventListener("click", () => go(at + 1));
back.addEventListener("click", () => go(at - 1));
go(0, false);
