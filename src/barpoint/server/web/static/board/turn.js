// A turn in progress: the view as given, the moves tried on top of it, and what the player chose (which number first,
// which split). It survives views of the same turn, so that an echo of an older draft never takes a move away.

/** @import {Move, Side, SidePosition, View, Destination, Light} from "./types.js" */
import { BAR, destinations, freeAfter, lights, mayCommit, moveOf, quickMove, sources, walk } from "./state.js";
import { offeredBy, openSplits, remaining, shownNumbers, stageNumbers, turnedTo } from "./split.js";

export class TurnInProgress {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    /** @type {Move[]} */
    this.made = view.turn ? [...view.turn.made] : [];
    /** which of the different numbers comes first */
    this.first = 0;
    /** @type {number[] | null} */
    this.split = null;
    this.seen = new Set([JSON.stringify(this.made)]);
    if (!walk(view, this.made).legal) this.made = [];
  }

  /** Takes a newer view; keeps the moves tried when it is the same turn with no draft but those sent from here. @param {View} view */
  adopt(view) {
    const incoming = view.turn ? view.turn.made : [];
    const same = this.view.turn !== null && view.turn !== null && turnKey(this.view) === turnKey(view);
    const echo = same && this.seen.has(JSON.stringify(incoming)) && walk(view, this.made).legal;
    const sameChoices = same && JSON.stringify(this.view.dice) === JSON.stringify(view.dice);
    this.view = view;
    if (!echo) this.made = walk(view, incoming).legal ? [...incoming] : [];
    if (!same) this.seen.clear();
    this.seen.add(JSON.stringify(this.made));
    if (!sameChoices) {
      this.split = null;
      if (!same) this.first = 0;
    }
  }

  /** Whether the viewer may try moves now. */
  get open() {
    return Boolean(this.view.turn && this.view.to_act && this.view.allowed.some(({ kind }) => kind === "play" || kind === "correct"));
  }

  /** @returns {Side} the side whose checkers are moved */
  get side() {
    return this.view.to_act ?? "near";
  }

  get now() {
    return walk(this.view, this.made);
  }

  /** Whether more of the turn will be told once the moves so far have been sent. */
  get waiting() {
    return this.open && this.now.node < 0;
  }

  /** Pips to go of each side with the moves tried so far. */
  get pips() {
    const { near, far, pips } = this.view;
    const { position } = this.now;
    return { near: pips.near + weight(position.near) - weight(near), far: pips.far + weight(position.far) - weight(far) };
  }

  get mayCommit() {
    return this.open && mayCommit(this.view, this.now.node);
  }

  /** Whether the turn may be ended here by hand, at a real board, although it is no legal play. */
  get byHand() {
    return this.open && !this.waiting && !this.mayCommit && this.view.turn?.free !== undefined;
  }

  /** Numbers in the order in which the player wants them. */
  get order() {
    const { dice } = this.view;
    if (!dice) return [];
    const numbers = this.split ?? shownNumbers(dice, this.made, 0).map((shown) => shown.number);
    const distinct = [...new Set(dice.alternatives.length === 1 && !this.split ? dice.alternatives[0] : numbers)];
    return turnedTo(distinct, this.first);
  }

  get offered() {
    return offeredBy(this.view, this.made, this.split);
  }

  /** @param {number} place @returns {Destination[]} */
  destinations(place) {
    if (!this.open) return [];
    const found = destinations(this.view, this.made, place, this.order, this.offered);
    const known = new Set(found.map(({ to }) => to));
    const free = freeAfter(this.view, this.made).filter((edge) => edge[0] === place && !known.has(edge[1]));
    return [...found, ...free.map((edge) => ({ to: edge[1], choices: [[moveOf(edge)]], free: true }))];
  }

  /** @param {number} place @returns {Light[]} */
  lights(place) {
    return this.open ? lights(this.view, this.made, place) : [];
  }

  /** @param {number} place */
  quickMove(place) {
    return this.open ? quickMove(this.view, this.made, place, this.order, this.offered) : null;
  }

  /** Places of the mover from which a checker can be lifted: to move on, or to be taken back. @returns {Set<number>} */
  liftable() {
    if (!this.open) return new Set();
    const { node } = this.now;
    const free = freeAfter(this.view, this.made).map((edge) => edge[0]);
    const places = [...sources(this.view, node), ...free].filter((place) => this.destinations(place).length);
    const arrived = new Set(this.made.map((move) => move[1]));
    for (const place of arrived) if (place !== BAR && this.lights(place).length) places.push(place);
    return new Set(places);
  }

  /** @returns {{numbers: number[], left: number[], open: boolean, chosen: boolean}[]} */
  splits() {
    const { dice } = this.view;
    if (!this.open || !dice || dice.alternatives.length < 2) return [];
    const open = openSplits(this.view, this.made, this.now.node);
    const played = stageNumbers(dice, this.made);
    return dice.alternatives.map((numbers, index) => ({
      numbers,
      left: remaining(numbers, played) ?? numbers,
      open: open[index],
      chosen: this.split !== null && this.split.join() === numbers.join(),
    }));
  }

  /** @param {Move[]} moves */
  move(moves) {
    this.become([...this.made, ...moves]);
  }

  /** @param {Move[]} made */
  become(made) {
    this.made = made;
    this.seen.add(JSON.stringify(made));
    const chosen = this.splits().find((split) => split.chosen);
    if (chosen && !chosen.open) this.split = null;
  }

  /** @param {number} index of a split; choosing the chosen one again sets everything free */
  choose(index) {
    const split = this.splits()[index];
    if (!split || !split.open) return false;
    this.split = split.chosen ? null : split.numbers;
    return true;
  }
}

/** Every checker times the distance it has to go. @param {SidePosition} side */
const weight = (side) => side.points.reduce((sum, count, place) => sum + count * place, side.hand * BAR);

/** What tells one turn, or one roll of a turn, from another. @param {View} view */
const turnKey = (view) => JSON.stringify([view.near, view.far, view.to_act, view.dice?.faces, view.dice?.of]);
