// A tap of one finger while another rests on the page, as a thumb does that holds a phone: browsers send no click for it.

import { CONTROLS, SLACK_PX } from "./pointer.js";

/** A click of the browser itself so soon after ours would be the second one of a tap. */
const SAME_MS = 400;

/** @param {Event} event @returns {Element | null} */
const controlOf = ({ target }) => (target instanceof Element ? target.closest(`button, ${CONTROLS}`) : null);

/** Clicks what such a finger taps on a board. @param {HTMLElement} host */
export function listenToSecondFinger(host) {
  /** @type {{id: number, control: Element, x: number, y: number} | null} */
  let down = null;
  /** @type {{control: Element, at: number} | null} */
  let clicked = null;
  host.addEventListener("pointerdown", (event) => {
    clicked = null; // what is clicked from now on is of another tap
    const control = event.pointerType === "touch" && !event.isPrimary ? controlOf(event) : null;
    if (control) down = { id: event.pointerId, control, x: event.clientX, y: event.clientY };
  });
  host.addEventListener("pointercancel", ({ pointerId }) => {
    if (down?.id === pointerId) down = null;
  });
  host.addEventListener("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    const { control, x, y } = down;
    down = null;
    if (Math.hypot(event.clientX - x, event.clientY - y) > SLACK_PX.touch || !control.isConnected) return;
    clicked = { control, at: event.timeStamp };
    if (control instanceof HTMLElement) control.click();
    else control.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  });
  host.addEventListener("click", (event) => {
    if (!event.isTrusted || !clicked || controlOf(event) !== clicked.control || event.timeStamp - clicked.at > SAME_MS) return;
    clicked = null;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, true);
}
