// What the page of a live board adds to it: sound and vibration, the call to somebody who looks elsewhere, full screen, the
// list of keys, and one tip for newcomers.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Settings} from "../settings.js" */
import { _ } from "../board/language.js";
import { Sound } from "../board/sound.js";
import { all, element, find, findIn } from "../dom.js";
import { inBrowser } from "../kept.js";
import { keptSettings } from "../settings.js";

/** Whoever has touched nothing for so long may be looking elsewhere. */
const AWAY_MS = 8000;
let touched = -AWAY_MS;
for (const gesture of ["pointerdown", "keydown"]) {
  document.addEventListener(gesture, () => (touched = performance.now()), { capture: true });
}

/** Calls a viewer by a sound where they seem to be elsewhere. @param {BarpointBoard} board */
export function callIfAway(board) {
  if (document.hidden || performance.now() - touched > AWAY_MS) board.showing([{ kind: "turn", by: "near" }]);
}

/** Makes the board heard and felt, and ties the mute button to its field among the settings.
 * @param {BarpointBoard} board @returns {(settings: Settings) => void} to be called when the settings change */
export function setUpSound(board) {
  const sound = new Sound(board);
  const mute = find("mute", HTMLButtonElement);
  const form = find("settings-form");
  if (!("vibrate" in navigator)) findIn(form, "[data-vibrate]").hidden = true;
  mute.addEventListener("click", () => findIn(form, "[name=sound]").click());
  const hear = (/** @type {Settings} */ settings) => {
    sound.on = settings.sound;
    sound.vibration = settings.vibrate;
    mute.setAttribute("aria-pressed", String(!settings.sound));
  };
  hear(keptSettings());
  return hear;
}

/** Ties the buttons for full screen, where the browser has it, and for the list of keys. @param {BarpointBoard} board */
export function setUpButtons(board) {
  for (const button of all("[data-keys]")) button.addEventListener("click", () => board.showKeys());
  for (const full of all("[data-full-screen]")) {
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => {
      full.closest("dialog")?.close();
      void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
    });
    document.addEventListener("fullscreenchange", () => full.setAttribute("aria-pressed", String(document.fullscreenElement !== null)));
  }
}

const TIP_KEY = "barpoint-tip";
const TIP = _("To undo, drag it back or press the arrow");

/** Whether this browser knows the tip already; where it keeps nothing, the tip could not be said once alone. */
const knowsTip = () => !inBrowser.open || inBrowser.get(TIP_KEY) !== null;

/** Tells a newcomer after the first move how it is undone, until that has been done or the tip is closed. @param {BarpointBoard} board */
export function setUpTip(board) {
  if (knowsTip()) return;
  const close = element("button", { type: "button", class: "close", "aria-label": _("Close the tip") }, ["×"]);
  const tip = element("p", { class: "tip", id: "tip", role: "status", hidden: "" });
  board.after(tip);
  let made = 0;
  const done = () => {
    board.removeEventListener("bg-draft", follow);
    tip.remove();
    inBrowser.set(TIP_KEY, "known");
  };
  /** @param {Event} event */
  const follow = (event) => {
    const { length } = /** @type {CustomEvent} */ (event).detail.moves;
    if (length < made) done();
    else if (tip.hidden && length) {
      tip.replaceChildren(TIP, close);
      tip.hidden = false;
    }
    made = length;
  };
  close.addEventListener("click", done);
  board.addEventListener("bg-draft", follow);
  board.addEventListener("bg-event", () => {
    made = 0;
    tip.hidden = true;
  });
}
