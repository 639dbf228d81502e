// What the board says to screen readers: names of places, and announcements of what the other side did.

/** @import {Spot, View, Side, Move} from "./types.js" */
/** @import {TurnInProgress} from "./turn.js" */
/** @import {Layout} from "./geometry.js" */
import { actionsFor, offerText, statusText, winText } from "./actions.js";
import { keyOf } from "./key.js";
import { N_, _, listed, ngettext } from "./language.js";
import { placeName, runText, undoText } from "./move_text.js";
import { BAR, OFF, countAt, isYou, meeting, opponent, told } from "./state.js";

const NUMBERS = [N_("no checkers"), N_("one checker"), N_("two checkers"), N_("three checkers"), N_("four checkers"), N_("five checkers"),
  N_("six checkers"), N_("seven checkers"), N_("eight checkers"), N_("nine checkers"), N_("ten checkers"), N_("eleven checkers"),
  N_("twelve checkers"), N_("thirteen checkers"), N_("fourteen checkers"), N_("fifteen checkers")];

/** @param {number} count */
const checkers = (count) => _(NUMBERS[count] ?? String(count));

/** @param {View} view @param {Side} side */
const owner = (view, side) => told(view, side, N_("yours"), N_("%(player)s’s"));

/** @param {TurnInProgress} turn @param {number} place */
function moveList(turn, place) {
  const parts = turn.destinations(place).filter(({ free }) => !free).map(({ to, choices }) => {
    const numbers = choices[0].map((move) => move[2]);
    return _("%(place)s with the %(numbers)s", { place: placeName(to), numbers: listed(numbers.map(String)) });
  });
  return parts.length ? `; ${_("moves: %(moves)s", { moves: parts.join(", ") })}` : "";
}

/**
 * Names of all places that have one at the moment. Points are called by near's numbers.
 * @param {TurnInProgress} turn @param {Layout} layout
 * @param {{to: Set<Spot>, back: Map<Spot, string>, from: Spot | null}} lifted
 * @returns {Map<Spot, string>}
 */
export function spotNames(turn, layout, lifted) {
  const { view } = turn;
  const { position } = turn.now;
  /** @type {Map<Spot, string>} */
  const names = new Map();
  const liftable = turn.liftable();
  for (const spot of layout.boxes.keys()) {
    if (spot === "cube") continue;
    const parts = [];
    for (const side of /** @type {Side[]} */ (["near", "far"])) {
      const place = layout.place(side, spot);
      if (place === null) continue;
      const count = countAt(position[side], place);
      if (spot.startsWith("p")) {
        if (count) parts.push(`${checkers(count)}, ${owner(view, side)}${position[side].pinned.includes(place) ? `, ${_("pinned")}` : ""}`);
      } else {
        parts.push(`${checkers(count)}`);
      }
    }
    const own = layout.place(turn.side, spot);
    let name = spot.startsWith("p") ? _("%(point)s point, %(what)s", { point: spot.slice(1), what: parts.join("; ") || _("empty") }) : sideName(view, spot, parts[0]);
    if (lifted.from === spot) name += `; ${_("lifted")}`;
    if (lifted.to.has(spot)) name += `; ${_("can be played here")}`;
    else if (lifted.back.has(spot)) name += `; ${lifted.back.get(spot)}`;
    else if (own !== null && liftable.has(own)) name += moveList(turn, own) || `; ${_("can be taken back")}`;
    names.set(spot, name);
  }
  return names;
}

/** @param {View} view @param {Spot} spot @param {string} count */
function sideName(view, spot, count) {
  const [kind, side] = spot.split("-");
  const [you, they] = { bar: [N_("your bar, %(count)s"), N_("%(player)s’s bar, %(count)s")], off: [N_("your tray, %(count)s borne off"), N_("%(player)s’s tray, %(count)s borne off")],
    hand: [N_("your hand, %(count)s"), N_("%(player)s’s hand, %(count)s")] }[kind] ?? ["", ""];
  return told(view, /** @type {Side} */ (side), you, they, { count });
}

