// What the account, or for guests this browser, keeps about looks and about what is played for the player.

/** @import {BarpointBoard} from "./board/board.js" */
/** @import {Options} from "./board/types.js" */
import { _ } from "./board/language.js";
import { all, findIn } from "./dom.js";
import { inBrowser } from "./kept.js";
import { toast } from "./notes.js";

const KEY = "barpoint";
/** Under this name windows of this browser hear what one of them has changed for the account. */
const CHANGED = "barpoint-changed";

/**
 * @typedef {{forced: boolean, pass: boolean, bearoff: boolean, roll: string, confirm: boolean, speed: string, numbers: boolean, movable: boolean, click: boolean,
 *   letters: boolean, commands: boolean, pips: boolean, board: string, near: string, mirror: string, scheme: string, notify: boolean, sound: boolean, vibrate: boolean,
 *   ratings: boolean, chat: boolean, warns: string}} Settings
 * @type {Settings}
 */
const DEFAULTS = { forced: false, pass: false, bearoff: false, roll: "never", confirm: false, speed: "normal", numbers: true, movable: false, click: false,
  letters: true, commands: false, pips: true, board: "", near: "light", mirror: "", scheme: "", notify: false, sound: true, vibrate: true,
  ratings: true, chat: true, warns: "blunder" };

/** What the page was sent with: the settings of the account as JSON, "null" while it keeps none, "" if it was made just now; undefined for guests. */
const sent = document.documentElement.dataset.settings;
/** What the account keeps. @type {Partial<Settings>} */
let account = JSON.parse(sent || "null") ?? {};
/** What the server has not taken yet. @type {Partial<Settings>} */
let unsaved = {};
let saving = Promise.resolve(true);

/** What was kept from this page, where the browser keeps nothing. @type {Partial<Settings>} */
let here = {};

/** What this browser keeps, as it stands now. @returns {Partial<Settings>} */
const local = () => inBrowser.value(KEY) ?? here;

/** Whether the browser lets this page notify, as far as it was asked. */
const mayNotify = () => "Notification" in window && Notification.permission === "granted";

/** What is kept, as it stands now. A browser is allowed its notifications by itself. @returns {Partial<Settings>} */
const kept = () => ({ ...(sent === undefined ? local() : account), notify: mayNotify() && (local().notify ?? false) });

/** Has the account keep settings too; whether it does. Those that it has not taken go with the next. @param {Partial<Settings>} settings */
function save(settings) {
  unsaved = { ...unsaved, ...settings };
  account = { ...account, ...settings };
  saving = saving.then(async () => {
    const body = unsaved;
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/settings", { method: "POST", body: JSON.stringify(body), headers, keepalive: true }).catch(() => null);
    if ((answer?.ok || answer?.status === 422) && unsaved === body) unsaved = {}; // what is refused once is refused again
    return answer?.ok ?? false;
  });
  return saving;
}

/** Gives an account that was made just now what has been changed in this browser; whoever logs in brings nothing along. */
export function giveSettings() {
  if (sent !== "") return;
  const own = /** @type {Partial<Settings>} */ (Object.fromEntries(Object.entries(DEFAULTS).flatMap(([name, value]) => {
    const here = /** @type {Record<string, unknown>} */ (local())[name] ?? value;
    return name === "notify" || here === value ? [] : [[name, here]];
  })));
  if (Object.keys(own).length) void save(own);
}

/** @returns {Settings} */
export const keptSettings = () => ({ ...DEFAULTS, ...kept() });

/** The settings that are options of the board. @param {Settings} settings @returns {Partial<Options>} */
export function boardOptions({ forced, pass, bearoff, roll, confirm, speed, numbers, movable, click, letters, commands, pips, near, mirror }) {
  return { forced, pass, bearoff, confirm, roll: roll === "always" || roll === "no_double" ? roll : "never", numbers, movable, click, letters, commands, pips,
    near: near === "dark" ? "dark" : "light", mirror: mirror === "1",
    speed: speed === "none" || speed === "fast" || speed === "slow" ? speed : "normal" };
}

/** What a board that plays nothing by itself follows while its page is open. */
const LOOKS = new Set(["near", "mirror", "speed", "numbers", "movable", "click", "letters", "pips"]);

/** Dresses a board as the settings say, now and when they change. @param {BarpointBoard} board @param {Partial<Options>} fixed  what they do not say there */
export function dressBoard(board, fixed) {
  const quiet = /** @type {Partial<Options>} */ ({ forced: false, pass: false, bearoff: false, roll: "never", commands: false, ...fixed });
  board.options = { ...boardOptions(keptSettings()), ...quiet };
  onSettings((settings) => {
    board.options = Object.fromEntries(Object.entries(boardOptions(settings)).filter(([name]) => LOOKS.has(name) && !(name in quiet)));
  });
}

/** Does something when settings change, in this window or another one of this browser. @param {(settings: Settings) => void} act */
export function onSettings(act) {
  document.addEventListener("settings", (event) => act(/** @type {CustomEvent<Settings>} */ (event).detail));
}

/** Has the page follow its settings. */
function apply() {
  const settings = keptSettings();
  dress(settings);
  document.dispatchEvent(new CustomEvent("settings", { detail: settings }));
}

addEventListener("storage", ({ key, newValue }) => {
  if (key === CHANGED && newValue) account = { ...account, ...JSON.parse(newValue) };
  if (key === KEY || key === CHANGED && newValue) apply();
});

/** Applies the colours to the whole page, hides what nobody wants to see, and says where letters count. @param {Settings} settings */
function dress({ board, scheme, letters, ratings, chat }) {
  const { dataset } = document.documentElement;
  if (board) dataset.board = board;
  else delete dataset.board;
  if (scheme) dataset.scheme = scheme;
  else delete dataset.scheme;
  if (letters) delete dataset.letters;
  else dataset.letters = "board";
  dataset.hides = `${ratings ? "" : "ratings"} ${chat ? "" : "chat"}`;
}

/** Has the person asked whether this page may notify, where the browser does not know it yet; whether it may. */
async function askToNotify() {
  if ("Notification" in window) await Notification.requestPermission().catch(() => undefined);
  return mayNotify();
}

/** Ties a form to the settings: shows them, and keeps and applies what is changed. @param {HTMLElement} form */
export function tieSettings(form) {
  const fields = [...all("input, select", form)].filter((field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement);
  const show = (/** @type {Settings} */ settings) => {
    for (const field of fields) {
      const value = Object.entries(settings).find(([name]) => name === field.name)?.[1];
      if (field instanceof HTMLInputElement) field.checked = Boolean(value);
      else field.value = String(value);
    }
  };
  show(keptSettings());
  onSettings(show);
  for (const field of fields) {
    field.addEventListener("change", async () => {
      const changed = { [field.name]: field instanceof HTMLInputElement ? field.checked : field.value };
      if (changed.notify && !(await askToNotify())) {
        show(keptSettings());
        toast(_("The browser does not allow notifications from this page."));
        return;
      }
      if (sent === undefined || "notify" in changed) {
        here = { ...local(), ...changed };
        inBrowser.set(KEY, JSON.stringify(here));
      } else {
        void save(changed).then((saved) => (findIn(form, ".unsaved").hidden = saved));
        inBrowser.set(CHANGED, JSON.stringify(changed)); // whoever hears it keeps it
        inBrowser.remove(CHANGED);
      }
      apply();
    });
  }
}
