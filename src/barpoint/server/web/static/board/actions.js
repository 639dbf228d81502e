// The buttons that a view allows, with the stakes in words, and the line that says what is going on.

/** @import {Allowed, View} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
import { continuations } from "./split.js";
import { edgesAt } from "./state.js";

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
 * @property {Resignation[]} levels  of a resignation
 */

/** @param {import("./types.js").Count} count */
const points = (count) => (count === 1 ? "1 point" : `${count} points`);

/** @type {Record<string, (allowed: Allowed, view: View) => Partial<Action>>} */
const WORDS = {
  roll: () => ({ label: "Roll", key: "R", primary: true }),
  double: ({ value }, view) => ({
    label: (view.cube?.value ?? 1) > 1 ? "Redouble" : "Double", detail: value ? `to ${value}` : "", key: "D",
    event: { kind: "double" } }),
  take: ({ value }) => ({ label: "Take", detail: `play for ${value}`, key: "T", primary: true, event: { kind: "take" } }),
  pass: ({ points: [lost] = [] }) => ({ label: "Pass", detail: lost ? `lose ${points(lost)}` : "", key: "P" }),
  beaver: ({ value }) => ({ label: "Beaver", detail: `cube to ${value}, keep it`, key: "B", event: { kind: "beaver" } }),
  raccoon: ({ value }) => ({ label: "Raccoon", detail: `cube to ${value}`, key: "B", event: { kind: "raccoon" } }),
  rollover: (allowed, view) => ({
    label: allowed.by ? `${view.labels[allowed.by]}: roll over` : "Roll over",
    detail: `${allowed.by ? "" : allowed.on === "own" ? "my " : `${view.labels.far}’s `}${(allowed.faces ?? []).join("-")}`,
    key: "O", event: { kind: "rollover", roll: allowed.roll } }),
  keep: () => ({ label: "Let it stand", key: "K", primary: true }),
  resign: (allowed) => ({ label: "Resign", key: "X", event: null, levels: resignations(allowed) }),
  accept: ({ points: [won] = [] }) => ({ label: "Accept", detail: won ? `win ${points(won)}` : "", key: "Y", primary: true }),
  reject: () => ({ label: "Reject", detail: "play on", key: "N" }),
  next: () => ({ label: "Next game", primary: true }),
  object: ({ by }, view) => ({ label: "Object", detail: `${by ? `${view.labels[by]}: ` : ""}not a legal play`, key: "J" }),
  abort: (_, view) => view.result ? { label: "End the session" } : { label: "Leave", detail: "nothing is lost" },
};

/** How often the one number that is left can still be played. */
const TIMES = ["", "", " twice", " three times", " four times"];

/** Why the turn cannot be ended yet; empty when it can. @param {TurnInProgress} turn */
export function reasonToWait(turn) {
  if (turn.mayCommit) return "";
  if (turn.waiting) return "The next part of this roll is on its way";
  if (turn.byHand && !edgesAt(turn.view, turn.now.node).length) return "Not a legal play; the other side may object";
  const ways = continuations(turn.view, turn.now.node);
  const numbers = [...new Set(ways[0] ?? [])].sort((a, b) => b - a);
  if (ways.length !== 1 || !numbers.length) return turn.made.length ? "Play the rest of the roll" : "Play your roll";
  const times = numbers.length === 1 ? TIMES[ways[0].length] ?? "" : "";
  return `${numbers.join(" and ")} can still be played${times}`;
}

/** @param {TurnInProgress} turn @returns {Action[]} */
export function actionsFor(turn) {
  const { view } = turn;
  return view.allowed.map((allowed) => {
    const { kind } = allowed;
    const plain = { kind, label: kind[0].toUpperCase() + kind.slice(1), detail: "", key: "", primary: false, reason: "",
      event: /** @type {Record<string, unknown> | null} */ ({ kind }), levels: /** @type {Resignation[]} */ ([]) };
    const by = allowed.by ? { by: allowed.by } : {};
    if (kind === "play" && turn.byHand) {
      return { ...plain, label: "End turn", detail: turn.made.length ? "not a legal play" : "without a move", key: "Enter",
        event: { kind, moves: turn.made, ...by } };
    }
    if (kind === "play" || kind === "correct") {
      const empty = turn.made.length === 0 && turn.mayCommit;
      return { ...plain, label: empty ? "No play" : "Done", detail: empty ? "pass the turn" : "", key: "Enter", primary: true,
        reason: reasonToWait(turn), event: { kind, moves: turn.made, ...by } };
    }
    const words = WORDS[kind];
    const action = words ? { ...plain, ...words(allowed, view) } : plain;
    return { ...action, event: action.event && { ...action.event, ...by } };
  });
}

const LEVELS = ["", "a single game", "a gammon", "a backgammon"];

/** What may be resigned, with what the server says that costs. @param {Allowed} allowed @returns {Resignation[]} */
export function resignations({ levels = [], points: costs = [] }) {
  return levels.map((level, index) => ({ level, name: LEVELS[level] ?? `level ${level}`, cost: points(costs[index]) }));
}

/** One line that says what is going on and what is asked. @param {TurnInProgress} turn @returns {string} */
export function statusText(turn) {
  const { view } = turn;
  const may = new Set(view.allowed.map((allowed) => allowed.kind));
  const { far } = view.labels;
  if (view.result) {
    const name = view.result.winner ? view.labels[view.result.winner] : null;
    return view.result.how || (name ? `${name} ${name === "You" ? "win" : "wins"} ${points(view.result.points)}` : "A draw");
  }
  if (view.roll) return rollText(view, may);
  if (may.has("take")) return `${view.cube?.offered ? view.labels[view.cube.offered.by] : far} offers the cube at ${view.cube?.offered?.value ?? ""}`;
  if (view.cube?.offered) return `${view.labels[view.cube.offered.by]} offered the cube at ${view.cube.offered.value}`;
  if (may.has("accept")) return view.last?.text || `${far} resigns`;
  const rerolled = view.last?.kind === "rollover" && view.last.text ? `${view.last.text}. ` : "";
  return rerolled + promptText(turn, may);
}

/** Which real dice are to be rolled. @param {View} view @param {Set<string>} may */
function rollText(view, may) {
  if (!view.roll?.of) return "Each side rolls one die to start";
  const who = view.labels[view.roll.of];
  return may.has("object") ? `${who} may object, or accept by rolling` : `${who} to roll${may.has("double") ? ", or to double first" : ""}`;
}

/** What somebody else is to do. @type {Record<string, string>} */
const AWAITED = { to_roll: "roll", must_reroll: "roll again", doubled: "answer", resigned: "answer", provisional_end: "let the roll stand or reroll it",
  to_correct: "correct the play" };

/** What is asked of the viewer, or who is to act. @param {TurnInProgress} turn @param {Set<string>} may */
function promptText(turn, may) {
  const { view } = turn;
  if (turn.open) {
    if (turn.made.length === 0 && turn.mayCommit) return "Nothing can be played";
    return turn.mayCommit ? "" : reasonToWait(turn);
  }
  if (may.has("roll")) return may.has("double") ? "Roll, or double first" : "Your roll";
  if (may.has("keep")) return `${view.labels.far} has borne off: let the roll stand, or reroll it`;
  if (view.to_act) return view.labels[view.to_act] === "You" ? "" : `${view.labels[view.to_act]} to ${AWAITED[view.phase] ?? "play"}`;
  return "";
}