/** @param {View["dice"]} dice */
export function diceText(dice) {
  if (!dice) return "";
  const [face] = dice.faces;
  return dice.kind === "1d12" ? _("%(face)s on the twelve-sided die", { face }) : dice.faces.join("-");
}

/** Who plays which roll without having rolled it. @param {View} view */
export const goesOnText = (view) => told(view, view.dice?.of ?? "far", N_("You go on with %(faces)s"), N_("%(player)s goes on with %(faces)s"), { faces: diceText(view.dice) });

/** What a lifted checker can do. @param {TurnInProgress} turn @param {number} place */
export function liftText(turn, place) {
  const lights = turn.lights(place).map(({ moves }) => `; ${undoText(moves)}`);
  return `${_("%(place)s lifted", { place: placeName(place) })}${moveList(turn, place)}${lights.join("")}.`;
}

/** What moves just tried did, and what is left to do. @param {TurnInProgress} turn @param {Move[]} moves @param {string} left */
export function triedText(turn, moves, left) {
  const hits = turn.now.effects.slice(-moves.length).filter((effect) => effect === 1).length;
  const hit = hits ? `, ${ngettext("a hit", "%(num)s hits", hits)}` : "";
  return `${runText(moves)}${hit}. ${left || _("The play can be ended")}.`;
}

/** "2 on 24, 3 on the bar": all checkers of a side by near's numbers. @param {TurnInProgress} turn @param {Side} side */
function placesText(turn, side) {
  const position = turn.now.position[side];
  const parts = [];
  const counted = (/** @type {number} */ count, /** @type {string} */ text) => count && parts.push(_(text, { count }));
  counted(position.hand, N_("%(count)s still to enter"));
  counted(position.points[BAR], N_("%(count)s on the bar"));
  for (let point = 24; point >= 1; point -= 1) {
    const place = side === "near" ? point : meeting(turn.view.meets, "near", point);
    const count = position.points[place];
    if (count) parts.push(`${_("%(count)s on %(point)s", { count, point })}${position.pinned.includes(place) ? `, ${_("pinned")}` : ""}`);
  }
  counted(position.points[OFF], N_("%(count)s off"));
  return parts.join(", ");
}

/** Where all checkers are, the moves that were tried included. @param {TurnInProgress} turn */
export function positionText(turn) {
  const { view } = turn;
  return /** @type {Side[]} */ (["near", "far"]).map((side) => told(view, side, N_("You: %(places)s."), N_("%(player)s: %(places)s."), { places: placesText(turn, side) })).join(" ");
}

/** Which of the viewer's checkers a play of the other side has hit or pinned, by the viewer's numbers.
 * @param {View} view @param {Side} by @param {string} play */
function struckText(view, by, play) {
  const side = opponent(by);
  if (isYou(view, by) || !isYou(view, side)) return "";
  const points = [...play.matchAll(/(\d+)\*/g)].map(([, point]) => meeting(view.meets, side, Number(point)));
  if (!points.length) return "";
  const pinned = points.every((point) => view[side].pinned.includes(point));
  return pinned ? ngettext("Your checker on %(points)s is pinned", "Your checkers on %(points)s are pinned", points.length, { points: listed(points.map(String)) })
    : ngettext("Your checker on %(points)s is hit", "Your checkers on %(points)s are hit", points.length, { points: listed(points.map(String)) });
}

/** Whether a view shows a roll that the one before did not. @param {View | null} before @param {View} view */
export function isNewRoll(before, { dice, near, far }) {
  return dice !== null && (!before?.dice || JSON.stringify([before.dice.faces, before.dice.of, before.near, before.far]) !==
    JSON.stringify([dice.faces, dice.of, near, far]));
}

/** @param {View} view @param {Side} by @param {import("./types.js").Last} last */
function playText(view, by, { text, moves = [] }) {
  const play = text || moves.map((move) => runText([move])).join(" ");
  return moves.length ? told(view, by, N_("You play %(play)s"), N_("%(player)s plays %(play)s"), { play })
    : told(view, by, N_("You cannot play"), N_("%(player)s cannot play"));
}

