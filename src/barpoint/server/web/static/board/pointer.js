// Mouse, pen and finger: drag, tap and tap, double-tap, click on dice, cube, lights and splits.

/** @import {Spot, Place} from "./types.js" */

/** The longest time between two taps of a finger; how quick a double click must be is set in the system. */
const DOUBLE_MS = 350;
export const SLACK_PX = { mouse: 4, pen: 6, touch: 8 };
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
 * @property {(spot: Spot) => void} refuse  says why nothing can be done there
 * @property {boolean} busy  something moves
 * @property {() => Promise<void>} hurry  lets it arrive; ends when it has
 * @property {(spot: Spot, from?: Place) => void} drop
 * @property {(spot: Spot) => void} quick
 * @property {(x: number, y: number) => Spot | null} spotAt
 * @property {(x: number, y: number) => Spot | null} targetAt
 * @property {(x: number, y: number, over: Spot | null) => void} carry
 * @property {(from: Place) => void} putBack
 * @property {(spot: Spot) => void} activate
 * @property {boolean} taps  a tap counts at once, without lifting
 * @property {boolean} quickens  one click plays what two in a row play otherwise
 * @property {(index: number) => void} chooseSplit
 */

/**
 * A button or finger that is down. held: the checker was lifted before; onto: it may be dropped where it went down.
 * @typedef {{id: number, spot: Spot, x: number, y: number, held: boolean, dragging: boolean, onto: boolean, type: string}} Press
 */

/** @param {Hand} hand */
export function listenToPointer(hand) {
  const pointer = new Pointer(hand);
  const { stage } = hand;
  stage.addEventListener("pointerdown", (event) => pointer.down(event));
  stage.addEventListener("mousedown", (event) => (pointer.clicks = event.detail));
  stage.addEventListener("pointermove", (event) => pointer.move(event));
  stage.addEventListener("pointerup", (event) => pointer.up(event));
  stage.addEventListener("pointercancel", (event) => pointer.cancel(event));
  stage.addEventListener("touchmove", (event) => pointer.keep(event), { passive: false });
  stage.addEventListener("click", (event) => pointer.click(event));
}

class Pointer {
  /** @param {Hand} hand */
  constructor(hand) {
    this.hand = hand;
    /** @type {Press | null} */
    this.press = null;
    /** What was pressed, and perhaps let go, while something moved: it counts once that has arrived.
     * @type {{down: PointerEvent, up: PointerEvent | null} | null} */
    this.early = null;
    this.tapped = { spot: "", at: 0 };
    /** How many clicks in a row the system counts. */
    this.clicks = 0;
  }

