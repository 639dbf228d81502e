// What the quiz asks, by the kind of decision, and the choices that it offers.

/** @import {Decision} from "./analysis.js" */
import { _ } from "../board/language.js";

/** Choices in a fixed order, which does not give the answer away, with their keys. @type {Record<string, string>} */
export const KEYS = { "No double": "r", Double: "d", Take: "t", Pass: "p", Beaver: "b", Raccoon: "b", "Let it stand": "k", "Roll over": "o",
  Accept: "y", Reject: "n", "Play on": "n", Resign: "x", "no double": "r", "double/take": "d", "double/pass": "p", "too good": "g" };

/** What can be right of a double: what is done, and how the other side should answer. */
const ACTIONS = ["no double", "double/take", "double/pass", "too good"];

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

/** What a decision lets somebody choose, in an order that tells nothing. @param {Decision} decision @returns {string[]} */
export function choicesOf({ kind, cube, options }) {
  if (cube && (kind === "double" || kind === "no double")) return ACTIONS;
  const order = Object.keys(KEYS);
  return options.map(({ text }) => text).sort((a, b) => order.indexOf(a) - order.indexOf(b));
}
