// The buttons that a view allows, with the stakes in words, and the line that says what is going on.

/** @import {Allowed, Move, Side, View} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
import { N_, _, alternatives, listed, ngettext, pgettext } from "./language.js";
import { undoText } from "./move_text.js";
import { continuations, splitText } from "./split.js";
import { edgesAt, isYou, lastToUndo, told } from "./state.js";

/** @typedef {{level: number, name: string, cost: string}} Resignation  cost: what the server says it loses, in words */

/**
 * @typedef {object} Action
 * @property {string} kind
 * @property {string} label
 * @property {string} detail  a second, quieter line; empty for none
 * @property {string} key  the key that does the same
 * @property {boolean} primary
 * @property {string} reason  why it cannot be pressed now; empty when it can
 * @property {Record<string, unknown> | null} event  what is sent; null where something is asked first
 * @property {string} icon  what is drawn instead of the label, as the data of an SVG path; "" for none
 * @property {{question: string, answer: string, otherwise: string, always: boolean} | null} sure  asked once more before it is
 *   sent: always where it costs the match, else where the player wants that
 * @property {Resignation[]} levels  of a resignation
 * @property {() => void} [run]  what it does, where it is the page's own
 */

/** @param {import("./types.js").Count} count */
const points = (count) => ngettext("%(num)s point", "%(num)s points", count);

/** "lose 4 points". @param {import("./types.js").Count} count */
const losing = (count) => ngettext("lose %(num)s point", "lose %(num)s points", count);

/** @type {Record<string, (allowed: Allowed, view: View) => Partial<Action>>} */
const WORDS = {
  roll: () => ({ label: _("Roll"), key: "R", primary: true }),
  double: ({ value, reason }, view) => ({
    label: (view.cube?.value ?? 1) > 1 ? _("Redouble") : _("Double"), key: "D",
    detail: reason === "dead" ? _("a single win is enough") : value ? _("to %(value)s", { value }) : "",
    event: { kind: "double" },
    sure: { question: _("Offer the cube at %(value)s?", { value: value ?? "" }), answer: (view.cube?.value ?? 1) > 1 ? _("Redouble") : _("Double"),
      otherwise: _("Back"), always: false } }),
  take: ({ value }) => ({ label: _("Take"), detail: _("play for %(value)s", { value: value ?? "" }), key: "T", primary: true, event: { kind: "take" } }),
  pass: ({ points: [lost] = [] }) => ({ label: pgettext("cube", "Pass"), detail: lost ? losing(lost) : "", key: "P" }),
  beaver: ({ value }) => ({ label: _("Beaver"), detail: _("cube to %(value)s, keep it", { value: value ?? "" }), key: "B", event: { kind: "beaver" } }),
  raccoon: ({ value }) => ({ label: _("Raccoon"), detail: _("cube to %(value)s", { value: value ?? "" }), key: "B", event: { kind: "raccoon" } }),
  rollover: (allowed, view) => ({
    label: allowed.by ? _("%(player)s: roll over", { player: view.labels[allowed.by] }) : _("Roll over"),
    detail: rerolledText(allowed, view),
    key: "O", event: { kind: "rollover", roll: allowed.roll } }),
  keep: () => ({ label: _("Let it stand"), key: "K", primary: true }),
  resign: (allowed) => ({ label: _("Resign"), key: "X", event: null, levels: resignations(allowed) }),
  accept: ({ points: [won] = [] }) => ({ label: _("Accept"), detail: won ? ngettext("win %(num)s point", "win %(num)s points", won) : "", key: "Y", primary: true }),
  reject: () => ({ label: _("Reject"), detail: _("play on"), key: "N" }),
  next: () => ({ label: _("Next game"), primary: true }),
  object: ({ by }, view) => ({ label: _("Object"), detail: by ? _("%(player)s: not a legal play", { player: view.labels[by] }) : _("not a legal play"), key: "J" }),
  abort: ({ reason }, view) => {
    if (view.result) return { label: _("End the session") };
    if (reason !== "loses") return { label: _("Leave"), detail: _("nothing is lost") };
    return { label: _("Leave"), detail: _("you lose this match"), sure: { question: _("Leave this match?"), answer: _("Leave: lose this match"), otherwise: _("Stay"), always: true } };
  },
};

