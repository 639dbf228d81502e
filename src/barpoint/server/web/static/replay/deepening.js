// A second look at many decisions of the match: asks for it, shows how far it is, and takes over what it has found.

/** @import {Analysis, State} from "./analysis.js" */
/** @typedef {State & {own: boolean, made_at: number}} Looking */
import { _ } from "../board/language.js";
import { all, find, findIn } from "../dom.js";

const LOOK_MS = 1000;

/** While the server is away. */
const AWAY_MS = 3000;

export class Deepening {
  /** @param {string} path  the beginning of the addresses of the match @param {Analysis} analysis @param {(state: State) => void} progress
   * @param {(text: string) => void} failed  says something to the player */
  constructor(path, analysis, progress, failed) {
    this.address = `${path}/deepening`;
    this.analysis = analysis;
    this.progress = progress;
    this.failed = failed;
    this.form = find("deepening", HTMLFormElement);
    this.stop = find("deepening-stop", HTMLButtonElement);
    this.going = false;
    this.offered = false;
    /** When the report that is shown was stored; 0 before that is known. */
    this.shown = 0;
    this.timer = 0;
    // A browser refuses a form without a word for a field that it cannot show.
    const settings = findIn(this.form, "details", HTMLDetailsElement), depth = findIn(this.form, '[name="plies"]', HTMLSelectElement);
    this.form.addEventListener("invalid", () => (settings.open = true), { capture: true });
    depth.addEventListener("change", () => all("[name]", settings).forEach((field) => field.toggleAttribute("disabled", depth.value !== "")));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.look("", new URLSearchParams(/** @type {any} */ (new FormData(this.form))));
    });
    this.stop.addEventListener("click", () => void this.look("/stop", new URLSearchParams()));
  }

  /** Offers it, or shows the one that is under way. @param {boolean} possible  the match is analysed as deeply as all of it can be */
  async offer(possible) {
    this.form.hidden = !possible || this.going;
    if (possible && !this.offered) {
      this.offered = true;
      await this.look(".json");
    }
  }

  /** @param {"" | "/stop" | ".json"} what @param {URLSearchParams} [body]  of what is asked for */
  async look(what, body) {
    clearTimeout(this.timer);
    let next = AWAY_MS;
    try {
      const answer = await fetch(this.address + what, body ? { method: "POST", body } : {});
      const said = await answer.json();
      if (answer.ok) next = await this.show(said);
      else this.failed(said.message);
    } catch {
      if (body) this.failed(_("The server cannot be reached."));
    }
    if (this.going) this.timer = setTimeout(() => void this.look(".json"), next);
  }

  /** Shows how far it is, and the report that was stored meanwhile unless somebody is at work in what it would replace. @param {Looking} state */
  async show(state) {
    const waits = state.state !== "none";
    const focus = [this.form, this.stop].some((one) => one.contains(document.activeElement));
    const old = state.made_at !== (this.shown ||= state.made_at);
    if (old && !find("verdict").contains(document.activeElement)) {
      this.shown = state.made_at;
      await this.analysis.wait("2");
    }
    if (waits || this.going) this.progress(waits ? state : { ...state, state: "done" });
    this.going = waits || state.made_at !== this.shown;
    this.form.hidden = waits;
    this.stop.hidden = !waits || !state.own;
    if (focus) (waits ? this.stop : this.form.querySelector("button"))?.focus();
    return LOOK_MS;
  }
}
