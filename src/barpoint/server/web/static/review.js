// The page to which files of matches are brought: a file that is chosen or dropped anywhere on it is sent at once.

const form = /** @type {HTMLFormElement} */ (document.getElementById("drop"));
const input = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const hint = /** @type {HTMLElement} */ (document.getElementById("hint"));

function send() {
  if (!input.files?.length) return;
  hint.textContent = `${input.files[0].name} is being read…`;
  form.requestSubmit();
}

/** @param {DragEvent} event */
const brings = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

let inside = 0;
document.addEventListener("dragenter", (event) => {
  if (!brings(event)) return;
  inside += 1;
  form.classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  if (!brings(event)) return;
  inside -= 1;
  if (inside <= 0) form.classList.remove("over");
});
document.addEventListener("dragover", (event) => {
  if (brings(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer || !brings(event)) return;
  event.preventDefault();
  inside = 0;
  form.classList.remove("over");
  input.files = event.dataTransfer.files;
  send();
});
input.addEventListener("change", send);

export {};