/** Whose roll is rolled over. @param {Allowed} allowed @param {View} view */
function rerolledText({ by, on, faces = [] }, view) {
  const dice = faces.join("-");
  if (by) return dice;
  return on === "own" ? _("my %(dice)s", { dice }) : _("%(player)s’s %(dice)s", { player: view.labels.far, dice });
}

/** How often the one number that is left can still be played. */
const TIMES = [N_("%(numbers)s can still be played"), N_("%(numbers)s can still be played"), N_("%(numbers)s can still be played twice"),
  N_("%(numbers)s can still be played three times"), N_("%(numbers)s can still be played four times")];

/** "4+1 or 3+2": the ways to split the roll, or what is left of it, that are open; empty where there is one or none. @param {TurnInProgress} turn */
export function splitsText(turn) {
  const ways = new Set(turn.splits().filter(({ open }) => open).map(({ left }) => splitText(left)));
  return ways.size > 1 ? alternatives([...ways]) : "";
}

/** Why the turn cannot be ended yet; empty when it can. @param {TurnInProgress} turn */
export function reasonToWait(turn) {
  if (turn.mayCommit) return "";
  if (turn.waiting) return _("The next part of this roll is on its way");
  if (turn.byHand && !edgesAt(turn.view, turn.now.node).length) return _("Not a legal play; the other side may object");
  const ways = continuations(turn.view, turn.now.node);
  const numbers = [...new Set(ways[0] ?? [])].sort((a, b) => b - a);
  if (ways.length !== 1 || !numbers.length) {
    const split = splitsText(turn);
    if (turn.made.length) return split ? _("Play the rest as %(ways)s", { ways: split }) : _("Play the rest of the roll");
    return split ? _("Play it as %(ways)s", { ways: split }) : _("Play your roll");
  }
  const times = numbers.length === 1 ? ways[0].length : 0;
  return _(TIMES[times] ?? TIMES[0], { numbers: listed(numbers.map(String)) });
}

/** An arrow back. */
const BACK = "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3";

/** Takes the last move back that can be, and is named after it, like the light on the board; what else can be taken back, only lights show.
 * @param {Move} move @returns {Action} */
const undo = (move) => ({ kind: "undo", label: undoText([move]), detail: "", key: "Backspace", primary: false, reason: "", icon: BACK,
  event: null, sure: null, levels: [] });

/** @param {TurnInProgress} turn @returns {Action[]} */
export function actionsFor(turn) {
  const { view } = turn;
  const actions = view.allowed.map((allowed) => {
    const { kind } = allowed;
    const plain = { kind, label: kind[0].toUpperCase() + kind.slice(1), detail: "", key: "", primary: false, reason: "", icon: "", sure: null,
      event: /** @type {Record<string, unknown> | null} */ ({ kind }), levels: /** @type {Resignation[]} */ ([]) };
    const by = allowed.by ? { by: allowed.by } : {};
    if (kind === "play" && turn.byHand) {
      return { ...plain, label: _("End turn"), detail: turn.made.length ? _("not a legal play") : _("without a move"), key: "Enter",
        event: { kind, moves: turn.made, ...by } };
    }
    if (kind === "play" || kind === "correct") {
      const empty = turn.made.length === 0 && turn.mayCommit;
      return { ...plain, label: empty ? _("No play") : _("Done"), detail: empty ? _("pass the turn") : "", key: "Enter", primary: true,
        reason: reasonToWait(turn), event: { kind, moves: turn.made, ...by } };
    }
    const words = WORDS[kind];
    const action = words ? { ...plain, ...words(allowed, view) } : plain;
    return { ...action, event: action.event && { ...action.event, ...by } };
  });
  const last = turn.open ? lastToUndo(view, turn.made) : null;
  return last ? [...actions, undo(last.move)] : actions;
}

