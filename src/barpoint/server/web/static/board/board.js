// <bg-board>: a board that knows no rules. It is given a view with what may be played, and gives back events (docs/board.md).
//
//   const board = document.querySelector("bg-board");
//   board.options = {mirror: true};
//   board.set(view);
//   board.addEventListener("bg-event", (event) => send(event.detail));
//   board.addEventListener("bg-draft", (event) => store(event.detail.moves));

/** @import {Move, Options, Shown, Side, View, Place} from "./types.js" */
/** @import {Action} from "./actions.js" */
/** @import {Picture} from "./render.js" */
/** @import {Roster} from "./checker.js" */
/** @import {Arrow} from "./arrow.js" */
import { announcement, askedText, playedText } from "./access.js";
import { actionsFor, statusText } from "./actions.js";
import { Motion, PACE } from "./animation.js";
import { drawArrows } from "./arrow.js";
import { automaticEvent } from "./automatic.js";
import { fits, layOut, settle, tracesOf } from "./checker.js";
import { CHECKER, Layout } from "./geometry.js";
import { keyOf } from "./key.js";
import { listenToKeys } from "./keyboard.js";
import { _ } from "./language.js";
import { commandBox, drawActions, drawPlate } from "./panel.js";
import { Paint } from "./paint.js";
import { pictureOf } from "./picture.js";
import { Player } from "./player.js";
import { listenToPointer } from "./pointer.js";
import { Scene } from "./render.js";
import { listenToSecondFinger } from "./second_finger.js";
import { SetUp } from "./set_up.js";
import { shownFirst, shownLanding, shownLast } from "./shown.js";
import { StatusLine } from "./status_line.js";
import { html, set, svg } from "./svg.js";
import { TurnInProgress } from "./turn.js";

/** @type {Options} */
const DEFAULTS = { mirror: false, flip: false, near: "light", pool: false, numbers: true, movable: false, click: false, commands: false, pips: true, keys: true, letters: true,
  forced: false, pass: false, bearoff: false, roll: "never", controls: true, setup: "", speed: "normal", confirm: false };
const SIDES = /** @type {Side[]} */ (["near", "far"]);
const COMPACT_BELOW_PX = 600;
/** A phone held flat: names and buttons stand beside the board. */
const BESIDE = "(max-height: 500px) and (orientation: landscape)";
const AUTOMATIC_MS = 500;
/** How long the other side's roll, or a rerolled roll, stays in view before what follows it moves. */
const READ_MS = 600;
/** With more views than this waiting, they are shown without motion. */
const MANY = 3;
/** How many lines stand in the live region, so that one which follows quickly does not take away another unread. */
const SAID_KEPT = 4;
/** A second press of the same button within this time is a slip of the finger. */
const TWICE_MS = 400;

