// What the server does for the player while they are away: keeps what is changed in the form, and shows what still holds.

import { _ } from "../board/language.js";
import { all, findIn } from "../dom.js";
import { toast } from "../notes.js";

/** @typedef {Record<string, string | boolean>} Turns  by the names of the fields */

export class AutomaticTurns {
  /** @param {HTMLFormElement} form  in a dialog @param {string} path  where they are read and kept */
  constructor(form, path) {
    this.form = form;
    this.path = path;
    /** @type {object | null} the latest question to the server */
    this.asked = null;
    /** @type {Turns} what the server does now */
    this.held = Object.fromEntries(this.named().map((field) => [field.name, field instanceof HTMLSelectElement ? field.value : field.checked]));
    form.addEventListener("change", () => void this.ask({ method: "POST", body: this.fields() }));
    form.addEventListener("submit", (event) => event.preventDefault());
    // An answer to a double holds until the next roll, so it may be gone by now.
    const dialog = form.closest("dialog")?.id ?? "";
    for (const opener of all(`[data-opens="${dialog}"]`)) opener.addEventListener("click", () => void this.ask({}));
  }

  /** The fields. */
  named() {
    return [...all("input, select", this.form)].filter((field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement);
  }

  /** What they hold, as a form sends it. */
  fields() {
    const sent = new URLSearchParams();
    for (const field of this.named()) {
      if (field instanceof HTMLSelectElement) sent.set(field.name, field.value);
      else if (field.checked) sent.set(field.name, "1");
    }
    return sent;
  }

  /** @param {RequestInit} request */
  async ask(request) {
    const asked = (this.asked = {});
    const answer = await fetch(this.path, request).catch(() => null);
    if (this.asked !== asked) return;
    if (answer?.ok) {
      const turns = /** @type {Turns} */ (await answer.json());
      if (this.asked === asked) this.show((this.held = turns));
      if (request.method) findIn(this.form, "[role=status]").textContent = _("Saved.");
    } else if (request.method) {
      toast(_("Not saved. Try again."));
      this.show(this.held);
    }
  }

  /** @param {Turns} turns */
  show(turns) {
    findIn(this.form, "[role=status]").textContent = "";
    for (const field of this.named()) {
      if (field instanceof HTMLSelectElement) field.value = String(turns[field.name]);
      else field.checked = Boolean(turns[field.name]);
    }
  }
}
