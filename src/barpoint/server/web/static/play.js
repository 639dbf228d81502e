// The first page: variants that go together, the card of the game chosen, and only the fields that matter to it.
// Without this script the form works as well; the server then says what does not go together.

import { _ } from "./board/language.js";
import { all, find, findIn } from "./dom.js";

const form = find("new-match", HTMLFormElement);
const card = find("card");
const variants = [...all("input[name=variant]", form)].filter((box) => box instanceof HTMLInputElement);
const backgammon = variants.find((box) => box.value === "backgammon");

/** Unticks what does not go with the box just ticked; with nothing ticked it is backgammon. @param {HTMLInputElement} box */
function settle(box) {
  const clashes = (box.dataset.clashes ?? "").split(" ");
  for (const other of variants) {
    if (box.checked && other !== box && clashes.includes(other.value)) other.checked = false;
  }
  if (backgammon && !variants.some((other) => other.checked)) backgammon.checked = true;
}

let asked = 0;

async function showCard() {
  const chosen = variants.filter((box) => box.checked).map((box) => `variant=${encodeURIComponent(box.value)}`);
  const number = (asked += 1);
  const answer = await fetch(`/card?${chosen.join("&")}`);
  const text = await answer.text();
  if (number !== asked) return;
  card.innerHTML = text;
  fit();
}

/** Whether an opponent is chosen. @param {"bot" | "friend" | "board"} kind */
const against = (kind) => find(`o-${kind}`, HTMLInputElement).checked;

/** Offers bots only where one plays the game. @param {boolean} covered */
function fitOpponent(covered) {
  const bot = find("o-bot", HTMLInputElement);
  const wasBarred = bot.disabled;
  const friend = find("o-friend", HTMLInputElement);
  bot.disabled = !covered;
  if (!covered && bot.checked) friend.checked = true;
  else if (covered && wasBarred && friend.checked) bot.checked = true;
  find("people").hidden = !against("board");
  find("levels").hidden = find("tutor-choice").hidden = !against("bot");
}

/** Says where the opponent comes from, and what a match between people may count. @param {boolean} money */
function fitMeeting(money) {
  const meeting = find("meeting");
  meeting.textContent = against("friend") ? _("You get a link to send.") : _("Your challenge waits in the lobby.");
  meeting.hidden = against("bot") || against("board");
  const counts = document.getElementById("counts");
  if (!counts) return;
  counts.hidden = meeting.hidden || money;
  for (const field of counts.querySelectorAll("input")) field.disabled = counts.hidden;
}

/** Shows the rules of the cube that mean something for the length. @param {boolean} cubed @param {string} length  "0" for money */
function fitStakes(cubed, length) {
  find("stakes").hidden = !cubed || length === "1";
  const cube = findIn(form, "[name=cube]", HTMLInputElement);
  for (const label of all("[data-for]", form)) {
    label.hidden = !cube.checked || (label.dataset.for === "money") !== (length === "0");
  }
}

/** Offers the strengths that play the game. @param {string[]} levels */
function fitLevels(levels) {
  const strengths = find("level", HTMLSelectElement);
  for (const option of strengths.options) option.disabled = !levels.includes(option.value);
  if (strengths.selectedOptions[0]?.disabled) strengths.value = levels[Math.floor(levels.length / 2)] ?? "";
  const line = find("level-line");
  line.textContent = strengths.selectedOptions[0]?.dataset.line ?? "";
  line.hidden = !against("bot");
}

/** Shows the fields that mean something for the game, the opponent and the length chosen. */
function fit() {
  const shown = card.querySelector(".card"); // none where the games do not go together
  const { levels: found = "", cube } = shown instanceof HTMLElement ? shown.dataset : /** @type {DOMStringMap} */ ({});
  const levels = found.split(" ").filter(Boolean);
  const length = find("length", HTMLSelectElement).value;
  fitOpponent(levels.length > 0);
  fitMeeting(length === "0");
  fitStakes(cube === "yes", length);
  fitLevels(levels);
}

form.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "variant") {
    settle(target);
    void showCard();
  }
  fit();
});
fit();
