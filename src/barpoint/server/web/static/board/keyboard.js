// The keyboard: arrows walk over everything on the board, and every action has a key.

/** @import {Spot, Box} from "./types.js" */

/** Keys and the kinds of action they stand for; the first one allowed is taken. @type {Record<string, string[]>} */
export const ACTION_KEYS = {
  r: ["roll"], d: ["double"], t: ["take"], p: ["pass"], b: ["beaver", "raccoon"], o: ["rollover"], k: ["keep"],
  j: ["object"], x: ["resign"], y: ["accept"], n: ["reject"],
};

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

/**
 * What the keyboard needs of a board.
 * @typedef {object} Keys
 * @property {HTMLElement} host
 * @property {() => boolean} everywhere  keys count also while nothing on the page has the focus
 * @property {(key: string) => void} walk
 * @property {Spot} focusSpot
 * @property {(spot: Spot) => void} activate
 * @property {() => void} commit
 * @property {() => void} takeBackLast
 * @property {() => void} release
 * @property {() => void} openCommands
 * @property {(kinds: string[]) => boolean} act
 */

/** @param {Keys} keys @returns {() => void} stops listening */
export function listenToKeys(keys) {
  /** @param {KeyboardEvent} event */
  const handle = (event) => {
    const target = /** @type {Element} */ (event.composedPath()[0] ?? event.target);
    const inside = keys.host.contains(target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!inside && !(keys.everywhere() && (target === document.body || target === document.documentElement))) return;
    if (target.closest("input, textarea, select, [contenteditable], dialog")) return;
    const button = target.closest("button, a, summary") !== null;
    const special = target.closest("[data-lamp], [data-split]");
    const { key } = event;
    if (key.startsWith("Arrow")) keys.walk(key);
    else if (key === " " || key === "Enter") {
      if (button) return;
      if (special) special.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      else if (key === " ") keys.activate(keys.focusSpot);
      else keys.commit();
    } else if (key === "Backspace") keys.takeBackLast();
    else if (key === "Escape") keys.release();
    else if (key === "/") keys.openCommands();
    else {
      const kinds = ACTION_KEYS[key.toLowerCase()];
      if (!kinds || event.repeat || !keys.act(kinds)) return;
    }
    event.preventDefault();
  };
  document.addEventListener("keydown", handle);
  return () => document.removeEventListener("keydown", handle);
}
