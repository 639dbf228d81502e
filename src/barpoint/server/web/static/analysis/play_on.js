// Playing on from the position that is shown: the form says with which side, against whom, and once or as a proposition.

/** @import {BoardShown, PlayAnswer} from "./types.js" */
import { _ } from "../board/language.js";
import { all, element, find, findIn } from "../dom.js";

const form = find("play-on", HTMLFormElement);
const button = find("open-play", HTMLButtonElement);
const proposition = find("proposition", HTMLFieldSetElement);
const once = findIn(form, "#again-once", HTMLInputElement);
const about = findIn(form, '[name="about"]', HTMLSelectElement);
const plays = ["your-play", "their-play"].map((name) => findIn(form, `[name="${name}"]`, HTMLSelectElement));

/** Gives the form the position that is shown. @param {BoardShown} found @param {string} query  of its address */
export function showPlayOn({ problem, covered, address, may_double }, query) {
  findIn(form, '[name="board"]', HTMLInputElement).value = query;
  button.disabled = Boolean(problem) || !covered;
  const money = !address.length;
  find("how-often").hidden = !money;
  if (!money) once.checked = true;
  offer("take", Boolean(may_double));
  showPlays([]); // until the answer is here
}

/** The plays to choose two of, best first. @param {PlayAnswer[]} found */
export function showPlays(found) {
  for (const [number, select] of plays.entries()) {
    select.replaceChildren(...found.map(({ text = "" }) => element("option", { value: text }, [text])));
    if (found.length > 1) select.selectedIndex = number;
  }
  offer("plays", found.length > 1);
  showProposition();
}

/** Whether something can be found out here. @param {string} what @param {boolean} possible */
function offer(what, possible) {
  const option = findIn(about, `[value="${what}"]`, HTMLOptionElement);
  option.hidden = option.disabled = !possible;
  if (!possible && about.value === what) about.value = "position";
}

/** Shows the fields of what is to be found out, and says which choices do not go together. */
function showProposition() {
  const [yours, theirs] = plays;
  const same = about.value === "plays" && yours.value === theirs.value;
  theirs.setCustomValidity(same ? _("Choose two plays that differ") : "");
  find("once-only").hidden = !once.checked;
  find("tutor-choice").hidden = findIn(form, "#level", HTMLSelectElement).value === "friend";
  proposition.hidden = proposition.disabled = once.checked;
  for (const part of all("[data-about]", proposition)) {
    part.hidden = !(part.dataset.about ?? "").split(" ").includes(about.value);
  }
}

form.addEventListener("change", showProposition);
form.addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState === "open") findIn(form, 'input:checked').focus();
});
