// From a turn in progress to the picture of it: which places light up, what can be lifted, what everything is called.

/** @import {Picture} from "./render.js" */
/** @import {Roster} from "./checker.js" */
/** @import {Dice, Side, Spot, View} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
/** @import {Layout} from "./geometry.js" */
import { diceText, spotNames } from "./access.js";
import { splitsText } from "./actions.js";
import { N_, _ } from "./language.js";
import { undoText } from "./move_text.js";
import { opponent, told } from "./state.js";
import { shownNumbers, splitText } from "./split.js";

/**
 * @param {TurnInProgress} turn @param {Layout} layout @param {Roster} roster
 * @param {import("./player.js").Lifted | null} lifted @param {Picture["traces"]} traces @returns {Picture}
 */
export function pictureOf(turn, layout, roster, lifted, traces) {
  const to = new Set([...(lifted?.to ?? [])].filter(([, { free }]) => !free).map(([spot]) => spot));
  /** @type {Map<Spot, string>} */
  const back = new Map([...(lifted?.back ?? [])].map(([spot, light]) => [spot, undoText(light.moves)]));
  const names = spotNames(turn, layout, { to, back, from: lifted?.spot ?? null });
  const dice = diceOf(turn);
  const cube = cubeOf(turn);
  if (dice) names.set("dice", dice.name);
  if (cube) names.set("cube", cube.name);
  return {
    roster,
    lifted: lifted?.spot ?? null,
    movable: new Set([...turn.liftable()].map((place) => layout.spot(turn.side, place))),
    ready: readyIds(turn, roster),
    targets: to,
    lamps: [...back].map(([spot, label]) => ({ spot, label })),
    names,
    dice,
    splits: turn.splits().map((split) => ({ ...split, name: splitName(split) })),
    cube,
    traces,
  };
}

/** The checkers that can be moved on, the top one of each place. @param {TurnInProgress} turn @param {Roster} roster */
function readyIds(turn, roster) {
  const places = [...turn.liftable()].filter((place) => turn.destinations(place).some(({ free }) => !free));
  return new Set(places.map((place) => roster[turn.side][place].at(-1) ?? ""));
}

/** @param {{numbers: number[], open: boolean, chosen: boolean}} split */
function splitName({ numbers, open, chosen }) {
  const text = _("split %(numbers)s", { numbers: splitText(numbers) });
  return `${text}${chosen ? `, ${_("chosen")}` : ""}${open ? "" : `, ${_("no longer open")}`}`;
}

/** By how many dice show a roll. @type {Record<number, Dice["kind"]>} */
const KINDS = { 1: "1d12", 2: "2d6", 3: "3d6" };

/** @param {View} view @param {Side} side */
const whose = (view, side) => told(view, side, N_("your dice"), N_("%(player)s’s dice"));

/** @param {number[]} faces */
const unused = (faces) => faces.map((number) => ({ number, used: false }));

/** What the dice show, as they are called. @param {TurnInProgress} turn */
export const diceName = (turn) => diceOf(turn)?.name ?? "";

/** The roll that is to be played, the last one, or a place to roll. @param {TurnInProgress} turn @returns {Picture["dice"]} */
function diceOf(turn) {
  const { view } = turn;
  const { dice, opening_roll, last } = view;
  if (dice) return { ...rolled(turn, dice), state: view.to_act === dice.of ? "" : "resting" };
  const roll = view.allowed.some((allowed) => allowed.kind === "roll");
  const rerolled = last?.kind === "rollover";
  const side = rerolled ? view.to_act : last?.kind === "play" ? last.by : null;
  if (side && last?.faces?.length) {
    const name = `${whose(view, side)}: ${last.faces.join("-")}${rerolled ? `, ${_("rolled over")}` : ""}${roll ? `; ${_("roll")}` : ""}`;
    return { kind: KINDS[last.faces.length], numbers: unused(last.faces), side, name,
      state: rerolled ? "rerolled" : "resting", rollId: `last ${last.faces}` };
  }
  if (opening_roll) {
    const first = opening_roll.near >= opening_roll.far ? "near" : "far";
    const numbers = /** @type {Side[]} */ ([first, opponent(first)]).map((by) => ({ number: opening_roll[by], used: false, by }));
    return { kind: opening_roll.kind, numbers, side: first, state: "resting",
      name: `${_("opening dice: %(near)s against %(far)s", { near: opening_roll.near, far: opening_roll.far })}${roll ? `; ${_("roll")}` : ""}`, rollId: "opening" };
  }
  return roll ? { kind: "2d6", numbers: [], side: view.to_act ?? "near", state: "", name: _("roll the dice"), rollId: "" } : null;
}

/** @param {TurnInProgress} turn @param {Dice} dice */
function rolled(turn, dice) {
  const { view } = turn;
  const { opening_roll } = view;
  const twelve = dice.kind === "1d12";
  const numbers = twelve
    ? dice.faces.map((number) => ({ number, used: turn.open && turn.mayCommit && turn.made.length > 0 }))
    : shownNumbers(dice, view.turn ? turn.made : [], turn.first);
  const left = numbers.filter((shown) => !shown.used).map((shown) => shown.number);
  const swap = turn.open && new Set(left).size > 1 && !twelve ? `; ${_("swap which is played first")}` : "";
  const rest = turn.open && left.length < numbers.length ? `, left: ${left.join(" and ") || "none"}` : "";
  const split = splitsText(turn);
  const opening = opening_roll && [opening_roll.near, opening_roll.far].sort().join() === [...dice.faces].sort().join();
  return {
    kind: dice.kind,
    numbers: opening && numbers.length === 2
      ? numbers.map((shown) => ({ ...shown, by: /** @type {Side} */ (shown.number === opening_roll.near ? "near" : "far") })) : numbers,
    side: dice.of,
    name: `${whose(view, dice.of)}: ${turn.first && !twelve ? numbers.map(({ number }) => number).join("-") : diceText(dice)}${rest}${split && `; ${_("to play as %(ways)s", { ways: split })}`}${swap}`,
    rollId: JSON.stringify([dice.faces, dice.of, view.near.points, view.far.points, view.near.hand, view.tokens]),
  };
}

/** Who has the cube, or has offered it. @param {View} view @param {import("./types.js").Cube} cube */
export function cubePlace(view, { offered, owner }) {
  if (offered) return told(view, offered.by, N_("offered by you"), N_("offered by %(player)s"));
  return owner ? told(view, owner, N_("you may double"), N_("%(player)s may double")) : _("in the middle");
}

/** @param {TurnInProgress} turn @returns {Picture["cube"]} */
function cubeOf({ view }) {
  const { cube } = view;
  if (!cube) return null;
  const ready = view.allowed.some((allowed) => allowed.kind === "double");
  const value = cube.offered ? cube.offered.value : cube.value;
  return { value, owner: cube.owner, offeredBy: cube.offered?.by ?? null, ready, name: `${_("cube %(value)s", { value: String(value) })}, ${cubePlace(view, cube)}${ready ? `; ${_("double")}` : ""}` };
}
