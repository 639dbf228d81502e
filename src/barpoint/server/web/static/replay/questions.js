// What the quiz asks, by the kind of decision, and the choices that it offers.

/** @import {Decision, Option} from "./analysis.js" */
import { _ } from "../board/language.js";

/** Choices in a fixed order, which does not give the answer away, with their keys. @type {Record<string, string>} */
export const KEYS = { "No double": "r", Double: "d", Take: "t", Pass: "p", Beaver: "b", Raccoon: "b", "Let it stand": "k", "Roll over": "o",
  Accept: "y", Reject: "n", "Play on": "n", Resign: "x", "no double": "r", "double/take": "d", "double/pass": "p", "too good": "g" };

/** What can be right of a double: what is done, and whether the other side takes. @type {Record<string, [string, boolean]>} */
const ACTIONS = { "no double": ["No double", true], "double/take": ["Double", true], "double/pass": ["Double", false], "too good": ["No double", false] };

/** Whether to resign, and how to answer a resignation: where it is not known what is resigned, then by what it is. @type {((player: string) => string)[]} */
const RESIGN = [(player) => _("%(player)s: resign?", { player }), (player) => _("%(player)s: resign a single game?", { player }),
  (player) => _("%(player)s: resign a gammon?", { player }), (player) => _("%(player)s: resign a backgammon?", { player })];
/** @type {((player: string) => string)[]} */
const RESIGNED = [(player) => _("%(player)s: the other side resigns. Accept?", { player }), (player) => _("%(player)s: the other side resigns a single game. Accept?", { player }),
  (player) => _("%(player)s: the other side resigns a gammon. Accept?", { player }), (player) => _("%(player)s: the other side resigns a backgammon. Accept?", { player })];

/** What is asked, by the kind of decision. @type {Record<string, (who: string, faces: string, level: number) => string>} */
export const QUESTIONS = {
  play: (player, faces) => _("%(player)s: how is %(faces)s played?", { player, faces }),
  double: (player) => _("%(player)s: which cube action is right?", { player }), "no double": (player) => _("%(player)s: which cube action is right?", { player }),
  take: (player) => _("%(player)s: the cube is offered. What now?", { player }), pass: (player) => _("%(player)s: the cube is offered. What now?", { player }),
  beaver: (player) => _("%(player)s: the cube is offered. What now?", { player }), raccoon: (player) => _("%(player)s: the other side has beavered. What now?", { player }),
  call: (player, faces) => _("%(player)s: shall %(faces)s stand?", { player, faces }), keep: (player, faces) => _("%(player)s: shall %(faces)s stand?", { player, faces }),
  resign: (player, faces, level) => RESIGN[level](player), accept: (player, faces, level) => RESIGNED[level](player),
  reject: (player, faces, level) => RESIGNED[level](player),
};

/** Whether a double is asked about, with the answer to it. @param {Decision} decision */
const asksAction = ({ kind, cube }) => Boolean(cube) && (kind === "double" || kind === "no double");

/** What a decision lets somebody choose, in an order that tells nothing. @param {Decision} decision @returns {string[]} */
export function choicesOf(decision) {
  if (asksAction(decision)) return Object.keys(ACTIONS);
  const order = Object.keys(KEYS);
  return decision.options.map(({ text }) => text).sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** The option that a choice is, what is right, and what a wrong answer to the double loses besides. @param {Decision} decision @param {string} text
 * @returns {{option: Option | undefined, best?: string, slip: number}} */
export function chosenBy(decision, text) {
  const { cube, options } = decision;
  const named = (/** @type {string} */ name) => options.find((one) => one.text === name);
  if (!cube || !asksAction(decision)) return { option: named(text), slip: 0 };
  const best = cube.action === "double/beaver" ? "double/take" : cube.action;
  const [done, takes] = ACTIONS[text];
  return { option: named(done), best, slip: takes === ACTIONS[best][1] ? 0 : Math.abs(cube.double_take - cube.double_pass) };
}
