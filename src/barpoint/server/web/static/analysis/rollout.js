// The rollout of a position: its means as they come, the button that starts it and goes on, and another one that stops it.

/** @import {RolledChoice, RolloutAnswer, RolloutState} from "./types.js" */
/** @import {Questions} from "./server.js" */
import { _, ngettext } from "../board/language.js";
import { element, setText } from "../dom.js";
import { actionText, rightRow } from "./choices.js";
import { netText, plain, signed, waitingText } from "./numbers.js";

const LOOK_MS = 500;

/** After a look that failed. */
const AWAY_MS = 3000;

export class RolloutView {
  /** @param {HTMLElement} place @param {HTMLButtonElement} button @param {Questions} questions @param {(text: string) => void} failed */
  constructor(place, button, questions, failed) {
    this.place = place;
    this.button = button;
    /** Elsewhere than the button that starts, so that no press meant for that one stops what is rolled. */
    this.stop = element("button", { type: "button", class: "button" }, [_("Stop")]);
    this.said = element("span", { class: "hint", role: "status" });
    this.line = element("p", { class: "button-row" }, [this.stop, this.said]);
    this.body = element("div");
    place.replaceChildren(this.line, this.body);
    this.questions = questions;
    this.failed = failed;
    this.query = "";
    this.timer = 0;
    /** @type {RolloutState["state"]} */
    this.state = "none";
    /** Whether the rollout was told to stop. */
    this.stopping = false;
    /** Whether its table comes into sight as soon as it is there. */
    this.pressed = false;
    button.addEventListener("click", () => void this.press("/start"));
    this.stop.addEventListener("click", () => void this.press("/stop"));
  }

  /** Shows the rollout of another position, if there is one. @param {string} query */
  async follow(query) {
    clearTimeout(this.timer);
    this.query = query;
    this.state = "none";
    this.stopping = this.pressed = this.button.disabled = false;
    this.button.textContent = _("Roll out");
    this.place.hidden = true;
    await this.look("");
  }

  /** Shows none. */
  clear() {
    clearTimeout(this.timer);
    this.questions.forget("rollout");
    this.place.hidden = true;
  }

  get going() {
    return this.state === "running" || this.state === "waiting";
  }

  /** @param {"/start" | "/stop"} what */
  async press(what) {
    this.stopping = what === "/stop";
    this.pressed = !this.stopping;
    if (this.stopping) this.showStop();
    await this.look(what);
  }

  /** Says that it stops until the games that are being rolled have ended. */
  showStop() {
    this.stop.textContent = this.stopping ? _("Stopping …") : _("Stop");
    this.stop.disabled = this.stopping;
  }

  /** @param {"" | "/start" | "/stop"} what */
  async look(what) {
    clearTimeout(this.timer);
    try {
      /** @type {RolloutState | null} */
      const state = await this.questions.ask("rollout", `/rollout${what === "/stop" ? what : ""}?${this.query}`, what ? { method: "POST" } : {});
      if (state) this.show(state);
    } catch (error) {
      this.stopping &&= !what;
      if (what) this.failed(error instanceof Error ? error.message : "");
      if (this.going) this.timer = setTimeout(() => void this.look(""), AWAY_MS);
    }
  }

  /** @param {RolloutState} state */
  show({ state, ahead = 0, more = 0, answer }) {
    this.state = state;
    const { going } = this;
    this.stopping &&= going;
    const focused = [this.button, this.stop].includes(/** @type {HTMLButtonElement} */ (document.activeElement));
    this.button.textContent = answer && !going ? _("Roll out further") : _("Roll out");
    this.button.disabled = going || Boolean(answer) && !more;
    this.showStop();
    this.line.hidden = !going;
    this.place.hidden = state === "none";
    if (focused) (going ? this.stop : this.button).focus({ preventScroll: true });
    if (going) this.timer = setTimeout(() => void this.look(""), LOOK_MS);
    setText(this.said, state === "waiting" ? waitingText(ahead) : "");
    const parts = [];
    if (answer) {
      const { done, trials, clear } = answer;
      const what = clear ? _("ahead by three errors") : going ? _("%(done)s of %(trials)s games", { done, trials }) : ngettext("%(num)s game", "%(num)s games", done);
      parts.push(element("h3", {}, [_("Rollout"), " ", element("span", {}, [what])]));
      if (going) parts.push(element("progress", { max: trials, value: done, "aria-label": _("Rollout") }));
      if (answer.action) parts.push(paragraph("action", actionText(answer.action)));
      parts.push(table(answer));
      parts.push(element("p", { class: "hint", title: netText(answer) }, [methodText(answer)]));
    } else if (state === "running") parts.push(paragraph("hint", _("The first games are being rolled …")));
    this.body.replaceChildren(...parts);
    if (this.pressed) this.place.scrollIntoView({ block: "nearest" });
    this.pressed &&= !answer;
  }
}

/** How a rollout was made. @param {RolloutAnswer} answer */
function methodText({ plies, method: { cube_plies: cube = 0, truncate = 0, seed = 1 } = {} }) {
  const games = truncate ? _("%(plies)s-ply games of %(truncate)s rolls, then judged, on the same dice, luck subtracted; after ± the standard error.", { plies, truncate })
    : _("%(plies)s-ply games to the end on the same dice, luck subtracted; after ± the standard error.", { plies });
  const more = [...(cube === plies ? [] : [_("Cube decisions at %(plies)s-ply.", { plies: cube })]), ...(seed === 1 ? [] : [_("Seed %(seed)s.", { seed })])];
  return [games, ...more].join(" ");
}

const NAMES = /** @type {Record<string, string>} */ ({ "": _("This position"), "No double": _("No double"), "Double, take": _("Double, take"),
  "Double, pass": _("Double, pass") });

/** What is rolled out: a play in notation, a cube action, or the position. @param {string} text */
const rolledName = (text) => NAMES[text] ?? text;

const CUBE_ROWS = ["No double", "Double, take", "Double, pass"];

/** Plays best first; cube actions in the order of the cube's table, with the right one marked once it is known. @param {RolloutAnswer} answer */
function table({ kind, choices, action }) {
  const cube = kind === "cube";
  const shown = cube ? [...choices].sort((one, other) => CUBE_ROWS.indexOf(one.text) - CUBE_ROWS.indexOf(other.text)) : choices;
  const right = cube ? rightRow(action) : 0;
  return element("table", { class: "rolled" }, [element("tbody", {}, shown.map((choice, index) => row(choice, index === right)))]);
}

/** @param {RolledChoice} choice @param {boolean} right */
function row({ text, equity, error, loss, loss_error: lossError }, right) {
  const lost = loss ? `${signed(-loss)}${lossError ? ` ± ${plain(lossError)}` : ""}` : "";
  return element("tr", right ? { class: "best" } : {}, [
    element("th", { scope: "row" }, [rolledName(text)]),
    element("td", {}, [equity === null ? "…" : `${signed(equity)}${error ? ` ± ${plain(error)}` : ""}`]),
    element("td", {}, [lost])]);
}

/** @param {string} kind @param {string} text */
const paragraph = (kind, text) => element("p", { class: kind }, [text]);
