// What this browser keeps about looks and about what is played for the player.

/** @import {Options} from "./board/types.js" */
import { all } from "./dom.js";
import { inBrowser } from "./kept.js";

const KEY = "barpoint";

/**
 * @typedef {{forced: boolean, pass: boolean, bearoff: boolean, roll: string, confirm: boolean, speed: string, numbers: boolean, movable: boolean,
 *   commands: boolean, board: string, near: string, mirror: string, scheme: string, notify: boolean, sound: boolean, vibrate: boolean}} Settings
 * @type {Settings}
 */
const DEFAULTS = { forced: false, pass: false, bearoff: false, roll: "never", confirm: false, speed: "normal", numbers: true, movable: false,
  commands: false, board: "", near: "light", mirror: "", scheme: "", notify: false, sound: true, vibrate: true };

/** What is kept, as it stands now. @returns {Partial<Settings>} */
const kept = () => inBrowser.value(KEY) ?? {};

/** @returns {Settings} */
export const keptSettings = () => ({ ...DEFAULTS, ...kept() });

/** The settings that are options of the board. @param {Settings} settings @returns {Partial<Options>} */
export function boardOptions({ forced, pass, bearoff, roll, confirm, speed, numbers, movable, commands, near, mirror }) {
  return { forced, pass, bearoff, confirm, roll: roll === "always" || roll === "no_double" ? roll : "never", numbers, movable, commands,
    near: near === "dark" ? "dark" : "light", mirror: mirror === "1",
    speed: speed === "none" || speed === "fast" || speed === "slow" ? speed : "normal" };
}

/** Applies the colours to the whole page. @param {Settings} settings */
function dress({ board, scheme }) {
  const { dataset } = document.documentElement;
  if (board) dataset.board = board;
  else delete dataset.board;
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
}

/**
 * Ties a form to the settings: shows them, and keeps and applies what is changed.
 * @param {HTMLElement} form @param {(settings: Settings) => void} apply
 */
export function tieSettings(form, apply) {
  let settings = keptSettings();
  for (const field of all("input, select", form)) {
    const value = Object.entries(settings).find(([name]) => name === field.getAttribute("name"))?.[1];
    if (field instanceof HTMLInputElement) field.checked = Boolean(value);
    else if (field instanceof HTMLSelectElement) field.value = String(value);
    else continue;
    field.addEventListener("change", () => {
      settings = { ...settings, ...kept(), [field.name]: field instanceof HTMLInputElement ? field.checked : field.value };
      inBrowser.set(KEY, JSON.stringify(settings));
      dress(settings);
      apply(settings);
    });
  }
}
