// What the account, or for guests this browser, keeps about looks and about what is played for the player.

/** @import {Options} from "./board/types.js" */
import { all, findIn } from "./dom.js";
import { inBrowser } from "./kept.js";

const KEY = "barpoint";

/**
 * @typedef {{forced: boolean, pass: boolean, bearoff: boolean, roll: string, confirm: boolean, speed: string, numbers: boolean, movable: boolean,
 *   commands: boolean, pips: boolean, board: string, near: string, mirror: string, scheme: string, notify: boolean, sound: boolean, vibrate: boolean,
 *   ratings: boolean, chat: boolean, warns: string}} Settings
 * @type {Settings}
 */
const DEFAULTS = { forced: false, pass: false, bearoff: false, roll: "never", confirm: false, speed: "normal", numbers: true, movable: false,
  commands: false, pips: true, board: "", near: "light", mirror: "", scheme: "", notify: false, sound: true, vibrate: true,
  ratings: true, chat: true, warns: "blunder" };

/** What the page was sent with: the settings of the account as JSON, "null" while it keeps none; undefined for guests. */
const sent = document.documentElement.dataset.settings;
/** What the account keeps. @type {Partial<Settings> | null} */
let account = JSON.parse(sent ?? "null");
/** What the server has not taken yet. @type {Partial<Settings>} */
let unsaved = {};
let saving = Promise.resolve(true);

/** What this browser keeps, as it stands now. @returns {Partial<Settings>} */
const local = () => inBrowser.value(KEY) ?? {};

/** What is kept, as it stands now. A browser is allowed its notifications by itself. @returns {Partial<Settings>} */
const kept = () => (account ? { ...account, notify: local().notify ?? false } : local());

/** Has the account keep settings too; whether it does. Those that it has not taken go with the next. @param {Partial<Settings>} settings */
function save(settings) {
  unsaved = { ...unsaved, ...settings };
  account = { ...kept(), ...settings };
  saving = saving.then(async () => {
    const body = unsaved;
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/settings", { method: "POST", body: JSON.stringify(body), headers, keepalive: true }).catch(() => null);
    if ((answer?.ok || answer?.status === 422) && unsaved === body) unsaved = {}; // what is refused once is refused again
    return answer?.ok ?? false;
  });
  return saving;
}

/** Gives an account that keeps no settings those of this browser. */
export function giveSettings() {
  const settings = Object.entries(local()).filter(([name]) => name in DEFAULTS && name !== "notify");
  if (sent === "null" && settings.length) void save(Object.fromEntries(settings));
}

/** @returns {Settings} */
export const keptSettings = () => ({ ...DEFAULTS, ...kept() });

/** The settings that are options of the board. @param {Settings} settings @returns {Partial<Options>} */
export function boardOptions({ forced, pass, bearoff, roll, confirm, speed, numbers, movable, commands, pips, near, mirror }) {
  return { forced, pass, bearoff, confirm, roll: roll === "always" || roll === "no_double" ? roll : "never", numbers, movable, commands, pips,
    near: near === "dark" ? "dark" : "light", mirror: mirror === "1",
    speed: speed === "none" || speed === "fast" || speed === "slow" ? speed : "normal" };
}

/** Applies the colours to the whole page, and hides what nobody wants to see. @param {Settings} settings */
function dress({ board, scheme, ratings, chat }) {
  const { dataset } = document.documentElement;
  if (board) dataset.board = board;
  else delete dataset.board;
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
  dataset.hides = `${ratings ? "" : "ratings"} ${chat ? "" : "chat"}`;
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
      const changed = { [field.name]: field instanceof HTMLInputElement ? field.checked : field.value };
      settings = { ...settings, ...kept(), ...changed };
      if (sent === undefined) inBrowser.set(KEY, JSON.stringify(settings));
      else if ("notify" in changed) inBrowser.set(KEY, JSON.stringify({ ...local(), ...changed }));
      else void save(changed).then((saved) => (findIn(form, ".unsaved").hidden = saved));
      dress(settings);
      apply(settings);
    });
  }
}
