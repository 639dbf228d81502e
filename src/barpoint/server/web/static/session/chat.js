// The chat beside a board. Text is only ever put in as text.

import { _, ngettext } from "../board/language.js";
import { all, element, findIn } from "../dom.js";
import { inWindow } from "../kept.js";
import { hideToast } from "../notes.js";
import { keptSettings } from "../settings.js";
import { tag } from "./tag.js";

/**
 * @typedef {{id: number, seat: number | null, name: string, text: string, at: number, own: boolean}} ChatLine  seat: null for who watches
 * @typedef {{lines: ChatLine[], muted: boolean}} ChatMessage
 */

export class Chat {
  /**
   * @param {HTMLDetailsElement} box
   * @param {() => {say: (text: string) => void, mute: (muted: boolean) => void}} live  the session
   * @param {(text: string) => void} announce  what arrives while the chat is out of sight
   */
  constructor(box, live, announce) {
    this.box = box;
    this.announce = announce;
    /** @type {Set<number>} the lines that are shown */
    this.shown = new Set();
    this.unread = 0;
    /** The last line this browser has seen in an open chat, over reloads; 0 once those are shown again. */
    this.key = `chat ${location.pathname}`;
    this.seen = Number(inWindow.get(this.key) ?? 0);
    box.addEventListener("toggle", () => {
      if (box.open) hideToast(); // it may lie over the field
      // Whoever opens it with a mouse or keys wants to write; on a phone the keyboard would cover what is said. Loaded open, it takes no focus.
      if (box.open && matchMedia("(pointer: fine)").matches && document.activeElement !== document.body) this.field?.focus({ preventScroll: true });
      this.read();
    });
    // On a phone its heading may be the last thing on the screen.
    findIn(box, "summary").addEventListener("click", () => requestAnimationFrame(() => box.scrollIntoView({ block: "nearest" })));
    this.lines = findIn(box, "ol");
    this.view = findIn(box, ".chat-lines");
    /** Lines that are on the way. */
    this.unsent = element("ol", { class: "unsent", "aria-live": "off" });
    this.view.append(this.unsent);
    /** Whether the lines are on the screen: on a phone an open chat may lie below it. */
    this.inSight = false;
    const watcher = new IntersectionObserver((changes) => {
      this.inSight = changes.some((change) => change.isIntersecting);
      this.read();
    }, { threshold: 0.5 });
    watcher.observe(this.view);
    const form = box.querySelector("form.copy");
    if (!(form instanceof HTMLFormElement)) return; // whoever watches without an account reads only
    const field = findIn(form, "[name=text]", HTMLInputElement);
    const mute = findIn(box, "[name=mute]", HTMLInputElement);
    /** What is being written, over reloads. */
    this.draft = `chat draft ${location.pathname}`;
    field.value ||= inWindow.get(this.draft) ?? "";
    field.addEventListener("input", () => this.keepDraft());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      live().say(field.value);
      field.value = "";
      this.keepDraft();
    });
    mute.addEventListener("change", () => live().mute(mute.checked));
    this.mute = mute;
    this.field = field;
  }

  /** Shows the lines that the server has not acknowledged; what is said of them shows if that takes long. @param {string[]} texts */
  showUnsent(texts) {
    this.unsent.replaceChildren(...texts.map((text) => element("li", {}, [element("b", {}, [_("You")]), " ", element("bdi", {}, [text]), " ", element("small", {}, [_("not sent yet")])])));
    this.view.scrollTop = this.view.scrollHeight;
  }

  /** Gives a line that was refused back to whoever wrote it, before what they write now. @param {string} text */
  giveBack(text) {
    if (!this.field) return;
    this.field.value = `${text} ${this.field.value}`.trim();
    this.keepDraft();
  }

  /** Keeps what is being written, so that a reload loses none of it. */
  keepDraft() {
    if (!this.draft || !this.field) return;
    if (this.field.value) inWindow.set(this.draft, this.field.value);
    else inWindow.remove(this.draft);
  }

  /**
   * Adds lines that are not shown yet, each to its place: once a match is over, older ones come of those who watched. Their names lead to their page.
   * @param {ChatMessage} message @param {(seat: number) => boolean} isBot
   */
  hear({ lines, muted }, isBot) {
    if (this.mute) this.mute.checked = muted;
    for (const { id, seat, name, text, own } of lines) {
      if (this.shown.has(id)) continue;
      this.shown.add(id);
      const watches = seat === null && !own;
      const called = watches ? element("a", { href: `/player/${encodeURIComponent(name)}` }, [name]) : own ? _("You") : name;
      const author = element("b", {}, [called]);
      tag(author, seat !== null && isBot(seat));
      if (watches) this.foundWatcher(name);
      this.insert(id, element("li", { "data-line": id }, [author, ...(watches ? [" ", element("small", {}, [_("watches")])] : []), " ", element("bdi", {}, [text])]));
      this.view.scrollTop = this.view.scrollHeight;
      if (own || id <= this.seen || this.isRead || !keptSettings().chat) continue;
      this.unread += 1;
      this.announce(`${name}: ${text}`);
    }
    if (lines.length) this.seen = 0;
    this.read();
  }

  /** Puts a line after those before it. The first one brings a chat into sight in which the viewer writes nothing. @param {number} id @param {Element} line */
  insert(id, line) {
    for (const part of [this.box, ...all("[data-opens=chat]")]) part.hidden = false;
    const before = [...all("li", this.lines)].findLast((one) => Number(one.dataset.line) < id);
    if (before) before.after(line);
    else this.lines.prepend(line);
  }

  /** From their first line on, somebody who watches can be reported. @param {string} name */
  foundWatcher(name) {
    const report = this.box.querySelector("#report-watcher");
    if (!(report instanceof HTMLElement)) return;
    report.hidden = false;
    const names = findIn(report, "select", HTMLSelectElement);
    if (![...names.options].some(({ value }) => value === name)) names.add(new Option(name, name));
  }

  get isRead() {
    return this.box.open && this.inSight;
  }

  /** Shows how many lines are unread; a chat that is open and in sight is read. */
  read() {
    if (this.isRead) {
      this.unread = 0;
      this.view.scrollTop = this.view.scrollHeight;
      if (this.shown.size) inWindow.set(this.key, String(Math.max(...this.shown)));
    }
    for (const badge of all("[data-unread]")) {
      badge.hidden = !this.unread;
      const short = badge.getAttribute("data-unread") === "number";
      badge.textContent = !this.unread ? "" : short ? String(this.unread) : ngettext("%(num)s new", "%(num)s new", this.unread);
    }
  }
}
