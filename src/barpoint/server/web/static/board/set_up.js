// Setting up a position by hand: any checker can be carried anywhere, a tap adds or removes one. The page is told what was
// done; the board changes when the page shows another view.

/** @import {Side, Spot} from "./types.js" */
/** @import {BarpointBoard} from "./board.js" */
import { countAt } from "./state.js";

const SIDES = /** @type {Side[]} */ (["near", "far"]);

/** @typedef {{spot: Spot, side: Side, place: number, id: string}} Carried */

export class SetUp {
  /** @param {BarpointBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {Carried | null} */
    this.carried = null;
  }

  /** Whether the board is being set up. */
  get on() {
    return this.board.chosen.setup !== "";
  }

  /** The side whose checker a spot shows on top, and its number of the place. @param {Spot} spot @returns {{side: Side, place: number} | null} */
  owner(spot) {
    const { turn, layout } = this.board;
    if (!turn || !layout) return null;
    const { position } = turn.now;
    for (const side of SIDES) {
      const place = layout.place(side, spot);
      if (place !== null && countAt(position[side], place) && !position[side].pinned.includes(place)) return { side, place };
    }
    return null;
  }

  /** Begins to carry the checker on a spot. @param {Spot} spot */
  take(spot) {
    const owner = this.owner(spot);
    const id = owner && this.board.roster?.[owner.side][owner.place].at(-1);
    this.carried = owner && id ? { spot, ...owner, id } : null;
  }

  /** @param {Spot} spot */
  canDrop(spot) {
    const { carried, board: { layout } } = this;
    return Boolean(carried && layout && spot !== carried.spot && layout.place(carried.side, spot) !== null);
  }

  /** @param {Spot} spot */
  drop(spot) {
    const { carried, board: { layout } } = this;
    const to = carried && layout?.place(carried.side, spot);
    this.letGo();
    if (carried && to !== null && to !== undefined) this.tell({ edit: "move", side: carried.side, place: carried.place, to });
  }

  /** A checker dropped beside the board goes to its tray. */
  dropBeside() {
    const { carried } = this;
    this.letGo();
    if (carried && carried.place !== 0) this.tell({ edit: "remove", side: carried.side, place: carried.place });
    else this.board.redraw();
  }

  letGo() {
    this.carried = null;
    if (this.board.scene) this.board.scene.held = "";
  }

  /** What a tap, or Space, does on a spot: as the brush says. @param {Spot} spot */
  tap(spot) {
    const { setup } = this.board.chosen;
    const { layout } = this.board;
    this.letGo(); // a press takes the checker, in case it is carried
    if (setup === "remove") {
      const owner = this.owner(spot);
      if (owner && owner.place !== 0) this.tell({ edit: "remove", ...owner });
      return;
    }
    const side = setup === "far" ? "far" : "near";
    // A bar or hand belongs to one side, whatever the brush says.
    const own = /^(bar|hand)-/.test(spot) ? /** @type {Side} */ (spot.split("-")[1]) : side;
    const place = layout?.place(own, spot);
    if (place) this.tell({ edit: "add", side: own, place });
  }

  /** @param {{edit: string, side: Side, place: number, to?: number}} edit */
  tell(edit) {
    this.board.tell("bg-setup", edit);
  }
}
