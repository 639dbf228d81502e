// The page where files of matches are uploaded: a file that is chosen, or dropped anywhere on the page, is sent at once.

import { _ } from "./board/language.js";
import { find } from "./dom.js";

const form = find("drop", HTMLFormElement);
const input = find("file", HTMLInputElement);

function send() {
  if (!input.files?.length) return;
  find("hint").textContent = input.files.length === 1 ? _("Reading %(file)s …", { file: input.files[0].name })
    : _("Reading %(count)s files …", { count: input.files.length });
  form.requestSubmit();
}

/** @param {DragEvent} event */
const bringsFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

/** How many elements the dragged file is over: entering a child comes before leaving its parent. */
let inside = 0;
document.addEventListener("dragenter", (event) => {
  if (!bringsFiles(event)) return;
  inside += 1;
  form.classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  if (!bringsFiles(event)) return;
  inside -= 1;
  if (inside <= 0) form.classList.remove("over");
});
document.addEventListener("dragover", (event) => {
  if (bringsFiles(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer || !bringsFiles(event)) return;
  event.preventDefault();
  inside = 0;
  form.classList.remove("over");
  input.files = event.dataTransfer.files;
  send();
});
input.addEventListener("change", send);
