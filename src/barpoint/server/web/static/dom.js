// Finding, making and changing the elements of a page.

export { html as element } from "./board/svg.js";

/**
 * The element with an id. TypeError where the page has none, or one of another kind.
 * @template {Element} [T=HTMLElement]
 * @param {string} id @param {new () => T} [kind] @returns {T}
 */
export const find = (id, kind) => checked(document.getElementById(id), `#${id}`, kind);

/**
 * The first element that a selector matches. TypeError as in `find`.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root @param {string} selector @param {new () => T} [kind] @returns {T}
 */
export const findIn = (root, selector, kind) => checked(root.querySelector(selector), selector, kind);

/**
 * @template {Element} T
 * @param {Element | null} found @param {string} name @param {new () => T} [kind]
 */
function checked(found, name, kind) {
  const wanted = kind ?? HTMLElement;
  if (!(found instanceof wanted)) throw new TypeError(`${name} is not a ${wanted.name} of this page`);
  return /** @type {T} */ (found);
}

/** Every element that a selector matches. @param {string} selector @param {ParentNode} [root] */
export const all = (selector, root = document) => /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));

/** The page's language, as the reader's own country writes its dates. */
export function locale() {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? (lang === "en" ? "en-GB" : lang || undefined);
}

/** Shows times in this browser's time zone; without this they are in universal time. */
export function localise() {
  for (const time of all("time[data-at]")) {
    const at = new Date(Number(time.dataset.at));
    time.textContent = at.toLocaleString(locale(), { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
  }
}

/** Sets a text only where it changes, so that screen readers do not read it again. @param {HTMLElement} place @param {string} text */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * Calls `begin` when the mouse moves onto an element or the focus comes to it, and `end` when it leaves. What appears
 * under a mouse at rest is not pointed at: browsers report such a mouse as entered, though nobody moved it.
 * @param {HTMLElement} target @param {() => void} begin @param {() => void} [end]
 */
export function whilePointed(target, begin, end = () => {}) {
  let over = false;
  target.addEventListener("mousemove", ({ movementX, movementY }) => {
    if (over || (!movementX && !movementY)) return;
    over = true;
    begin();
  });
  target.addEventListener("mouseleave", () => {
    if (over) end();
    over = false;
  });
  target.addEventListener("focus", begin);
  target.addEventListener("blur", end);
}

/** Whether the keys of a page count: no modifier is held and nothing has the focus that takes text. Letters and digits may be wanted on the board alone.
 * @param {KeyboardEvent} event */
export const isPlainKey = ({ ctrlKey, metaKey, altKey, key, target }) => !ctrlKey && !metaKey && !altKey
  && !(target instanceof Element && target.closest("input, textarea, select, dialog[open]"))
  && !(document.documentElement.dataset.letters === "board" && /^[^ ]$/.test(key) && !(target instanceof Element && target.closest("bg-board")));