const LEVELS = ["", N_("a single game"), N_("a gammon"), N_("a backgammon")];

/** What may be resigned, with what the server says that costs. @param {Allowed} allowed @returns {Resignation[]} */
export function resignations({ levels = [], points: costs = [] }) {
  return levels.map((level, index) => ({ level, name: _(LEVELS[level] ?? String(level)), cost: points(costs[index]) }));
}

/** One line that says what is going on and what is asked. @param {TurnInProgress} turn @returns {string} */
export function statusText(turn) {
  const { view } = turn;
  const may = new Set(view.allowed.map((allowed) => allowed.kind));
  const { far } = view.labels;
  if (view.result) {
    const { winner, how, match } = view.result;
    return match || how || (winner ? winText(view, winner) : _("A draw"));
  }
  if (view.roll) return rollText(view, may);
  if (may.has("take")) return offerText(view, view.cube?.offered?.by ?? "far", view.cube?.offered?.value ?? "");
  if (view.cube?.offered) return told(view, view.cube.offered.by, N_("You offered the cube at %(value)s"), N_("%(player)s offered the cube at %(value)s"), { value: view.cube.offered.value });
  if (may.has("accept")) return view.last?.text || _("%(player)s resigns", { player: far });
  const rerolled = view.last?.kind === "rollover" && view.last.text ? `${view.last.text}. ` : "";
  return rerolled + promptText(turn, may);
}

/** @param {View} view @param {Side} side */
export const winText = (view, side) => told(view, side, N_("You win: %(points)s"), N_("%(player)s wins: %(points)s"), { points: points(view.result?.points ?? 0) });

/** @param {View} view @param {Side} side @param {string | number | bigint} value */
export const offerText = (view, side, value) => told(view, side, N_("You offer the cube at %(value)s"), N_("%(player)s offers the cube at %(value)s"), { value });

/** Which real dice are to be rolled. @param {View} view @param {Set<string>} may */
function rollText(view, may) {
  if (!view.roll?.of) return _("Each side rolls one die to start");
  const player = view.labels[view.roll.of];
  if (may.has("object")) return _("%(player)s may object, or accept by rolling", { player });
  return may.has("double") ? _("%(player)s to roll, or to double first", { player }) : _("%(player)s to roll", { player });
}

/** What somebody else is to do. @type {Record<string, string>} */
const AWAITED = { to_roll: N_("%(player)s to roll"), must_reroll: N_("%(player)s to roll again"), doubled: N_("%(player)s to answer"),
  resigned: N_("%(player)s to answer"), provisional_end: N_("%(player)s to let the roll stand or reroll it"), to_correct: N_("%(player)s to correct the play") };

const TO_PLAY = N_("%(player)s to play");

/** What is asked of the viewer, or who is to act. @param {TurnInProgress} turn @param {Set<string>} may */
function promptText(turn, may) {
  const { view } = turn;
  if (turn.open) {
    if (turn.made.length === 0 && turn.mayCommit) return _("Nothing can be played");
    return turn.mayCommit ? "" : reasonToWait(turn);
  }
  if (may.has("roll") && view.to_act !== "far") return turnText(view, may);
  if (may.has("keep")) return _("%(player)s has borne off: let the roll stand, or reroll it", { player: view.labels.far });
  if (view.to_act) return isYou(view, view.to_act) ? "" : _(AWAITED[view.phase] ?? TO_PLAY, { player: view.labels[view.to_act] });
  return "";
}

/** What can be done before the viewer's roll. @param {View} view @param {Set<string>} may */
function turnText({ allowed }, may) {
  const reroll = allowed.find(({ kind, on }) => kind === "rollover" && on === "other");
  if (!reroll) return may.has("double") ? _("Roll, or double first") : _("Your roll");
  const dice = (reroll.faces ?? []).join("-");
  return may.has("double") ? _("Roll, double, or roll over their %(dice)s", { dice }) : _("Roll, or roll over their %(dice)s", { dice });
}
