// Positions to try on a page of rules: each has a board of its own, which is filled when it comes into sight.

import { BarpointBoard } from "../board/board.js";
import { all, findIn } from "../dom.js";
import { Exercise } from "./exercise.js";

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof HTMLElement)) continue;
    seen.unobserve(target);
    begin(target);
  }
}, { rootMargin: "200px" });

/** @param {HTMLElement} box */
function begin(box) {
  const said = findIn(box, ".answer");
  const lesson = box.dataset.lesson ?? "";
  const exercise = new Exercise(findIn(box, "bg-board", BarpointBoard), ({ right, text }) => {
    said.textContent = text;
    said.dataset.right = String(right);
  });
  findIn(box, "[data-again]").addEventListener("click", () => {
    said.textContent = "";
    void exercise.show(lesson);
  });
  void exercise.show(lesson);
}

for (const box of all(".exercise")) seen.observe(box);