/** The play that a view shows as the newest event, with its roll; empty where the event is no play. @param {View} view */
export function playedText(view) {
  const { last } = view;
  if (last?.kind !== "play" || !last.by) return "";
  return `${last.faces ? `${last.faces.join("-")}: ` : ""}${playText(view, last.by, last)}.`;
}

/**
 * What is worth saying about a new view: the other side's roll and play, one's own roll, the cube, the end.
 * @param {View | null} before @param {View} view @returns {string}
 */
export function announcement(before, view) {
  const said = [];
  const { last } = view;
  const how = view.result && !before?.result ? view.result.how : "";
  if (last && keyOf(last) !== keyOf(before?.last ?? null)) {
    if (last.kind === "play" && last.by) {
      said.push(playText(view, last.by, last), struckText(view, last.by, last.text ?? ""));
    } else if (last.kind !== "roll" && last.text && !how.includes(last.text)) said.push(last.text);
  }
  const { dice } = view;
  if (dice && isNewRoll(before, view)) said.push(dice.follows ? goesOnText(view)
    : told(view, dice.of, N_("You roll %(faces)s"), N_("%(player)s rolls %(faces)s"), { faces: diceText(dice) }));
  const offered = view.cube?.offered;
  if (offered && !before?.cube?.offered && !said.length) said.push(offerText(view, offered.by, offered.value));
  if (view.result && !before?.result) {
    const { winner } = view.result;
    said.push(how || (winner ? winText(view, winner) : _("The game is drawn")));
  }
  return said.filter(Boolean).map((text) => `${text}.`).join(" ");
}

/** What tells one question to the viewer from another. @param {View} view */
const askedKey = ({ to_act, phase, allowed, dice }) => JSON.stringify([to_act, phase, allowed.map(({ kind }) => kind), dice?.faces]);

/** The answers to a double or a resignation, with what each costs or wins. @param {TurnInProgress} turn */
function answersText(turn) {
  const answers = actionsFor(turn).filter(({ kind }) => ["take", "pass", "beaver", "raccoon", "accept", "reject"].includes(kind));
  return answers.map(({ label, detail }) => (detail ? `${label}: ${detail}.` : `${label}.`)).join(" ");
}

/** How many checkers have to enter first, when a turn begins. @param {View | null} before @param {View} view */
function barText(before, view) {
  const { to_act: side } = view;
  const count = side && isYou(view, side) && before?.to_act !== side ? view[side].points[BAR] : 0;
  return count ? ` ${ngettext("%(num)s checker on your bar.", "%(num)s checkers on your bar.", count)}` : "";
}

/** That the viewer's own roll may be rolled over, before any of it is played. @param {TurnInProgress} turn */
function rerollText({ made, view }) {
  const own = made.length ? undefined : view.allowed.find(({ kind, on, by }) => kind === "rollover" && on === "own" && !by);
  return own ? ` ${_("You may roll over your %(dice)s.", { dice: (own.faces ?? []).join("-") })}` : "";
}

/**
 * Whose turn it is now, and what is asked, where that has changed; empty where the announcement has said it.
 * @param {View | null} before @param {TurnInProgress} turn @param {string} said @returns {string}
 */
export function askedText(before, turn, said) {
  const { view } = turn;
  if (view.result || (before && askedKey(before) === askedKey(view))) return "";
  const theirs = view.to_act && !isYou(view, view.to_act) ? view.to_act : null;
  if (theirs && view.dice?.of === theirs && isNewRoll(before, view)) return ""; // whoever rolls is to play
  const answers = theirs ? "" : answersText(turn);
  if (answers && said) return answers;
  if (theirs && said && view.cube?.offered) return ""; // that it was offered has just been said
  const happened = view.last?.text;
  const asked = statusText(turn);
  const rest = happened && said.includes(happened) && asked.startsWith(`${happened}. `) ? asked.slice(happened.length + 2) : asked;
  return rest && !said.includes(rest) ? `${rest}.${barText(before, view)}${rerollText(turn)}` : answers;
}
