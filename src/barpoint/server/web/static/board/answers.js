// What the board answers to those who ask it by a key or a command: score and cube, dice, the last play, the clock, where everything is.

/** @import {View} from "./types.js" */
/** @import {BarpointBoard} from "./board.js" */
/** @import {TurnInProgress} from "./turn.js" */
import { positionText } from "./access.js";
import { _, ngettext, number } from "./language.js";
import { cubePlace, diceName } from "./picture.js";

/** What can be asked, by the word of the command box. @type {Record<string, (board: BarpointBoard, turn: TurnInProgress) => string>} */
const ANSWERS = {
  board: (board, turn) => [positionText(turn), ...(board.options.pips ? [pipsText(turn)] : []), scoreText(turn.view)].join(" "),
  pips: (board, turn) => pipsText(turn),
  score: (board, { view }) => scoreText(view),
  dice: (board, turn) => sentence(diceName(turn) || _("no dice have been rolled")),
  last: (board) => board.played || _("No play has been made yet."),
  clock: (board) => board.clockText() || _("There is no clock."),
};

/** Other words for the same. @type {Record<string, string>} */
const ALSO = { position: "board", l: "board", pip: "pips", pipcount: "pips", cube: "score", w: "score", i: "dice", time: "clock",
  c: "clock", move: "last", "last move": "last", m: "last" };

/** The words by which the board can be asked. */
export const ASKED = Object.keys(ANSWERS);

/** What a word asks for; undefined where it asks for nothing. @param {string} word */
export const askedBy = (word) => (ASKED.includes(word) ? word : ALSO[word]);

/** The answer to a question; empty while the board shows nothing. @param {BarpointBoard} board @param {string} what  one of ASKED */
export const answerOf = (board, what) => (board.turn ? ANSWERS[what](board, board.turn) : "");

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** The moves that were tried included. @param {TurnInProgress} turn */
function pipsText({ pips, view: { labels } }) {
  return `${_("Pips: %(near)s %(own)s, %(far)s %(other)s", { near: labels.near, own: pips.near, far: labels.far, other: pips.far })}.`;
}

/** The score, the length of the match, the cube, and tokens where there are any. @param {View} view */
function scoreText(view) {
  const { labels: { near, far }, score, cube, tokens } = view;
  const points = { near, far, own: number(score.near), other: number(score.far) };
  const said = [score.length
    ? ngettext("Match to %(num)s point: %(near)s %(own)s, %(far)s %(other)s", "Match to %(num)s points: %(near)s %(own)s, %(far)s %(other)s", score.length, points)
    : _("Points won: %(near)s %(own)s, %(far)s %(other)s", points)];
  if (score.game) said.push(score.game);
  if (score.crawford) said.push(_("Crawford game"));
  if (cube) said.push(_("Cube at %(value)s, %(where)s", { value: String(cube.offered?.value ?? cube.value), where: cubePlace(view, cube) }));
  if (tokens) said.push(_("Reroll tokens: %(near)s %(own)s, %(far)s %(other)s", { near, far, own: tokens.near, other: tokens.far }));
  return said.map((text) => `${text}.`).join(" ");
}
