// The keyboard: arrows walk over everything on the board, and every action has a key.

/** @import {Spot, Box} from "./types.js" */
import { _ } from "./language.js";

/**
 * A key: as the browser calls it, what is written on it, what it does in words, and what it does.
 * @typedef {{keys: string[], name: string, does: string, run: (keys: Keys, key: string) => void}} KeyUse
 */

/** Keys of the walk over the board and of the moves. @type {KeyUse[]} */
export const KEYS = [
  { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], name: _("Arrows"), does: _("walk over points, bar, trays, dice and cube"),
    run: (keys, key) => keys.walk(key) },
  { keys: [" "], name: _("Space"), does: _("lift a checker, or drop it"), run: (keys) => keys.activate(keys.focusSpot) },
  { keys: ["Backspace"], name: "Backspace", does: _("take the last move back"), run: (keys) => keys.takeBackLast() },
  { keys: ["Escape"], name: "Esc", does: _("put a checker down"), run: (keys) => keys.release() },
  { keys: ["Enter"], name: "Enter", does: _("end the turn, or start the next game"), run: (keys) => keys.commit() },
  { keys: ["l", "L"], name: "L", does: _("say where all checkers are, pips, cube and score"), run: (keys) => keys.answer("board") },
  { keys: ["w", "W"], name: "W", does: _("say score and cube"), run: (keys) => keys.answer("score") },
  { keys: ["i", "I"], name: "I", does: _("say what the dice show"), run: (keys) => keys.answer("dice") },
  { keys: ["m", "M"], name: "M", does: _("say the last play"), run: (keys) => keys.answer("last") },
  { keys: ["c", "C"], name: "C", does: _("say how much time is left"), run: (keys) => keys.answer("clock") },
  { keys: ["/"], name: "/", does: _("open the command box"), run: (keys) => keys.openCommands() },
  { keys: ["?"], name: "?", does: _("list the keys"), run: (keys) => keys.showKeys() },
];

/** Keys of the actions, with the kinds they stand for; the first kind allowed is taken.
 * @type {{key: string, kinds: string[], does: string}[]} */
export const ACTION_KEYS = [
  { key: "R", kinds: ["roll"], does: _("roll") },
  { key: "D", kinds: ["double"], does: _("double") },
  { key: "T", kinds: ["take"], does: _("take") },
  { key: "P", kinds: ["pass"], does: _("pass") },
  { key: "B", kinds: ["beaver", "raccoon"], does: _("beaver or raccoon") },
  { key: "O", kinds: ["rollover"], does: _("roll over") },
  { key: "K", kinds: ["keep"], does: _("let the roll stand") },
  { key: "J", kinds: ["object"], does: _("object to a play") },
  { key: "X", kinds: ["resign"], does: _("resign") },
  { key: "Y", kinds: ["accept"], does: _("accept") },
  { key: "N", kinds: ["reject"], does: _("reject") },
  { key: "G", kinds: ["next_board"], does: _("go to the next board that waits") },
];

/**
 * The place reached from another one by an arrow: the nearest in that direction, straight ahead before aside.
 * @param {Map<Spot, Box>} boxes  what can have the focus @param {Spot} from @param {string} key  ArrowLeft, …
 * @returns {Spot}
 */
export function neighbour(boxes, from, key) {
  const start = boxes.get(from);
  if (!start) return boxes.keys().next().value ?? from;
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const middle = (/** @type {Box} */ box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const here = middle(start);
  let best = from;
  let least = Infinity;
  for (const [spot, box] of boxes) {
    const there = middle(box);
    const ahead = (there.x - here.x) * right + (there.y - here.y) * down;
    if (spot === from || ahead <= 8) continue;
    const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * right);
    const beside = right ? overlap(start.y, start.height, box.y, box.height) : overlap(start.x, start.width, box.x, box.width);
    const cost = ahead + (beside ? aside * 0.2 : aside * 4 + 1000);
    if (cost < least) {
      least = cost;
      best = spot;
    }
  }
  return best;
}

/** @param {number} a @param {number} sizeA @param {number} b @param {number} sizeB */
const overlap = (a, sizeA, b, sizeB) => Math.min(a + sizeA, b + sizeB) - Math.max(a, b) > 1;

