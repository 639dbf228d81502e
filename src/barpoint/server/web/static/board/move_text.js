// Moves in words, as lists, lights and buttons have them.

/** @import {Move} from "./types.js" */
import { _ } from "./language.js";
import { BAR, HAND, OFF } from "./state.js";

/** A place in words. @param {number} place */
export const placeName = (place) => (place === OFF ? "off" : place === BAR ? "bar" : place === HAND ? "hand" : String(place));

/** "8/5". @param {Move[]} moves a run of moves of one checker */
export const runText = (moves) => `${placeName(moves[0][0])}/${placeName(moves[moves.length - 1][1])}`;

/** "undo 8/5". @param {Move[]} moves */
export const undoText = (moves) => _("undo %(move)s", { move: runText(moves) });