export class BarpointBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Options} */
    this.chosen = { ...DEFAULTS };
    /** @type {TurnInProgress | null} */
    this.turn = null;
    /** @type {Roster | null} */
    this.roster = null;
    /** @type {View[]} views that wait for what moves */
    this.queue = [];
    this.busy = false;
    /** Ends once nothing waits or moves. */
    this.working = Promise.resolve();
    /** Somebody does not want to wait for what moves. */
    this.hasty = false;
    /** Ends the time in which a roll is read. */
    this.readOn = () => {};
    this.poolSeen = false;
    /** @type {Picture["traces"]} */
    this.traces = [];
    /** @type {{key: string, view: View | undefined, at: number} | null} */
    this.sent = null;
    /** @type {Arrow[]} */
    this.pointed = [];
    this.motion = new Motion();
    this.motion.landed = (beats, index) => this.showing([shownLanding(beats, index)]);
    this.paint = new Paint();
    this.setUp = new SetUp(this);
    this.player = new Player(this);
    this.stage = svg("svg", { class: "bg-svg", role: "application", "aria-roledescription": _("backgammon board"), "aria-label": _("Board"),
      "aria-description": _("Arrows walk over the board, Space lifts and drops, Backspace takes back, Enter ends the turn") });
    this.plates = { near: html("div", { class: "bg-plate" }), far: html("div", { class: "bg-plate" }) };
    /** What a page adds to the row of each player: a clock, a rating. */
    this.rows = { near: html("span", { class: "bg-row" }), far: html("span", { class: "bg-row" }) };
    /** What a page adds to the buttons. @type {Action[]} */
    this.offered = [];
    /** The last play, in words; "" before the first one. */
    this.played = "";
    /** The time that each side has left, in words; the page sets it where there is a clock. @type {() => string} */
    this.clockText = () => "";
    this.line = new StatusLine(this);
    this.buttons = html("div", { class: "bg-actions", role: "group", "aria-label": _("Actions") });
    /** Not read aloud: the line below the board says the same. */
    this.plate = html("div", { class: "bg-result", "aria-hidden": "true", hidden: "" }, [html("p")]);
    this.voice = html("div", { class: "bg-voice", role: "status", "aria-live": "polite", "aria-atomic": "false" });
    this.commands = commandBox((line) => this.player.command(line), () => this.reach());
    this.frame = html("div", { class: "bg-stage" }, [this.stage]);
    this.foot = html("div", { class: "bg-foot" }, [this.line.element, this.buttons]);
    this.arrive = () => this.motion.finish();
    listenToPointer(this.player);
    listenToSecondFinger(this);
    this.frame.addEventListener("focusin", (event) => { // not at the drawing: Chromium lets Tab stop at an SVG that listens for the focus
      const spot = /** @type {Element} */ (event.target).getAttribute("data-spot");
      if (spot) this.player.focusSpot = spot;
    });
  }

  connectedCallback() {
    this.replaceChildren(this.frame, this.foot, this.commands.element, this.voice);
    this.stopKeys = listenToKeys(this.player);
    this.sizes = new ResizeObserver(() => this.relayout());
    this.sizes.observe(this);
    if (this.parentElement) this.sizes.observe(this.parentElement);
    document.addEventListener("visibilitychange", this.arrive);
    if (this.layout) this.placePlates(this.layout);
    this.relayout();
  }

  disconnectedCallback() {
    this.stopKeys?.();
    this.sizes?.disconnect();
    document.removeEventListener("visibilitychange", this.arrive);
    clearTimeout(this.timer);
    this.line.forgive();
    this.motion.finish();
  }

  /** @returns {Options} */
  get options() {
    return { ...this.chosen };
  }

  /** @param {Partial<Options>} options */
  set options(options) {
    this.chosen = { ...this.chosen, ...options };
    this.commands.show(this.chosen.commands);
    this.motion.pace = PACE[this.chosen.speed] ?? 1;
    this.style.setProperty("--bg-pace", String(this.motion.pace));
    this.toggleAttribute("data-movable", this.chosen.movable);
    this.toggleAttribute("data-setup", this.chosen.setup !== "");
    this.scene = undefined;
    this.relayout();
    this.playAutomatically();
  }

  /** Shows a view; views that come while something moves wait for it. @param {View} view @param {Partial<Options>} [options] */
  set(view, options) {
    if (options) this.options = options;
    this.queue.push(view);
    if (!this.busy) this.working = this.work();
  }

  /** Shows a view instead of those that wait: for somebody who steps through a match faster than checkers move. @param {View} view */
  jump(view) {
    this.queue = [];
    if (this.busy) this.motion.finish();
    this.set(view);
  }

  /** Moves to point at, on the position that is shown once nothing moves. @param {Arrow[]} arrows */
  set arrows(arrows) {
    this.pointed = arrows;
    if (this.busy) this.scene?.layers.arrows.replaceChildren();
    else this.redraw();
  }

  /** Whether nobody would see things move: the page is hidden, or too much waits, or somebody does not want to. */
  get hurried() {
    return document.hidden || this.hasty || this.queue.length > MANY;
  }

  /** Lets everything arrive at once. @returns {Promise<void>} ends when it has */
  hasten() {
    this.hasty = this.busy;
    this.motion.finish();
    this.readOn();
    return this.working;
  }

  async work() {
    this.busy = true;
    try {
      for (let view = this.queue.shift(); view; view = this.queue.shift()) await this.adopt(view);
    } finally {
      this.busy = this.hasty = false;
    }
    this.redraw();
    this.playAutomatically();
  }

  /** @param {View} view */
  async adopt(view) {
    const before = this.turn?.view ?? null;
    this.line.forgive();
    const seen = this.turn !== null && this.turn.made.length > 0;
    if (this.turn) this.turn.adopt(view);
    else this.turn = new TurnInProgress(view);
    const { last } = view;
    const news = last !== null && keyOf(last) !== keyOf(before?.last ?? null);
    const by = last?.by ?? null;
    // Moves that were shown while they were tried, here or by the other side, have moved their checkers already.
    const hints = before && news && by && last?.moves && !seen ? last.moves.map((move) => ({ side: by, move })) : [];
    if (hints.length) this.traces = this.layout && this.roster ? tracesOf(this.layout, this.roster, hints) : [];
    else if (news && last.kind === "play" || view.dice) this.traces = [];
    this.played = playedText(view) || this.played;
    const said = announcement(before, view);
    this.say(`${said} ${askedText(before, this.turn, said)}`.trim());
    this.player.keepLifted();
    if (before && !this.hurried) this.showing(shownFirst(before, view));
    await this.show(hints);
    if (before) this.showing(shownLast(before, view));
    if (before && news && this.queue.length && !this.hurried && ["roll", "rollover", "opening"].includes(last?.kind ?? "")) {
      await new Promise((done) => {
        this.readOn = () => done(undefined);
        setTimeout(done, READ_MS);
      });
    }
  }

  /** Draws everything; what has changed its place is seen to move. @param {{side: Side, move: Move}[]} hints @param {Map<string, Place>} [starts] */
  async show(hints, starts = new Map()) {
    const { turn } = this;
    if (!turn) return;
    this.relayout();
    const { position } = turn.now;
    if (!this.scene || !this.layout) {
      this.roster = layOut(position); // drawn once the board is part of a page
      return;
    }
    if (!this.roster || !fits(this.roster, position)) this.roster = layOut(position);
    const beats = settle(this.roster, position, turn.view.meets, hints);
    this.drawPanel(turn);
    const picture = pictureOf(turn, this.layout, this.roster, this.player.lifted, this.traces);
    await this.motion.play(this.scene, picture, this.hurried ? [] : beats, starts);
    this.scene.seatCheckers(this.roster);
    this.player.rove();
  }

  redraw() {
    if (!this.turn || !this.scene || !this.layout || !this.roster) return;
    this.drawPanel(this.turn);
    if (!this.busy) this.drawResult(this.turn);
    this.scene.update(pictureOf(this.turn, this.layout, this.roster, this.player.lifted, this.traces));
    this.scene.layers.arrows.replaceChildren(...drawArrows(this.pointed, this.layout, this.roster));
    this.player.rove();
  }

  /** @param {TurnInProgress} turn */
  drawPanel(turn) {
    const { near, controls, pips } = this.chosen;
    const crowded = this.layout?.settings.pool || turn.view.tokens || this.rows.near.childElementCount;
    this.toggleAttribute("data-two-lines", Boolean(controls && crowded) && this.hasAttribute("data-compact"));
    for (const side of SIDES) {
      const shade = (side === "near") === (near === "light") ? "light" : "dark";
      drawPlate(this.plates[side], turn.view, side, pips ? turn.pips[side] : null, shade, this.rows[side]);
    }
    this.foot.hidden = this.plates.near.hidden = this.plates.far.hidden = !controls;
    this.line.draw(turn);
    if (!turn.view.result) this.drawResult(turn);
    const focused = this.buttons.contains(document.activeElement);
    drawActions(this.buttons, this.actions, (action) => this.player.press(action));
    // A button that is gone leaves the keyboard on the board, not at the top of the page.
    if (focused && !this.buttons.contains(document.activeElement)) this.reach();
  }

  /** The plate with the result of a game: once nothing moves, until the next game. @param {TurnInProgress} turn */
  drawResult(turn) {
    const over = turn.view.result !== null;
    this.toggleAttribute("data-over", over);
    this.plate.hidden = !over;
    const [line] = this.plate.children;
    if (over && line.textContent !== statusText(turn)) line.textContent = statusText(turn);
  }

  /** The width there is. Not the board's own: a limit of its height narrows it in one layout and not in the other. */
  get room() {
    const around = this.parentElement;
    if (!around) return this.clientWidth;
    const { paddingLeft, paddingRight } = getComputedStyle(around);
    return around.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  }

  /** Chooses the layout for the width there is; draws the wood anew when it changes. */
  relayout() {
    const { turn } = this;
    if (!turn || !this.isConnected) return;
    const beside = matchMedia(BESIDE).matches;
    const compact = !beside && this.room < COMPACT_BELOW_PX;
    const { near, far, meets, turn: graph } = turn.view;
    this.poolSeen ||= near.hand + far.hand > 0 || Boolean(graph?.made.some((move) => move[0] === 26));
    const { mirror, flip, numbers } = this.chosen;
    const settings = { compact, mirror, flip, pool: this.chosen.pool || this.poolSeen, meets };
    if (this.toggleAttribute("data-beside", beside) !== this.wasBeside && this.layout) this.placePlates(this.layout);
    this.wasBeside = beside;
    if (this.scene && JSON.stringify(this.layout?.settings) === JSON.stringify(settings)) return;
    this.motion.finish();
    this.layout = new Layout(settings);
    const focused = this.stage.contains(document.activeElement);
    this.scene = new Scene(this.stage, this.layout, this.paint, numbers, this.chosen.near);
    this.toggleAttribute("data-compact", compact);
    set(this, { "data-near": this.chosen.near });
    this.toggleAttribute("data-picture", !this.chosen.controls);
    this.style.setProperty("--bg-ratio", String(this.layout.width / this.layout.height));
    this.placePlates(this.layout);
    this.player.keepLifted();
    this.redraw();
    if (focused) this.reach();
  }

  /** Names lie in the strips of a compact board, above and below a wide one. @param {Layout} layout */
  placePlates(layout) {
    for (const side of SIDES) {
      const box = layout.plateBox(side);
      const { style } = this.plates[side];
      const part = (/** @type {number} */ value, /** @type {number} */ whole) => `${((value / whole) * 100).toFixed(3)}%`;
      style.left = box ? part(box.x, layout.width) : "";
      style.width = box ? part(box.width, layout.width) : "";
      style.top = box ? part(box.y, layout.height) : "";
      style.height = box ? part(box.height, layout.height) : "";
      style.setProperty("--bg-line-start", box ? part(-box.x, box.width) : "");
      style.setProperty("--bg-line-size", box ? part(layout.width, box.width) : "");
      this.plates[side].classList.toggle("bg-upper", layout.atTop(side));
    }
    const bar = (layout.barLeft + CHECKER / 2) / layout.width;
    const reach = Math.min(bar, 1 - bar);
    this.plate.style.left = `${((bar - reach) * 100).toFixed(3)}%`;
    this.plate.style.width = `${(2 * reach * 100).toFixed(3)}%`;
    const [upper, lower] = layout.atTop("near") ? [this.plates.near, this.plates.far] : [this.plates.far, this.plates.near];
    if (layout.settings.compact) this.frame.replaceChildren(upper, this.stage, lower, this.plate);
    else if (this.hasAttribute("data-beside")) {
      this.frame.replaceChildren(this.stage, this.plate);
      this.foot.replaceChildren(upper, this.line.element, this.buttons, lower);
    } else {
      this.frame.replaceChildren(upper, this.stage, this.plate);
      this.foot.replaceChildren(lower, this.line.element, this.buttons);
    }
  }

  /** Gives the focus to the place of the board that Tab comes to. */
  reach() {
    this.player.rove();
    this.scene?.targets.get(this.player.focusSpot)?.focus({ preventScroll: true });
  }

  /** Lists the keys. */
  showKeys() {
    this.player.showKeys();
  }

  /** Says something aloud, after what is being read. @param {string} text */
  say(text) {
    if (!text) return;
    this.voice.append(html("div", {}, [text]));
    while (this.voice.children.length > SAID_KEPT) this.voice.children[0].remove();
  }

  /** Says why a tap does nothing. @param {string} reason @param {string} [before] what is said first, aloud only */
  refuse(reason, before = "") {
    if (reason && this.chosen.controls) this.line.refuse(reason, before);
  }

  /** Whether nothing can be done until what was pressed has been sent. */
  get held() {
    return this.line.held !== "";
  }

  /** What the buttons do now. */
  get actions() {
    const actions = this.turn && this.chosen.controls ? [...actionsFor(this.turn), ...this.offered] : [];
    return this.held ? actions.map((action) => ({ ...action, reason: this.line.held })) : actions;
  }

  /** Adds buttons of the page to those of the game. @param {Action[]} actions */
  offer(actions) {
    this.offered = actions;
    if (this.turn) this.drawPanel(this.turn);
  }

  /** Tells what is seen to happen. @param {(Shown | null)[]} shown */
  showing(shown) {
    for (const one of shown) if (one) this.tell("bg-shown", one);
  }

  /** @param {string} name @param {Record<string, unknown>} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** @param {Record<string, unknown>} event */
  send(event) {
    const key = JSON.stringify(event);
    if (this.sent?.key === key && this.sent.view === this.turn?.view && performance.now() - this.sent.at < TWICE_MS) return;
    this.sent = { key, view: this.turn?.view, at: performance.now() };
    this.player.letGo();
    this.line.forgive();
    this.tell("bg-event", event);
    this.redraw();
  }

  playAutomatically() {
    clearTimeout(this.timer);
    const { turn } = this;
    const event = turn && !this.busy && automaticEvent(turn, this.chosen);
    if (!event) return;
    this.timer = setTimeout(async () => {
      if (this.busy || this.turn !== turn || turn.made.length) return;
      if (event.kind === "play" && event.moves.length) await this.player.make(event.moves);
      this.send(event);
    }, AUTOMATIC_MS);
  }
}

if (!customElements.get("bg-board")) customElements.define("bg-board", BarpointBoard);