/** Keys that need the place with the focus: it is marked from the first of them on, until something is pressed by hand. */
const PLACED = new Set(["Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", " "]);

/** Keys that follow one another sooner than this are a word that somebody writes. */
const WORD_MS = 400;
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);
/** What a word is written with. Digits are none of it: pages enter dice and marks by them. */
const WRITES = /^(\D|Backspace|Dead|Process)$/u;
const LETTER = /^\p{L}$/u;

/** Tells a letter that is pressed alone from those of a word, which is meant for a field that has not the focus. */
class Words {
  constructor() {
    /** When something was written last. */
    this.at = -Infinity;
    this.inside = false;
    this.timer = 0;
  }

  /** Hears of each key before it acts. @param {KeyboardEvent} event */
  note({ key, repeat, timeStamp }) {
    if (repeat || MODIFIERS.has(key)) return;
    this.forget();
    this.inside = timeStamp - this.at < WORD_MS;
    if (WRITES.test(key)) this.at = timeStamp;
  }

  /** Lets the letter that was just noted act, unless it follows another key or another one follows it. @param {() => void} act */
  spare(act) {
    if (!this.inside) this.timer = setTimeout(act, WORD_MS);
  }

  forget() {
    clearTimeout(this.timer);
  }
}

/**
 * What the keyboard needs of a board.
 * @typedef {object} Keys
 * @property {HTMLElement} host
 * @property {() => boolean} everywhere  keys count also while the focus is elsewhere on the page, or nowhere
 * @property {() => boolean} letters  letters and signs do, too
 * @property {(key: string) => void} walk
 * @property {Spot} focusSpot
 * @property {(spot: Spot) => void} activate
 * @property {() => void} commit
 * @property {() => void} takeBackLast
 * @property {() => void} release
 * @property {(what: string) => void} answer  says what the board is asked for
 * @property {() => void} openCommands
 * @property {() => void} showKeys
 * @property {(kinds: string[]) => boolean} offers  whether one of these actions is there
 * @property {(kinds: string[]) => boolean} act
 */

/** What a key does now; null for nothing. @param {KeyboardEvent} event @param {Keys} keys @returns {(() => void) | null} */
function useOf({ key, repeat }, keys) {
  const use = KEYS.find((one) => one.keys.includes(key));
  if (use) return () => use.run(keys, key);
  const action = ACTION_KEYS.find((one) => one.key === key.toUpperCase());
  return action && !repeat && keys.offers(action.kinds) ? () => void keys.act(action.kinds) : null;
}

/** @param {Keys} keys @returns {() => void} stops listening */
export function listenToKeys(keys) {
  const words = new Words();
  /** @param {KeyboardEvent} event */
  const handle = (event) => {
    if (PLACED.has(event.key)) keys.host.removeAttribute("data-pointed");
    const target = /** @type {Element} */ (event.composedPath()[0] ?? event.target);
    const inside = keys.host.contains(target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const alone = target === document.body || target === document.documentElement;
    // Elsewhere on the page, letters have no use of their own; arrows, Space and the like have.
    if (!inside && !(keys.everywhere() && (/^[^ ]$/.test(event.key) ? keys.letters() : alone))) return;
    if (target.closest("input, textarea, select, [contenteditable], dialog[open]")) return;  // a closed one keeps the focus until the next frame
    const button = target.closest("button, a, summary") !== null;
    const special = target.closest("[data-lamp], [data-split]");
    const { key } = event;
    const press = key === " " || key === "Enter";
    if (press && button) return;
    const act = press && special ? () => special.dispatchEvent(new MouseEvent("click", { bubbles: true })) : useOf(event, keys);
    if (!act) return;
    event.preventDefault();
    if (inside || !LETTER.test(key)) act();
    else if (!event.repeat) words.spare(act);
  };
  const note = (/** @type {KeyboardEvent} */ event) => words.note(event);
  const pointed = () => keys.host.setAttribute("data-pointed", "");
  document.addEventListener("keydown", note, true);
  document.addEventListener("keydown", handle);
  document.addEventListener("pointerdown", pointed, true);
  return () => {
    words.forget();
    document.removeEventListener("keydown", note, true);
    document.removeEventListener("keydown", handle);
    document.removeEventListener("pointerdown", pointed, true);
  };
}
