// What a player does at the board: lifting and dropping, taking back, choosing, answering. Pointer and keyboard both act
// through this.

/** @import {Move, Spot, Box, Destination, Light, Place} from "./types.js" */
/** @import {Action} from "./actions.js" */
/** @import {BarpointBoard} from "./board.js" */
import { liftText, triedText } from "./access.js";
import { reasonToWait } from "./actions.js";
import { placeOf } from "./animation.js";
import { answerOf } from "./answers.js";
import { listKeys } from "./help.js";
import { parseCommand } from "./command.js";
import { neighbour } from "./keyboard.js";
import { _, listed } from "./language.js";
import { placeName, runText } from "./move_text.js";
import { askResignation, askSure, askWay } from "./panel.js";
import { refusalText } from "./refusal.js";
import { lastToUndo } from "./state.js";
import { set } from "./svg.js";

/** How far beside a place a checker may be dropped and still counts as dropped there; a checker is 100 wide. */
const BESIDE_A_PLACE = 45;

/** @typedef {{spot: Spot, place: number, to: Map<Spot, Destination>, back: Map<Spot, Light>}} Lifted */

export class Player {
  /** @param {BarpointBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {Lifted | null} */
    this.lifted = null;
    /** @type {Spot} the place that is in the tab order */
    this.focusSpot = "p6";
  }

  get host() {
    return this.board;
  }

  get stage() {
    return this.board.stage;
  }

  everywhere() {
    return this.board.chosen.keys;
  }

  letters() {
    return this.board.chosen.letters;
  }

  /** Whether something moves, and what is touched now will lie elsewhere. */
  get busy() {
    return this.board.busy;
  }

  /** A touch while something moves ends the motion. @returns {Promise<void>} ends when all has arrived */
  hurry() {
    return this.board.hasten();
  }

  // Lifting and dropping.

  /** The mover's number of a spot, or null. @param {Spot} spot */
  placeAt(spot) {
    const { turn, layout } = this.board;
    return turn && layout ? layout.place(turn.side, spot) : null;
  }

  /** @param {number} x @param {number} y */
  spotAt(x, y) {
    return this.board.layout?.hit(x, y) ?? null;
  }

  /** The place to drop on that lies here or a little beside. @param {number} x @param {number} y */
  targetAt(x, y) {
    if (this.taps) return null;
    const { lifted, board: { layout } } = this;
    return lifted && layout ? layout.nearest(x, y, [...lifted.to.keys(), ...lifted.back.keys()], BESIDE_A_PLACE) : null;
  }

  liftedSpot() {
    return this.lifted?.spot ?? null;
  }

  /** The checker that is in the hand. */
  liftedId() {
    if (this.taps) return this.board.setUp.carried?.id;
    const { turn, roster } = this.board;
    return this.lifted && turn && roster ? roster[turn.side][this.lifted.place].at(-1) : undefined;
  }

  /** Whether a tap counts at once, without lifting: a position is set up. */
  get taps() {
    return this.board.setUp.on;
  }

  get quickens() {
    return this.board.chosen.click;
  }

  /** @param {Spot} spot */
  canLift(spot) {
    if (this.taps) return !this.board.busy;
    const place = this.placeAt(spot);
    return !this.board.busy && !this.board.held && place !== null && Boolean(this.board.turn?.liftable().has(place));
  }

  /** @param {Spot} spot */
  canDrop(spot) {
    if (this.taps) return this.board.setUp.canDrop(spot);
    return Boolean(this.lifted && (this.lifted.to.has(spot) || this.lifted.back.has(spot)));
  }

  /** @param {Spot} spot */
  lift(spot) {
    if (!this.canLift(spot)) return;
    this.board.motion.finish();
    if (this.taps) {
      this.board.setUp.take(spot);
      return;
    }
    this.hold(spot);
    this.board.line.forgive();
    if (this.lifted && this.board.turn) this.board.say(liftText(this.board.turn, this.lifted.place));
    this.board.redraw();
  }

  /** @param {Spot} spot */
  hold(spot) {
    const { turn, layout } = this.board;
    const place = this.placeAt(spot);
    this.lifted = null;
    if (!turn || !layout || place === null || !turn.liftable().has(place)) return;
    const to = new Map(turn.destinations(place).map((found) => [layout.spot(turn.side, found.to), found]));
    const back = new Map(turn.lights(place).map((found) => [layout.spot(turn.side, found.source), found]));
    this.lifted = { spot, place, to, back };
  }

  /** After news: what is lifted stays lifted where it still can be. */
  keepLifted() {
    if (this.lifted) this.hold(this.lifted.spot);
    if (!this.lifted) this.letGo();
  }

  letGo() {
    this.lifted = null;
    if (this.board.scene) this.board.scene.held = "";
  }

  release() {
    if (this.taps) {
      this.board.setUp.letGo();
      this.board.redraw();
      return;
    }
    if (!this.lifted) return;
    this.board.say(_("%(place)s put back.", { place: placeName(this.lifted.place) }));
    this.letGo();
    this.board.redraw();
  }

  /** Puts down what is in the hand, and says why a place cannot be used. @param {Spot} spot */
  refuse(spot) {
    const { turn, layout } = this.board;
    const { lifted } = this;
    const reason = turn && layout && !this.board.busy ? refusalText(turn, layout, spot, lifted !== null) : "";
    this.release();
    this.board.refuse(reason, lifted ? `${_("%(place)s put back.", { place: placeName(lifted.place) })} ` : "");
  }

  /** @param {number} x @param {number} y @param {Spot | null} over */
  carry(x, y, over) {
    const id = this.liftedId();
    if (!id || !this.board.scene) return;
    this.board.scene.carry(id, x, y);
    this.board.scene.hover(over && this.canDrop(over) ? over : null);
  }

  /** Lets a carried checker glide back to where it was lifted. @param {Place} from */
  putBack(from) {
    if (this.taps) {
      this.board.setUp.dropBeside();
      return;
    }
    const id = this.liftedId();
    this.release();
    if (id && this.board.scene) void this.board.motion.glide(this.board.scene, id, from);
  }

  /** @param {Spot} spot @param {Place} [from] where the checker was let go */
  drop(spot, from) {
    if (this.taps) {
      this.board.setUp.drop(spot);
      return;
    }
    const { lifted } = this;
    const id = this.liftedId();
    const starts = new Map(from && id ? [[id, from]] : []);
    const light = lifted?.back.get(spot);
    const destination = lifted?.to.get(spot);
    if (light) void this.takeBack(light.rest, light.moves, starts);
    else if (destination && destination.choices.length === 1) void this.make(destination.choices[0], starts);
    else if (destination) {
      this.release();
      askWay(this.board, destination.choices, (moves) => moves && void this.make(moves));
    }
  }

  // Moves.

  /** @param {Move[]} moves @param {Map<string, Place>} [starts] */
  async make(moves, starts) {
    const { turn, held } = this.board;
    if (!turn || held) return;
    turn.move(moves);
    this.board.say(triedText(turn, moves, reasonToWait(turn)));
    await this.tried(moves, starts);
  }

  /** @param {Move[]} rest @param {Move[]} taken @param {Map<string, Place>} [starts] */
  async takeBack(rest, taken, starts) {
    const { turn } = this.board;
    if (!turn) return;
    turn.become(rest);
    this.board.say(`${_("%(move)s taken back.", { move: runText(taken) })} ${reasonToWait(turn) || _("The play can be ended")}.`);
    await this.tried([[taken[taken.length - 1][1], taken[0][0], 0]], starts);
  }

  /** Tells the page what has been tried, and shows it. @param {Move[]} seen @param {Map<string, Place>} [starts] */
  async tried(seen, starts) {
    const { turn } = this.board;
    if (!turn) return;
    this.letGo();
    this.board.line.forgive();
    this.board.sent = null; // the same button after another try is no slip of the finger
    this.board.tell("bg-draft", { moves: [...turn.made] });
    await this.board.show(seen.map((move) => ({ side: turn.side, move })), starts);
    this.rove();
  }

  /** @param {Spot} spot */
  quick(spot) {
    if (this.taps) return;
    const place = this.placeAt(spot);
    const move = place === null ? null : this.board.turn?.quickMove(place);
    if (move) void this.make([move]);
  }

  undoLast() {
    const { turn } = this.board;
    const found = turn?.open && !this.board.held ? lastToUndo(turn.view, turn.made) : null;
    if (!found) return false;
    void this.takeBack(found.rest, [found.move]);
    return true;
  }

  takeBackLast() {
    if (!this.undoLast()) this.board.say(_("Nothing can be taken back."));
  }

  /** @param {string} what */
  answer(what) {
    this.board.say(answerOf(this.board, what));
  }

  swap() {
    const { turn } = this.board;
    const different = new Set(turn?.view.dice?.alternatives[0]).size;
    if (!turn?.open || different < 2) return;
    turn.first = (turn.first + 1) % different;
    this.board.say(_("%(first)s before %(second)s.", { first: turn.order[0], second: turn.order[1] }));
    this.keepLifted();
    this.board.redraw();
  }

  /** @param {number} index */
  chooseSplit(index) {
    const { turn } = this.board;
    if (!turn?.open || !turn.choose(index)) return;
    this.board.say(turn.split ? _("Only %(numbers)s.", { numbers: listed(turn.split.map(String)) }) : _("All ways of this roll."));
    this.keepLifted();
    this.board.redraw();
  }

  /** What Space, or a click by an assistive tool, does on a place. @param {Spot} spot */
  activate(spot) {
    if (this.busy) void this.hurry().then(() => this.activate(spot));
    else if (this.taps && spot !== "dice" && spot !== "cube") this.board.setUp.tap(spot);
    else if (spot === "dice") {
      if (!this.act(["roll"])) this.swap();
    } else if (spot === "cube") this.act(["double"]);
    else if (this.canDrop(spot)) this.drop(spot);
    else if (this.canLift(spot) && this.lifted?.spot !== spot) this.lift(spot);
    else if (this.lifted?.spot === spot) this.release();
    else this.refuse(spot);
  }

  // Answers.

  /** @param {Action} action */
  press(action) {
    const { turn } = this.board;
    if (action.reason) this.board.say(`${action.reason}.`);
    else if (action.run) action.run();
    else if (action.event) {
      const { event, sure } = action;
      if (sure && (sure.always || this.board.chosen.confirm)) askSure(this.board, sure, () => this.board.send(event));
      else this.board.send(event);
      if (this.busy) void this.hurry(); // whoever goes on has seen enough
    } else if (action.kind === "undo") this.undoLast();
    else if (turn) askResignation(this.board, action.levels, (level) => this.board.send({ kind: action.kind, level }));
  }

  /** The first action of these kinds. @param {string[]} kinds */
  actionOf(kinds) {
    return this.board.actions.find((candidate) => kinds.includes(candidate.kind));
  }

  /** @param {string[]} kinds */
  offers(kinds) {
    return this.actionOf(kinds) !== undefined;
  }

  /** Does the first of these kinds that is allowed. @param {string[]} kinds */
  act(kinds) {
    const action = this.actionOf(kinds);
    if (!action) return false;
    this.press(action);
    return true;
  }

  commit() {
    if (!this.act(["play", "correct"])) this.act(["next"]);
  }

  /** @param {string} line @returns {{text: string, refused: boolean}} what there is to say */
  command(line) {
    const { turn } = this.board;
    const said = (text = "") => ({ text, refused: false });
    const refused = (/** @type {string} */ text) => ({ text, refused: true });
    if (!turn) return said();
    const command = parseCommand(line, turn.view, turn.made);
    switch (command.kind) {
      case "say":
        return said(command.text);
      case "error":
        return refused(command.text);
      case "moves":
        void this.make(command.moves);
        return said();
      case "asked":
        return said(answerOf(this.board, command.what));
      case "undo":
        return this.undoLast() ? said(_("Taken back")) : refused(_("Nothing can be taken back"));
      case "commit":
        if (!turn.open) return refused(_("No play is asked for now"));
        if (!turn.mayCommit && !turn.byHand) return refused(reasonToWait(turn));
        this.commit();
        return said();
      default:
        if (command.level) this.board.send({ kind: "resign", level: command.level });
        else this.act([command.event]);
        return said();
    }
  }

  openCommands() {
    this.board.commands.open();
  }

  showKeys() {
    listKeys(this.board);
  }

  // The keyboard's walk over the board: one place at a time is in the tab order.

  rove() {
    const { scene } = this.board;
    if (!scene) return;
    const known = scene.targets.get(this.focusSpot);
    if (!known || known.hasAttribute("hidden")) this.focusSpot = "p6";
    for (const [spot, target] of scene.targets) set(target, { tabindex: spot === this.focusSpot ? 0 : -1 });
  }

  /** @param {string} key */
  walk(key) {
    const { scene } = this.board;
    if (!scene) return;
    const boxes = new Map([...scene.targets].filter(([, target]) => !target.hasAttribute("hidden"))
      .map(([spot, target]) => [spot, boxOf(target)]));
    if (this.stage.contains(document.activeElement)) this.focusSpot = neighbour(boxes, this.focusSpot, key);
    this.rove();
    scene.targets.get(this.focusSpot)?.focus({ preventScroll: true });
  }
}

/** @param {SVGGElement} target @returns {Box} */
function boxOf(target) {
  const { x, y, width, height } = target.getBBox();
  const at = placeOf(target);
  return { x: x + at.x, y: y + at.y, width, height };
}
