// Short messages of a page: a note that goes away, the notice in the bar; buttons that copy a field or open a dialog.

import { closeFromBeside } from "./board/beside.js";
import { _ } from "./board/language.js";
import { all, element, find, setText } from "./dom.js";

const TOAST_MS = 5000;
let toastTimer = 0;

/** Shows a note for a few seconds. @param {string} text @param {"alert" | "status"} [role]  a status waits until screen readers have nothing else to say */
export function toast(text, role = "alert") {
  const place = find("toast");
  const shown = document.querySelector("dialog:modal") ?? find("main"); // whatever is below a dialog is neither seen nor heard
  if (place.parentElement !== shown) shown.append(place);
  place.setAttribute("role", role);
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    place.hidden = true;
  }, TOAST_MS);
}

/** Takes the note away before its time. */
export function hideToast() {
  clearTimeout(toastTimer);
  find("toast").hidden = true;
}

/** Shows one line in the bar at the top: the connection, or the time left for an answer, which is read aloud once and not every second.
 * @param {string} text @param {boolean} [counts]  it counts down */
export function showNotice(text, counts = false) {
  const place = find("notice");
  place.setAttribute("aria-live", counts && !place.hidden ? "off" : "polite");
  setText(place, text);
  place.hidden = !text;
}

/** Copies a text and says so; where a browser gives pages no clipboard (without TLS), says what to do instead.
 * @param {string} text @param {string} done @param {string} instead */
export async function copy(text, done, instead) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(instead);
  }
}

/** Copies a text that stands nowhere on the page; where a browser gives pages no clipboard, shows it, selected, to be copied by hand.
 * @param {string} text @param {string} done */
export async function copyText(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    showToCopy(text);
  }
}

/** Copies what shows a page of this server on a page of another site. @param {string} path  of the page to frame @param {number} height */
export function copyFrame(path, height) {
  const frame = element("iframe", { src: new URL(path, location.origin).href, title: document.title, width: "100%", height, loading: "lazy" });
  return copyText(frame.outerHTML, _("The code is copied."));
}

/** @param {string} text */
function showToCopy(text) {
  const field = element("textarea", { readonly: "", rows: 14, wrap: "off", class: "letters", "aria-label": _("Text to copy") });
  const close = element("button", { class: "close", value: "no", "aria-label": _("Close") }, ["×"]);
  const dialog = element("dialog", { class: "settings", "aria-label": _("Text to copy") }, [
    element("form", { method: "dialog" }, [close, element("h2", {}, [_("Text to copy")]), element("p", { class: "hint" }, [_("Select the text and copy it.")]), field])]);
  if (!(dialog instanceof HTMLDialogElement && field instanceof HTMLTextAreaElement)) throw new TypeError("a dialog is none");
  field.value = text;
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  field.focus();
  field.select();
  field.scrollTop = 0;
}

/** Buttons with data-opens open the dialog of that id, or unfold and reach a part of the page; a click beside a dialog closes it. */
export function listenToOpeners() {
  for (const button of all("[data-opens]")) {
    const target = find(button.dataset.opens ?? "");
    if (target instanceof HTMLDetailsElement) listenToUnfolder(button, target);
    if (!(target instanceof HTMLDialogElement)) continue;
    button.addEventListener("click", () => target.showModal());
    closeFromBeside(target);
  }
}

/** A button that unfolds a part of the page and reaches it; pressed again, it folds it and goes back.
 * @param {HTMLElement} button @param {HTMLDetailsElement} target */
function listenToUnfolder(button, target) {
  let before = 0;
  const tell = () => button.setAttribute("aria-expanded", String(target.open));
  tell();
  target.addEventListener("toggle", tell);
  button.addEventListener("click", () => {
    const { top, bottom } = target.getBoundingClientRect();
    if (target.open && top < innerHeight && bottom > 0) {
      target.open = false;
      scrollTo({ top: before });
      return;
    }
    before = scrollY;
    target.open = true;
    (target.querySelector("form") ?? target).scrollIntoView({ block: "nearest" }); // no further than to where something can be written
  });
}

/** Buttons with data-copy copy the field of that id; with data-share they hand it to other apps, in browsers that can. */
export function listenToCopyButtons() {
  for (const button of all("[data-copy]")) {
    button.addEventListener("click", () => {
      const field = find(button.dataset.copy ?? "", HTMLInputElement);
      field.select();
      void copy(field.value, _("Copied."), _("Select the link and copy it."));
    });
  }
  if (typeof navigator.share !== "function") return;
  for (const button of all("[data-share]")) {
    const { value: url } = find(button.dataset.share ?? "", HTMLInputElement);
    button.hidden = false;
    // The person may change their mind; the link is still there to copy.
    button.addEventListener("click", () => void navigator.share({ title: "Barpoint", text: button.dataset.text ?? "", url }).catch(() => undefined));
  }
}
