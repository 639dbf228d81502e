// Playing on from the position that is shown, against a bot: the form says with which side and at what level.

/** @import {BoardShown} from "./types.js" */
import { find, findIn } from "../dom.js";

const form = find("play-on", HTMLFormElement);
const button = find("open-play", HTMLButtonElement);

/** Gives the form the position that is shown. @param {BoardShown} found @param {string} query  of its address */
export function showPlayOn({ problem, covered }, query) {
  findIn(form, '[name="board"]', HTMLInputElement).value = query;
  button.disabled = Boolean(problem) || !covered;
}

form.addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState === "open") findIn(form, 'input:checked').focus();
});
