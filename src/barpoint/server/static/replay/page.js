// The page of a replay: steps through the events by buttons, keys, slider, list and address.

/** @import {BarpointBoard} from "../board/board.js" */
import "../board/board.js";
import { boardOptions, keptWishes } from "../match/wish.js";
import { EventList } from "./list.js";
import { Reel } from "./reel.js";

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const find = (id) => /** @type {T} */ (document.getElementById(id));

const TOAST_MS = 4000;
const board = /** @type {BarpointBoard} */ (find("board"));
const room = /** @type {HTMLElement} */ (document.querySelector("[data-match]"));
const slider = /** @type {HTMLInputElement} */ (find("slider"));
const games = /** @type {HTMLSelectElement} */ (find("game"));
const reel = new Reel(/** @type {string} */ (room.dataset.match));
const list = new EventList(find("lines"), find("events"), (seq) => void go(seq));
board.options = { ...boardOptions(keptWishes()), keys: false, commands: false };

let at = 0;
let wanted = 0;
let toastTimer = 0;

/** @param {string} text */
function toast(text) {
  const place = find("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    place.hidden = true;
  }, TOAST_MS);
}

/** Shows the match after an event. @param {number} seq */
async function go(seq) {
  const to = Math.max(0, Math.min(reel.last, Math.round(seq) || 0));
  wanted = to;
  let view;
  try {
    view = await reel.view(to);
  } catch {
    toast("The server cannot be reached.");
    return;
  }
  if (wanted !== to) return; // somebody has stepped on meanwhile
  at = to;
  board.jump(view);
  const chapter = reel.chapter(to);
  const line = reel.line(to);
  slider.value = String(to);
  slider.setAttribute("aria-valuetext", line ? line.text : "the start");
  games.value = String(chapter.game);
  find("where").textContent = `${to} of ${reel.last}`;
  find("happened").textContent = told(line, view.result?.how ?? "");
  list.show(to);
  room.dataset.at = String(to);
  if (location.hash !== `#${to}`) history.replaceState(null, "", `#${to}`);
}

/** What has happened, in one line. @param {import("../match/link.js").Line | null} line @param {string} result */
function told(line, result) {
  if (!line) return "Before the first throw";
  const text = line.kind === "play" && line.by !== null
    ? `${find(`name-${line.by}`).textContent}: ${line.faces.join("-")}, ${line.text}` : line.text;
  return result && !result.startsWith(text) ? `${text}. ${result}` : result || text;
}

/** @param {string} step */
async function step(step) {
  if (step === "on" && at === reel.last && !reel.contents.over) await open(); // a running match may have gone on
  const to = { first: 0, back: at - 1, on: at + 1, last: reel.last }[step];
  if (to !== undefined) await go(to);
}

async function open() {
  await reel.open();
  const { chapters, lines, near } = reel.contents;
  slider.max = String(reel.last);
  games.replaceChildren(...chapters.map(({ game, score, result }) =>
    new Option(`${game}, at ${score[0]} : ${score[1]}${result ? `, ${result}` : ""}`, String(game))));
  const { labels } = await reel.view(0);
  find(`name-${near}`).textContent = labels.near;
  find(`name-${1 - near}`).textContent = labels.far;
  list.fill(lines);
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-step]"))) {
  button.addEventListener("click", () => void step(button.dataset.step ?? ""));
}
slider.addEventListener("input", () => void go(Number(slider.value)));
games.addEventListener("change", () => void go(reel.contents.chapters[Number(games.value) - 1].first));
addEventListener("hashchange", () => void go(Number(location.hash.slice(1))));
document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || board.contains(target) || target.closest("input, select, textarea, dialog")) return;
  const wish = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!wish) return;
  event.preventDefault();
  void step(wish);
});
find("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    toast("The address of this moment is copied.");
  } catch {
    toast("The address of this moment stands in the bar of the browser.");
  }
});

try {
  await open();
  await go(Number(location.hash.slice(1)));
} catch {
  toast("The match cannot be read now.");
}
