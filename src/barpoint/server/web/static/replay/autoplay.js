// A replay that goes on by itself, event after event, until it is stopped or the match ends.

import { _, pgettext } from "../board/language.js";
import { setText } from "../dom.js";

/** How long each event stays in view once nothing moves. */
const PAUSE_MS = 1200;

export class Autoplay {
  /** @param {HTMLElement} button @param {() => Promise<boolean>} next  shows the next event; false at the end, and where it cannot */
  constructor(button, next) {
    this.button = button;
    this.next = next;
    this.on = false;
    this.run = 0; // which press of Play goes on
    this.timer = 0;
    button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.on) {
      this.stop();
      return;
    }
    this.on = true;
    this.run += 1;
    setText(this.button, _("Pause"));
    void this.goOn(this.run);
  }

  stop() {
    this.on = false;
    clearTimeout(this.timer);
    setText(this.button, pgettext("replay", "Play"));
  }

  /** @param {number} run */
  async goOn(run) {
    const more = await this.next();
    if (!this.on || run !== this.run) return;
    if (more) this.timer = setTimeout(() => void this.goOn(run), PAUSE_MS);
    else this.stop();
  }
}
