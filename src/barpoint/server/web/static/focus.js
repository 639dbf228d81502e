// Where a form leads back to the page it was sent from, the focus goes back to its button, or to what opens the dialog around it.

import { inWindow } from "./kept.js";

const KEY = "sent-from";
/** A press of a pointer within this time has sent the form. */
const POINTED_MS = 1500;

/** @typedef {{path: string, action: string, value: string, place: number[], around: string, pointed: boolean}} Sent  place: of the form on the page, of the button in it; around: the class of what holds the form */

/** Where a button sends its form. @param {HTMLButtonElement} button */
const actionOf = (button) => button.getAttribute("formaction") ?? button.form?.getAttribute("action") ?? "";

/** @param {HTMLFormElement} form @returns {HTMLButtonElement[]} */
const buttonsOf = (form) => [...form.elements].filter((one) => one instanceof HTMLButtonElement);

/** @param {HTMLFormElement} form */
const aroundOf = (form) => form.parentElement?.className ?? "";

/** Remembers the button by which each form is sent. */
export function rememberForms() {
  let at = -POINTED_MS;
  addEventListener("pointerdown", () => (at = performance.now()), { capture: true });
  document.addEventListener("submit", ({ defaultPrevented, submitter, target }) => {
    if (defaultPrevented || !(submitter instanceof HTMLButtonElement) || !(target instanceof HTMLFormElement) || target.method === "dialog") return;
    /** @type {Sent} */
    const sent = { path: location.pathname, action: actionOf(submitter), value: submitter.value,
      place: [[...document.forms].indexOf(target), buttonsOf(target).indexOf(submitter)], around: aroundOf(target), pointed: performance.now() - at < POINTED_MS };
    inWindow.set(KEY, JSON.stringify(sent));
  });
}

/** @returns {Sent | null} */
function taken() {
  const kept = inWindow.value(KEY);
  inWindow.remove(KEY);
  return kept;
}

/** Gives the focus back, where this page was sent to from itself. */
export function returnFocus() {
  const sent = taken();
  if (sent?.path !== location.pathname || document.activeElement !== document.body) return;
  const [form, button] = sent.place;
  const instead = document.forms[form];
  const placed = instead && aroundOf(instead) === sent.around ? buttonsOf(instead)[button] : undefined;
  const same = (/** @type {HTMLButtonElement} */ one) => one.form !== null && actionOf(one) === sent.action && one.value === sent.value;
  const found = placed && same(placed) ? placed : [...document.querySelectorAll("button")].find(same) ?? placed; // the opposite may stand in its place
  const dialog = found?.closest("dialog");
  const opener = dialog && document.querySelector(`[data-opens="${dialog.id}"], #open-${dialog.id}`);
  const goal = found?.checkVisibility() ? found : opener instanceof HTMLElement && opener.checkVisibility() ? opener : document.getElementById("main");
  goal?.focus({ preventScroll: sent.pointed || goal.id === "main" }); // whoever points sees the page from its top
}
