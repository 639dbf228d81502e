// Short words of a page: a note that goes away, the line in the bar, and buttons that copy a field.

const TOAST_MS = 5000;
let toastTimer = 0;

/** @param {string} text */
export function toast(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("toast"));
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    place.hidden = true;
  }, TOAST_MS);
}

/** One line in the bar at the top: the connection, or the time left for an answer. @param {string} text */
export function pill(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("link"));
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}

/** Buttons with data-copy copy the field of that id. */
export function copyButtons() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.addEventListener("click", async () => {
      const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        toast("Copied.");
      } catch {
        toast("Select the link and copy it."); // without TLS a browser gives pages no clipboard
      }
    });
  }
}
