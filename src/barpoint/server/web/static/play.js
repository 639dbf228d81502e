// The first page: variants that go together, the card of the game chosen, and only the fields that matter to it.
// Without this script the form works as well; the server then says what does not go together.

import { _ } from "./board/language.js";
import { all, element, find, findIn } from "./dom.js";
import { toast } from "./notes.js";

const form = find("new-match", HTMLFormElement);
const card = find("card");
const variants = [...all("input[name=variant]", form)].filter((box) => box instanceof HTMLInputElement);
const backgammon = variants.find((box) => box.value === "backgammon");

/** What was chosen last time, until something is chosen now. */
const kept = new Set(variants.filter((box) => box.checked));

/**
 * Unticks what does not go with the box just ticked, and what only last time ticked: a new game does not join the old one.
 * With nothing ticked it is backgammon. @param {HTMLInputElement} box
 */
function settle(box) {
  const clashes = (box.dataset.clashes ?? "").split(" ");
  for (const other of variants) {
    if (box.checked && other !== box && (kept.has(other) || clashes.includes(other.value))) other.checked = false;
  }
  kept.clear();
  if (backgammon && !variants.some((other) => other.checked)) backgammon.checked = true;
}

/** The status of an answer that says which games do not go together. */
const CLASH = 422;
let asked = 0;

/** Shows the card of what is ticked; where none comes, the one before stays. */
async function showCard() {
  const chosen = variants.filter((box) => box.checked).map((box) => `variant=${encodeURIComponent(box.value)}`);
  const number = (asked += 1);
  const answer = await fetch(`/card?${chosen.join("&")}`).catch(() => null);
  const text = answer?.ok || answer?.status === CLASH ? await answer.text().catch(() => "") : "";
  if (number !== asked) return;
  if (!text) {
    toast(answer && !answer.ok ? _("The server answered %(status)s.", { status: answer.status }) : _("The server cannot be reached."));
    return;
  }
  card.innerHTML = text;
  form.classList.add("chosen");
  fit();
}

/** Against whom and how long, in the server's words. */
function termsText() {
  const level = strengths.selectedOptions[0]?.textContent ?? "";
  const words = against("friend") ? _("with a friend, by a link") : against("board") ? _("at a real board")
    : against("bot") ? _("against a bot: %(level)s", { level }) : _("with anybody in the lobby");
  return `${words}, ${find("length", HTMLSelectElement).selectedOptions[0].textContent}`;
}

/** What is picked, beside Play: where the cards fill the screen, both stay in a thumb's reach. */
function showPicked() {
  const line = variants.filter((box) => box.checked).map((box) => box.labels?.[0]?.querySelector("span")?.textContent ?? "");
  find("picked").replaceChildren(element("b", {}, [document.getElementById("card-title")?.textContent ?? ""]), element("span", {}, line.length === 1 ? line : []), element("u", {}, [termsText()]));
}

/** Whether an opponent is chosen. @param {"bot" | "friend" | "board"} kind */
const against = (kind) => find(`o-${kind}`, HTMLInputElement).checked;

/** Offers bots only where one plays the game. @param {boolean} covered */
function fitOpponent(covered) {
  const bot = find("o-bot", HTMLInputElement);
  bot.disabled = !covered && !bot.checked;
  find("people").hidden = !against("board");
  find("levels").hidden = find("tutor-choice").hidden = !covered || !bot.checked;
}

/** Bars Play where the bot chosen cannot play the game: another opponent is nothing to choose unasked. @param {string} title  "" where it can */
function fitPlay(title) {
  const several = variants.filter((box) => box.checked).length > 1;
  const line = find("no-bot");
  line.textContent = !title ? "" : several ? _("No bot plays %(title)s. Take a game away, or play with a friend.", { title })
    : _("No bot plays %(title)s. Choose another game, or play with a friend.", { title });
  line.hidden = !title;
  find("play", HTMLButtonElement).disabled = Boolean(title);
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

const strengths = find("level", HTMLSelectElement);
let wanted = strengths.value; // the strength last chosen, which is back as soon as it plays the game

/** Offers the strengths that play the game. @param {string[]} levels */
function fitLevels(levels) {
  for (const option of strengths.options) option.disabled = !levels.includes(option.value);
  const middle = levels[Math.floor(levels.length / 2)];
  if (middle) strengths.value = levels.includes(wanted) ? wanted : middle;
  const line = find("level-line");
  line.textContent = strengths.selectedOptions[0]?.dataset.line ?? "";
  line.hidden = !middle || !against("bot");
}

/** Takes a clock of days off when a bot is chosen instead of a person: a bot plays at once. */
function fitClock() {
  const clock = find("time_control", HTMLSelectElement);
  if (against("bot") && clock.selectedOptions[0]?.hasAttribute("data-days")) clock.selectedIndex = 0;
}

/** Shows the fields that mean something for the game, the opponent and the length chosen. */
function fit() {
  const shown = card.querySelector(".card"); // none where the games do not go together
  const { levels: found = "", cube } = shown instanceof HTMLElement ? shown.dataset : /** @type {DOMStringMap} */ ({});
  const levels = found.split(" ").filter(Boolean);
  const length = find("length", HTMLSelectElement).value;
  fitOpponent(levels.length > 0);
  fitPlay(shown && !levels.length && against("bot") ? find("card-title").textContent ?? "" : "");
  fitMeeting(length === "0");
  fitStakes(cube === "yes", length);
  fitLevels(levels);
  showPicked();
}

form.addEventListener("change", ({ target }) => {
  if (target === strengths) wanted = strengths.value;
  if (target instanceof HTMLInputElement && target.name === "opponent") fitClock();
  if (target instanceof HTMLInputElement && target.name === "variant") {
    settle(target);
    void showCard();
  }
  fit();
});
fit();
