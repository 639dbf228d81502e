// Sound and vibration on the page of a live board, and the call to somebody who looks elsewhere.

/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Settings} from "../settings.js" */
import { Sound } from "../board/sound.js";
import { find, findIn } from "../dom.js";
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
