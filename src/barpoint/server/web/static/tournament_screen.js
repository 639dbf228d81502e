// Fits a tournament to a big screen: the largest type with which everything has room and names stand whole. A list that is longer than a
// column goes on in the next one under its heading. Where even small type is too large, one page follows the other.

import { all, element, findIn } from "./dom.js";

const TURN_MS = 12_000;
const MOST_COLUMNS = 6;
const WIDE = matchMedia("(min-width: 60rem) and (min-height: 30rem)");

const live = findIn(document, ".live");

/** The columns; each update replaces them. */
const flow = () => findIn(live, ".flow");

/** The sections of an update as the server sent them. */
let sent = { flow: document.body, sections: /** @type {HTMLElement[]} */ ([]) };

function sections() {
  const now = flow();
  if (sent.flow !== now) sent = { flow: now, sections: [...all(":scope > section", now)] };
  return sent.sections;
}

/**
 * @typedef {{section: HTMLElement, items: HTMLElement[], head: number, heights: number[], tail: number}} Measured  heights in pixels
 */

/** What a section takes, measured in a column of the present width. @param {HTMLElement} section @returns {Measured} */
function measured(section) {
  const items = [...all("ol > li", section)];
  const { top, bottom } = section.getBoundingClientRect();
  const tops = items.map((item) => item.getBoundingClientRect().top);
  const ends = items.map((item) => item.getBoundingClientRect().bottom);
  const heights = tops.map((at, index) => (tops[index + 1] ?? ends[index] ?? at) - at);
  return { section, items, head: (tops[0] ?? bottom) - top, heights, tail: bottom - (ends.at(-1) ?? bottom) };
}

/** The items of a section in as few columns of this height as hold them, about as many in each. @param {Measured} one @param {number} height */
function split({ items, head, heights, tail }, height) {
  for (let count = 1; ; count++) {
    const many = Math.max(1, Math.ceil(items.length / count));
    const parts = [];
    for (let first = 0; first === 0 || first < items.length; first += many) {
      parts.push({ items: items.slice(first, first + many), height: head + tail + heights.slice(first, first + many).reduce((sum, one) => sum + one, 0) });
    }
    if (many === 1 || parts.every((part) => part.height <= height)) return parts;
  }
}

/** A part of a section, under its heading; the first alone is a landmark. @param {HTMLElement} section @param {HTMLElement[]} items @param {boolean} first @param {boolean} last */
function partOf(section, items, first, last) {
  const part = /** @type {HTMLElement} */ (section.cloneNode(true));
  const list = part.querySelector("ol");
  list?.replaceChildren(...items.map((item) => item.cloneNode(true)));
  if (!first) {
    part.removeAttribute("aria-labelledby");
    part.querySelector("h2")?.removeAttribute("id");
  }
  if (!last) for (const rest of all("ol ~ *", part)) rest.remove();
  return part;
}

/**
 * Lays everything out; returns how many columns it takes, and whether all names are whole.
 *
 * @param {number} size of the type in pixels
 * @param {number} columns beside each other
 */
function layOut(size, columns) {
  const place = flow(), found = sections();
  live.style.fontSize = `${size}px`;
  place.style.setProperty("--columns", String(columns));
  const trial = element("div", {});
  trial.append(...found);
  place.replaceChildren(trial);
  const measures = found.map(measured);
  const whole = [...all(".who-plays", trial)].every((name) => name.scrollWidth <= name.clientWidth);
  const [height, apart] = [place.clientHeight, columns >= found.length];
  /** @type {HTMLElement[]} */
  const stacks = [];
  let left = 0;
  for (const one of measures) {
    const parts = split(one, height);
    parts.forEach((part, index) => {
      if (!stacks.length || apart || parts.length > 1 || part.height > left) {
        stacks.push(element("div", {}));
        left = height;
      }
      stacks.at(-1)?.append(partOf(one.section, part.items, index === 0, index === parts.length - 1));
      left -= part.height;
    });
  }
  place.replaceChildren(...stacks);
  return { taken: stacks.length, whole };
}

function fit() {
  if (!WIDE.matches) {
    live.style.fontSize = "";
    flow().replaceChildren(...sections());
    return;
  }
  const [smallest, largest] = [innerHeight / 50, innerHeight / 20];
  const most = Math.min(MOST_COLUMNS, Math.max(1, sections().length));
  // As many columns as there are parts look best, where others allow no larger type.
  const counts = [most, ...Array.from({ length: MOST_COLUMNS }, (_one, index) => index + 1).filter((count) => count !== most)];
  let best = { size: 0, columns: 2 };
  for (const columns of counts) {
    let [small, large] = [0, largest];
    for (let size = largest; size >= smallest && large - small > 0.5; size = (Math.max(small, smallest) + large) / 2) {
      const { taken, whole } = layOut(size, columns);
      if (taken <= columns && whole) small = size;
      else large = size;
      if (small === largest) break;
      if (small === 0 && size - smallest < 0.5) break;
    }
    if (small > best.size) best = { size: small, columns };
  }
  if (!best.size) {
    const whole = [...counts].sort((one, other) => other - one).find((columns) => layOut(smallest, columns).whole);
    best = { size: smallest, columns: whole ?? 2 };
  }
  layOut(best.size, best.columns);
}

/** Shows the next columns, after the last ones the first. */
function turn() {
  const shown = flow();
  const page = shown.clientWidth + parseFloat(getComputedStyle(shown).columnGap);
  const end = shown.scrollLeft + shown.clientWidth >= shown.scrollWidth - 1;
  shown.scrollLeft = end ? 0 : shown.scrollLeft + page;
}

new MutationObserver(fit).observe(live, { childList: true });
addEventListener("resize", fit);
setInterval(turn, TURN_MS);
fit();
