// Fits a tournament to a big screen: the largest type with which everything has room. Where even small type is too large, it shows one
// part after the other.

import { findIn } from "./dom.js";

const TURN_MS = 12_000;
const WIDE = matchMedia("(min-width: 60rem) and (min-height: 30rem)");

const live = findIn(document, ".live");

/** The columns; each update replaces them. */
const flow = () => findIn(live, ".flow");

/** @param {number} size in pixels */
function fits(size) {
  live.style.fontSize = `${size}px`;
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = flow();
  return scrollWidth <= clientWidth && scrollHeight <= clientHeight;
}

function fit() {
  if (!WIDE.matches) {
    live.style.fontSize = "";
    return;
  }
  let [small, large] = [innerHeight / 50, innerHeight / 22];
  while (large - small > 0.5) {
    const size = (small + large) / 2;
    if (fits(size)) small = size;
    else large = size;
  }
  fits(small);
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
