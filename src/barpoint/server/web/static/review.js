// The page where files of matches are uploaded: files that are chosen, or dropped anywhere on the page, are sent at once,
// and what became of each is shown as soon as it has been read. The text of a match that is pasted is read like a file.

import { _, ngettext } from "./board/language.js";
import { find, findIn, setText } from "./dom.js";

const form = find("drop", HTMLFormElement);
const input = find("file", HTMLInputElement);
const plain = findIn(find("reading-files"), "details", HTMLDetailsElement);
const positions = find("reading-positions", HTMLFormElement);
const LINES = "application/x-ndjson";
const byName = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true });

/**
 * A line of the answer: what became of one file, how many are done of how many, how many of these could not be read, and where to go when
 * all are done.
 * @typedef {{ html: string, done: number, count: number, refused: number, to: string }} ReadLine
 */

/** The most bytes of files that are sent together. */
const MOST = Number(form.dataset.most);

/** How many files of those being sent are done in earlier parts, how many of these could not be read, and how many there are. */
let before = 0;
let refusedBefore = 0;
let all = 0;
/** How many files there are in the part being sent, those in zips included once they are known, and how many could not be read so far. */
let counted = 0;
let refused = 0;
/** The parts that are not done yet; the first is being sent. @type {File[][]} */
const waiting = [];

/** Sends files in parts that are not too large, one after the other; after those that are being sent, and counted with them. @param {File[]} files */
async function send(files) {
  if (!files.length) return;
  const count = files.length;
  files = files.slice(0, Number(form.dataset.files));
  find("reading-note").textContent = files.length === count ? "" : tooMany(count, files.length);
  if (files.length < count) find("reading").hidden = false;
  const idle = !waiting.length;
  waiting.push(...parts(files));
  all = idle ? files.length : all + files.length;
  if (all > 1) find("reading").hidden = false;
  say(all === 1 ? _("Reading %(file)s …", { file: files[0].name || _("pasted text") }) : _("Reading %(count)s files …", { count: all }));
  find("reading-done").hidden = true;
  if (!idle) return;
  document.getElementById("read")?.remove(); // of the upload before
  find("reading-bar").removeAttribute("value");
  find("reading-bar").hidden = false;
  for (const kind of ["refused", "odd", "position", "read"]) listOf(kind).replaceChildren();
  plain.hidden = plain.open = positions.hidden = true;
  before = refusedBefore = 0;
  try {
    for (; waiting.length; waiting.shift()) {
      const [part] = waiting;
      const body = new FormData();
      counted = part.length;
      refused = 0;
      for (const file of part) {
        if (file.name) body.append("file", file, file.webkitRelativePath || file.name);
        else body.append("text", await file.text());
      }
      if (!await read(await fetch("/review", { method: "POST", body, headers: { accept: LINES } }))) return;
      before += counted;
      refusedBefore += refused;
    }
    if (find("reading").hidden) say("");
  } catch {
    fail(_("The connection was lost. Files that have arrived are read all the same; open the page again to see them."));
  } finally {
    waiting.length = 0;
  }
}

/** Says how far it is: beside the bar once that is shown. @param {string} text */
const say = (text) => setText(find(find("reading").hidden ? "hint" : "reading-state"), text);

/** Says why it does not go on. @param {string} text */
function fail(text) {
  find("reading-bar").hidden = true;
  say(text);
}

/** What is said where more files are chosen than are taken. @param {number} count @param {number} most */
function tooMany(count, most) {
  const { account } = form.dataset;
  return account ? _("These are %(count)s files; the first %(most)s are taken, choose the others after them. With an account %(account)s are taken at once.", { count, most, account })
    : _("These are %(count)s files; the first %(most)s are taken, choose the others after them.", { count, most });
}

/** Files in parts, each within the limit of an upload. @param {File[]} files */
function parts(files) {
  /** @type {File[][]} */
  const found = [[]];
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.size > MOST && bytes) {
      found.push([]);
      bytes = 0;
    }
    found[found.length - 1].push(file);
    bytes += file.size;
  }
  return found;
}

