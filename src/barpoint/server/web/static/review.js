// The page where files of matches are uploaded: files that are chosen, or dropped anywhere on the page, are sent at once,
// and what became of each is shown as soon as it has been read.

import { _ } from "./board/language.js";
import { find, setText } from "./dom.js";

const form = find("drop", HTMLFormElement);
const input = find("file", HTMLInputElement);
const LINES = "application/x-ndjson";

/**
 * A line of the answer: what became of one file, how many are read of how many, and where to go when all are.
 * @typedef {{ html: string, read: number, count: number, to: string }} ReadLine
 */

async function send() {
  const files = [...input.files ?? []];
  if (!files.length) return;
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes > Number(form.dataset.most)) {
    find("hint").textContent = _("These files have %(count)s MB together; at most %(most)s MB are taken at once.",
      { count: Math.ceil(bytes / 1e6), most: Math.floor(Number(form.dataset.most) / 1e6) });
    return;
  }
  find("hint").textContent = files.length === 1 ? _("Reading %(file)s …", { file: files[0].name })
    : _("Reading %(count)s files …", { count: files.length });
  try {
    await read(await fetch("/review", { method: "POST", body: new FormData(form), headers: { accept: LINES } }));
  } catch {
    find("hint").textContent = _("The connection was lost while the files were read; open the page again to see what has arrived.");
  }
}

/** Shows what became of the files, one after the other. @param {Response} answer */
async function read(answer) {
  if (!answer.headers.get("content-type")?.startsWith(LINES) || !answer.body) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    find("hint").textContent = (page.querySelector(".problem") ?? page.body).textContent?.trim() ?? "";
    form.reset();
    return;
  }
  const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await lines.read(); !part.done; part = await lines.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) show(JSON.parse(line));
  }
  find("hint").textContent = "";
  form.reset();
}

/** @param {ReadLine} line */
function show(line) {
  const single = line.count === 1 && line.to && line.to !== "/review";
  if (single) {
    location.assign(line.to);
    return;
  }
  find("reading").hidden = false;
  const bar = find("reading-bar", HTMLProgressElement);
  bar.max = Math.max(1, line.count);
  bar.value = line.read;
  setText(find("reading-state"), _("%(done)s of %(count)s files read", { done: line.read, count: line.count }));
  find("reading-files").insertAdjacentHTML("beforeend", line.html);
  if (line.read === line.count) find("reading-done").hidden = false;
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
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
