// The first page: cards that go together, the card of the game chosen, and only the fields that matter to it.
// Without this script the form works as well; the server then says what does not go together.

const form = /** @type {HTMLFormElement} */ (document.getElementById("table"));
const card = /** @type {HTMLElement} */ (document.getElementById("card"));
const variants = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[name=variant]")]);
const plain = variants.find((box) => box.value === "backgammon");

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** Takes back what does not go with the box just ticked; with nothing ticked it is backgammon. @param {HTMLInputElement} box */
function settle(box) {
  const clashes = (box.dataset.clashes ?? "").split(" ");
  for (const other of variants) {
    if (box.checked && other !== box && clashes.includes(other.value)) other.checked = false;
  }
  if (plain && !variants.some((other) => other.checked)) plain.checked = true;
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

/** Shows the fields that mean something for the game, the opponent and the length chosen. */
function fit() {
  const about = /** @type {HTMLElement | null} */ (card.querySelector(".card"));
  const levels = (about?.dataset.levels ?? "").split(" ").filter(Boolean);
  const covered = levels.length > 0;
  const bot = input("o-bot");
  const wasBarred = bot.disabled;
  bot.disabled = !covered;
  if (!covered && bot.checked) input("o-friend").checked = true;
  else if (covered && wasBarred && input("o-friend").checked) bot.checked = true;
  /** @type {HTMLElement} */ (document.getElementById("people")).hidden = !input("o-table").checked;
  /** @type {HTMLElement} */ (document.getElementById("levels")).hidden = !bot.checked;
  const meeting = /** @type {HTMLElement} */ (document.getElementById("meeting"));
  meeting.textContent = input("o-friend").checked ? "You get a link to send." : "Your challenge waits in the lobby.";
  meeting.hidden = bot.checked || input("o-table").checked;
  const length = /** @type {HTMLSelectElement} */ (document.getElementById("length")).value;
  const counts = document.getElementById("counts");
  if (counts) {
    counts.hidden = meeting.hidden || length === "0";
    for (const field of counts.querySelectorAll("input")) field.disabled = counts.hidden;
  }
  const cubed = about?.dataset.cube === "yes";
  /** @type {HTMLElement} */ (document.getElementById("stakes")).hidden = !cubed || length === "1";
  const cube = /** @type {HTMLInputElement} */ (form.elements.namedItem("cube"));
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for]"))) {
    label.hidden = !cube.checked || (label.dataset.for === "money") !== (length === "0");
  }
  const strengths = /** @type {HTMLSelectElement} */ (document.getElementById("level"));
  for (const option of strengths.options) option.disabled = !levels.includes(option.value);
  if (strengths.selectedOptions[0]?.disabled) strengths.value = levels[Math.floor(levels.length / 2)] ?? "";
  const level = strengths.selectedOptions[0];
  const line = /** @type {HTMLElement} */ (document.getElementById("level-line"));
  line.textContent = level?.dataset.line ?? "";
  line.hidden = !bot.checked;
}

form.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  if (box.name === "variant") {
    settle(box);
    void showCard();
  }
  fit();
});
fit();