  /** Where an event is on the board. @param {PointerEvent} event @param {boolean} [above]  above the finger, where it is seen */
  place(event, above = false) {
    const matrix = this.hand.stage.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const y = event.clientY - (above ? ABOVE_FINGER_PX : 0);
    const point = new DOMPoint(event.clientX, y).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || this.press || isControl(event.target)) return;
    if (!this.hand.busy) this.begin(event, true);
    else if (!this.early) void this.whenArrived({ down: event, up: null });
  }

  /** @param {{down: PointerEvent, up: PointerEvent | null}} early */
  async whenArrived(early) {
    this.early = early;
    await this.hand.hurry();
    if (this.early !== early) return;
    this.early = null;
    this.begin(early.down, early.up === null);
    if (early.up) this.up(early.up);
  }

  /** @param {PointerEvent} event @param {boolean} isDown  whether it has not been let go meanwhile */
  begin(event, isDown) {
    const { hand } = this;
    const { x, y } = this.place(event);
    const spot = hand.spotAt(x, y);
    const held = spot !== null && hand.liftedSpot() === spot;
    const onto = spot !== null && !held && hand.canDrop(spot);
    if (spot === null || (!onto && !hand.canLift(spot))) {
      if (spot === null) hand.release();
      else hand.refuse(spot);
      return;
    }
    this.press = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, held, dragging: false, onto, type: event.pointerType };
    if (isDown) hand.stage.setPointerCapture(event.pointerId);
    if (!onto && !held) hand.lift(spot);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { hand, press } = this;
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
    const { x, y } = this.place(event, press.type === "touch");
    hand.carry(x, y, this.over(event, press));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press, early } = this;
    if (early?.down.pointerId === event.pointerId) early.up = event;
    if (!press || event.pointerId !== press.id) return;
    this.press = null;
    if (press.dragging) this.letGo(event, press);
    else if (press.onto) {
      this.hand.drop(press.spot);
      this.tapped = { spot: "", at: 0 };
    } else this.tap(event, press);
  }

  /** @param {PointerEvent} event @param {Press} press */
  letGo(event, press) {
    const seen = this.place(event, press.type === "touch");
    const over = this.over(event, press);
    if (over) this.hand.drop(over, seen);
    else this.hand.putBack(seen);
  }

  /**
   * Where a dragged checker would be dropped: on what it covers, else on what the finger is on, else a little beside one
   * of those. Null over the place it comes from.
   * @param {PointerEvent} event @param {Press} press
   */
  over(event, press) {
    const { hand } = this;
    const places = [this.place(event, press.type === "touch"), this.place(event)];
    const under = places.map(({ x, y }) => hand.spotAt(x, y));
    // A finger on a tray means the tray: on a phone it lies below the points that the checker above the finger covers.
    const exact = [...under].sort((a, b) => Number(isTray(b)) - Number(isTray(a))).find((found) => found && hand.canDrop(found));
    if (exact || under[0] === press.spot) return exact ?? null;
    return hand.targetAt(places[0].x, places[0].y) ?? hand.targetAt(places[1].x, places[1].y);
  }

  /** @param {PointerEvent} event @param {Press} press */
  tap(event, { spot, held, type }) {
    if (this.hand.taps) {
      this.hand.activate(spot);
      return;
    }
    const quickly = type === "mouse" ? this.clicks % 2 === 0 : event.timeStamp - this.tapped.at < DOUBLE_MS;
    const again = this.tapped.spot === spot && quickly;
    this.tapped = again ? { spot: "", at: 0 } : { spot, at: event.timeStamp };
    if (again || this.hand.quickens && !held) this.hand.quick(spot);
    else if (held) this.hand.release();
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    if (this.early?.down.pointerId === event.pointerId) this.early = null;
    if (!this.press || event.pointerId !== this.press.id) return;
    this.press = null;
    this.hand.release();
  }

  /** Two fingers on the board zoom; a thumb that rests beside it makes no zoom of what the other hand drags. @param {TouchEvent} event */
  keep(event) {
    const here = [...event.touches].filter(({ target }) => target instanceof Node && this.hand.stage.contains(target));
    if ((this.press || this.early) && event.cancelable && event.touches.length > 1 && here.length === 1) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  click({ target, detail }) {
    const data = (/** @type {string} */ name) => (target instanceof Element && target.closest(`[${name}]`)?.getAttribute(name)) || "";
    const [lamp, split, spot] = [data("data-lamp"), data("data-split"), data("data-spot")];
    if (lamp) this.hand.drop(lamp);
    else if (split) this.hand.chooseSplit(Number(split));
    else if (spot && (spot === "dice" || spot === "cube" || detail === 0)) this.hand.activate(spot);
  }
}

/** @param {Spot | null} spot */
const isTray = (spot) => spot?.startsWith("off") ?? false;

/** What of the drawing has its own click: a light, a split, dice, cube. */
export const CONTROLS = '[data-lamp], [data-split], [data-spot="dice"], [data-spot="cube"]';

/** Whether something has its own click. @param {EventTarget | null} target */
const isControl = (target) => /** @type {Element} */ (target).closest(CONTROLS) !== null;
