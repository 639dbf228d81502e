// What this browser keeps about looks and about what is played for the player.

/** @import {Options} from "../board/types.js" */

const KEY = "barpoint";

/**
 * @typedef {{forced: boolean, pass: boolean, bearoff: boolean, roll: string, numbers: boolean, commands: boolean,
 *   board: string, near: string, mirror: string, scheme: string, notify: boolean}} Wishes
 * @type {Wishes}
 */
const DEFAULTS = { forced: false, pass: false, bearoff: false, roll: "never", numbers: true, commands: false, board: "",
  near: "light", mirror: "", scheme: "", notify: false };

/** @returns {Wishes} */
export function keptWishes() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @param {Wishes} wishes */
function keep(wishes) {
  try {
    localStorage.setItem(KEY, JSON.stringify(wishes));
  } catch {
    // storage is closed: the wishes hold for this page alone
  }
}

/** @param {Wishes} wishes @returns {Partial<Options>} */
export function boardOptions({ forced, pass, bearoff, roll, numbers, commands, near, mirror }) {
  return { forced, pass, bearoff, roll: /** @type {Options["roll"]} */ (roll), numbers, commands,
    near: near === "dark" ? "dark" : "light", mirror: mirror === "1" };
}

/** @param {Wishes} wishes */
function dress({ board, scheme }) {
  const { dataset } = document.documentElement;
  if (board) dataset.board = board;
  else delete dataset.board;
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
}

/**
 * Ties a form to the wishes: shows them, and keeps and applies what is changed.
 * @param {HTMLFormElement} form @param {(wishes: Wishes) => void} apply
 */
export function tieWishes(form, apply) {
  const wishes = /** @type {Record<string, string | boolean>} */ (keptWishes());
  for (const field of /** @type {Iterable<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("input, select"))) {
    if (field instanceof HTMLInputElement) field.checked = Boolean(wishes[field.name]);
    else field.value = String(wishes[field.name]);
    field.addEventListener("change", () => {
      wishes[field.name] = field instanceof HTMLInputElement ? field.checked : field.value;
      const changed = /** @type {Wishes} */ (/** @type {unknown} */ (wishes));
      keep(changed);
      dress(changed);
      apply(changed);
    });
  }
}
