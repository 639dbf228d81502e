// Mouse, pen and finger: drag, tap and tap, double-tap, click on dice, cube, lights and splits.

/** @import {Spot, Place} from "./types.js" */

/** The longest time between two taps of a finger; how quick a double click must be is set in the system. */
const DOUBLE_MS = 350;
const SLACK_PX = { mouse: 4, pen: 6, touch: 8 };
const ABOVE_FINGER_PX = 46;

/**
 * What the pointer needs of a board.
 * @typedef {object} Hand
 * @property {SVGSVGElement} stage
 * @property {() => Spot | null} liftedSpot
 * @property {(spot: Spot) => boolean} canLift
 * @property {(spot: Spot) => boolean} canDrop
 * @property {(spot: Spot) => void} lift
 * @property {() => void} release
 * @property {() => void} hurry
 * @property {(spot: Spot, from?: Place) => void} drop
 * @property {(spot: Spot) => void} quick
 * @property {(x: number, y: number) => Spot | null} spotAt
 * @property {(x: number, y: number, over: Spot | null) => void} carry
 * @property {(from: Place) => void} putBack
 * @property {(spot: Spot) => void} activate
 * @property {(index: number) => void} chooseSplit
 */

/** @param {Hand} hand */
export function listenToPointer(hand) {
  /** @type {{id: number, spot: Spot, x: number, y: number, held: boolean, dragging: boolean, onto: boolean, type: string} | null} */
  let press = null;
  let tapped = { spot: "", at: 0 };
  let clicks = 0;
  const { stage } = hand;

  /** @param {PointerEvent | MouseEvent} event @param {boolean} [above] */
  const place = (event, above = false) => {
    const matrix = stage.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const y = event.clientY - (above ? ABOVE_FINGER_PX : 0);
    const point = new DOMPoint(event.clientX, y).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  };

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary || press || isControl(event.target)) return;
    hand.hurry();
    const { x, y } = place(event);
    const spot = hand.spotAt(x, y);
    if (!spot) {
      hand.release();
      return;
    }
    const held = hand.liftedSpot() === spot;
    const onto = !held && hand.canDrop(spot);
    if (!onto && !hand.canLift(spot)) {
      hand.release();
      return;
    }
    press = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, held, dragging: false, onto, type: event.pointerType };
    stage.setPointerCapture(event.pointerId);
    if (!onto && !held) hand.lift(spot);
  });

  stage.addEventListener("mousedown", (event) => {
    clicks = event.detail;
  });

  stage.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!press.dragging) {
      const slack = SLACK_PX[/** @type {"mouse"} */ (press.type)] ?? 6;
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < slack) return;
      if (press.onto) {
        if (!hand.canLift(press.spot)) return;
        hand.lift(press.spot);
        press.onto = false;
      }
      press.dragging = true;
    }
    const { x, y } = place(event, press.type === "touch");
    hand.carry(x, y, hand.spotAt(x, y));
  });

  stage.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { spot, held, dragging, onto, type } = press;
    press = null;
    if (dragging) {
      const seen = place(event, type === "touch");
      const finger = place(event);
      const over = [hand.spotAt(seen.x, seen.y), hand.spotAt(finger.x, finger.y)].find((found) => found && hand.canDrop(found));
      if (over) hand.drop(over, seen);
      else hand.putBack(seen);
      return;
    }
    if (onto) {
      hand.drop(spot);
      tapped = { spot: "", at: 0 };
      return;
    }
    const quickly = type === "mouse" ? clicks % 2 === 0 : event.timeStamp - tapped.at < DOUBLE_MS;
    const again = tapped.spot === spot && quickly;
    tapped = again ? { spot: "", at: 0 } : { spot, at: event.timeStamp };
    if (again) hand.quick(spot);
    else if (held) hand.release();
  });

  stage.addEventListener("pointercancel", (event) => {
    if (!press || event.pointerId !== press.id) return;
    press = null;
    hand.release();
  });

  stage.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const lamp = target.closest("[data-lamp]")?.getAttribute("data-lamp");
    const split = target.closest("[data-split]")?.getAttribute("data-split");
    const spot = target.closest("[data-spot]")?.getAttribute("data-spot");
    if (lamp) hand.drop(lamp);
    else if (split) hand.chooseSplit(Number(split));
    else if (spot && (spot === "dice" || spot === "cube" || event.detail === 0)) hand.activate(spot);
  });
}

/** Whether something has its own click: dice, cube, a light, a split. @param {EventTarget | null} target */
function isControl(target) {
  const element = /** @type {Element} */ (target);
  return Boolean(element.closest('[data-lamp], [data-split], [data-spot="dice"], [data-spot="cube"]'));
}
