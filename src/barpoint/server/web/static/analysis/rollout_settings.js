// What a rollout of the position is asked to do: the settings of its form, and the plays that are ticked in the table.

/** @import {PlayAnswer} from "./types.js" */
import { _ } from "../board/language.js";
import { element, findIn, setText } from "../dom.js";

export class RolloutSettings {
  /** @param {HTMLElement} place  the folded form @param {() => void} changed @param {() => void} start */
  constructor(place, changed, start) {
    this.summary = findIn(place, "summary");
    this.form = findIn(place, "form", HTMLFormElement);
    this.usual = this.values;
    this.changed = changed;
    /** @type {Set<string>} notations of plays */
    this.ticked = new Set();
    this.form.addEventListener("input", () => this.tell()); // not "change": a button that is off until then would need a second press
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      start();
    });
  }

  get values() {
    return new URLSearchParams([...new FormData(this.form)].map(([name, value]) => [name, String(value)]));
  }

  /** Fields for the address of a rollout, "&plies=1&also=..."; "" where nothing was chosen. */
  get query() {
    const chosen = [...this.values].filter(([name, value]) => value !== "" && value !== this.usual.get(name));
    const plays = [...this.ticked];
    if (plays.length === 1) chosen.push(["also", plays[0]]);
    if (plays.length > 1) chosen.push(["plays", plays.join(";")]);
    return chosen.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
  }

  tell() {
    this.showWhether();
    this.changed();
  }

  /** Says on the folded form whether something was chosen. */
  showWhether() {
    setText(this.summary, this.query ? _("Settings, changed") : _("Settings"));
  }

  /** Forgets the plays of the last position. */
  forgetPlays() {
    this.ticked.clear();
    this.showWhether();
  }

  /** The tick that chooses a play. @param {PlayAnswer} play */
  tick({ text = "" }) {
    const box = element("input", { type: "checkbox", class: "rolls-out", "aria-label": _("Roll out %(play)s", { play: text }), autocomplete: "off" });
    box.checked = this.ticked.has(text);
    box.addEventListener("change", () => {
      if (box.checked) this.ticked.add(text);
      else this.ticked.delete(text);
      this.tell();
    });
    return box;
  }
}
