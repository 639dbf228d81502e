// The keys of a replay, by which its page goes and of which its list is made.

import { _ } from "../board/language.js";

/**
 * What the keys need of the page.
 * @typedef {{step: (way: "first" | "back" | "on" | "last") => void, mistake: (way: 1 | -1) => void, flip: () => void, autoplay: () => void, tell: () => void, list: () => void}} Replay
 * @typedef {{key: string, name: string, does: string, run: (replay: Replay) => void}} KeyUse  key: as the browser calls it, letters small
 */

/** @type {KeyUse[]} */
export const KEYS = [
  { key: "ArrowLeft", name: _("Arrow left"), does: _("One event back"), run: (replay) => replay.step("back") },
  { key: "ArrowRight", name: _("Arrow right"), does: _("One event on"), run: (replay) => replay.step("on") },
  { key: "Home", name: _("Home"), does: _("Start of the match"), run: (replay) => replay.step("first") },
  { key: "End", name: _("End"), does: _("Last event"), run: (replay) => replay.step("last") },
  { key: "n", name: "N", does: _("Next mistake"), run: (replay) => replay.mistake(1) },
  { key: "p", name: "P", does: _("Previous mistake"), run: (replay) => replay.mistake(-1) },
  { key: "f", name: "F", does: _("The other player below"), run: (replay) => replay.flip() },
  { key: "a", name: "A", does: _("Play automatically, or pause"), run: (replay) => replay.autoplay() },
  { key: "l", name: "L", does: _("Say where all checkers are, pips, cube and score"), run: (replay) => replay.tell() },
  { key: "?", name: "?", does: _("List the keys"), run: (replay) => replay.list() },
];

/** What a key does here. @param {string} key */
export const useOf = (key) => KEYS.find((one) => one.key === (key.length === 1 ? key.toLowerCase() : key));
