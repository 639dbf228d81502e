// How well every decision of a match was guessed: the rating, which the server computes, and what cost most.

/** @import {Asked} from "./quiz.js" */
import { _ } from "../board/language.js";
import { element } from "../dom.js";

/** How many decisions are listed. */
const LISTED = 10;

/** Those that cost most. @param {Asked[]} answered @returns {Asked[]} */
export const costliest = (answered) => answered.filter(({ answer }) => answer?.loss)
  .sort((a, b) => (b.answer?.loss ?? 0) - (a.answer?.loss ?? 0)).slice(0, LISTED);

/** Says which rating the answers have, beside that of the same decisions in the match. @param {HTMLElement} place @param {string} path  the beginning of the
 * addresses of the match @param {number} plies  of the report @param {Asked[]} answered */
export async function showScore(place, path, plies, answered) {
  const answers = answered.map(({ decision, answer }) => [decision.event, decision.kind, answer?.loss ?? 0]);
  let lines;
  try {
    const said = await fetch(`${path}/quiz/score?plies=${plies}`, { method: "POST", body: JSON.stringify(answers) });
    const found = await said.json();
    lines = said.ok ? found.map((/** @type {{text: string}} */ { text }) => text) : [found.message];
  } catch {
    lines = [_("The server cannot be reached.")];
  }
  place.replaceChildren(...lines.map((/** @type {string} */ line) => element("p", {}, [line])));
}