/** Shows what became of the files, one after the other; false if none was taken. @param {Response} answer */
async function read(answer) {
  if (!answer.headers.get("content-type")?.startsWith(LINES) || !answer.body) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    fail((page.querySelector("main .problem") ?? page.body).textContent?.trim() ?? "");
    form.reset();
    return false;
  }
  const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await lines.read(); !part.done; part = await lines.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) show(JSON.parse(line));
  }
  form.reset();
  return true;
}

/** @param {ReadLine} line */
function show(line) {
  const single = all === 1 && line.count === 1 && line.to && line.to !== "/review";
  if (single) {
    location.assign(line.to);
    return;
  }
  find("reading").hidden = false;
  const bar = find("reading-bar", HTMLProgressElement);
  const done = before + line.done;
  all += line.count - counted;
  [counted, refused] = [line.count, line.refused];
  const count = all;
  bar.max = Math.max(1, count);
  bar.value = done;
  const failed = refusedBefore + refused;
  setText(find("reading-state"), !failed ? _("%(done)s of %(count)s files read", { done, count })
    : ngettext("%(done)s of %(count)s files read, %(num)s could not be read", "%(done)s of %(count)s files read, %(num)s could not be read", failed, { done: done - failed, count }));
  const files = document.createElement("template");
  files.innerHTML = line.html;
  for (const file of files.content.querySelectorAll("[data-kind]")) list(/** @type {HTMLElement} */ (file));
  if (done === count) find("reading-done").hidden = false;
}

/** @param {string} kind */
const listOf = (kind) => findIn(kind === "position" ? positions : find("reading-files"), `[data-of="${kind}"]`);

/** Lists a file by its name: first those that could not be read, then those with something to say; the others are folded once they are many. @param {HTMLElement} file */
function list(file) {
  const { kind = "", name = "" } = file.dataset;
  const place = listOf(kind);
  place.insertBefore(file, [...place.children].find((other) => byName.compare(/** @type {HTMLElement} */ (other).dataset.name ?? "", name) > 0) ?? null);
  const count = place.childElementCount;
  if (kind === "position") {
    positions.hidden = false;
    findIn(positions, "h3").textContent = ngettext("%(num)s position", "%(num)s positions", count);
  }
  if (kind !== "read") return;
  plain.hidden = false;
  if (count === Number(plain.dataset.unfolded) + 1) plain.open = false;
  findIn(plain, "summary").textContent = ngettext("%(num)s match", "%(num)s matches", count);
}

/** The files of something that was dropped, those of folders with a suffix that is read. @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((done, fail) => /** @type {FileSystemFileEntry} */ (entry).file(done, fail))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return matchFiles(found);
    for (const one of some) found.push(...await filesOf(one));
  }
}

/** Those whose suffix is read. @param {File[]} files */
function matchFiles(files) {
  const suffixes = (form.dataset.suffixes ?? "").split(" ");
  return files.filter((file) => suffixes.some((suffix) => file.name.toLowerCase().endsWith(suffix)));
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
  const plain = [...event.dataTransfer.files];
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) {
    send(plain);
    return;
  }
  Promise.all(entries.map((entry) => entry ? filesOf(entry) : [])).then((found) => send(found.flat()), () => {
    find("hint").textContent = form.dataset.unreadable ?? "";
  });
});
document.addEventListener("paste", (event) => {
  if (!event.clipboardData || (event.target instanceof Element && event.target.closest("input:not([type=file]), textarea"))) return;
  const files = [...event.clipboardData.files];
  const text = event.clipboardData.getData("text");
  send(files.length || !text.trim() ? files : [new File([text], "")]);
});
/** Sends the chosen files once: whoever chooses them and then presses Open has sent them already. */
const chosen = () => {
  const files = [...input.files ?? []];
  input.value = "";
  if (files.length) send(files);
};
input.addEventListener("change", chosen);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  chosen();
});

const folder = document.createElement("input");
if ("webkitdirectory" in folder) {
  folder.type = "file";
  folder.webkitdirectory = true;
  folder.addEventListener("change", () => send(matchFiles([...folder.files ?? []])));
  const choose = find("choose-folder", HTMLButtonElement);
  choose.hidden = false;
  choose.addEventListener("click", () => folder.click());
}
