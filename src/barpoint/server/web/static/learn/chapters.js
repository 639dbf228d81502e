// The strip of pages of rules, which a phone scrolls sideways: the page shown comes into sight.

import { findIn } from "../dom.js";

const strip = findIn(document, ".chapters");
const current = findIn(strip, "[aria-current]");
const [box, all] = [current.getBoundingClientRect(), strip.getBoundingClientRect()];
strip.scrollLeft += box.left + box.width / 2 - all.left - all.width / 2;
