// One decision looked at again: all plays, a ply deeper, rolled out. What somebody has had found out is there for everybody.

/** @import {PositionAnswer} from "../analysis/types.js" */
/** @import {ChoicesPage} from "../analysis/choices.js" */
/** @import {Decision} from "./analysis.js" */
import { choicesOf } from "../analysis/choices.js";
import { copyDecision, momentText } from "../analysis/decision_text.js";
import { showGot } from "../analysis/numbers.js";
import { RolloutView } from "../analysis/rollout.js";
import { Questions } from "../analysis/server.js";
import { _ } from "../board/language.js";
import { element } from "../dom.js";
import { sentence } from "../practice/ask.js";
import { makeCard } from "../practice/make.js";

/** Whether the analysis of positions knows a decision: no reroll, resignation or answer to a beaver. @param {Decision} decision */
const isKnown = ({ kind, cube }) => ["play", "double", "no double"].includes(kind) || (["take", "pass"].includes(kind) && Boolean(cube));

/** Whoever steps on quickly asks nothing. */
const AT_REST_MS = 250;

export class Deeper {
  /** @param {string} path  the beginning of the addresses of the match @param {number} deepest  plies on offer @param {(text: string) => void} failed  says something to the player */
  constructor(path, deepest, failed) {
    this.path = path;
    this.deepest = deepest;
    this.failed = failed;
    this.questions = new Questions();
    /** @type {Map<string, PositionAnswer>} answers by event and kind */
    this.answers = new Map();
    /** @type {Set<string>} decisions of which all plays are shown */
    this.every = new Set();
    /** @type {Map<number, {query: string, also: string}>} addresses of the positions by event, and the plays made */
    this.addresses = new Map();
    /** @type {RolloutView | null} */
    this.rollout = null;
    this.timer = 0;
  }

  /** Ends what is asked about the last decision. */
  leave() {
    clearTimeout(this.timer);
    this.questions.forget("deeper");
    this.rollout?.clear();
    this.rollout = null;
  }

  /** The buttons below a decision; they replace its table. @param {Decision} decision @param {number} plies  by which it was judged
   * @param {HTMLElement} table @param {ChoicesPage} page @returns {HTMLElement | null} */
  tools(decision, plies, table, page) {
    if (!isKnown(decision)) return null;
    const least = decision.games ? this.deepest : plies; // no search replaces a rollout by itself
    let deep = plies;
    const copying = button(_("Copy with analysis"));
    copying.addEventListener("click", () => void copyDecision(momentText(this.path, decision, plies, deep)));
    const got = element("p", { class: "hint got", role: "status" });
    const all = button(_("All plays"));
    const more = button(_("Deeper"));
    const roll = button(_("Roll out"));
    const card = button(_("Make a card"));
    card.addEventListener("click", () => void this.makeCard(decision, card));
    const rolled = element("div", { class: "rollout", hidden: "" });
    const key = `${decision.event} ${decision.kind}`;
    let every = this.every.has(key);
    const show = (/** @type {PositionAnswer} */ answer) => {
      this.answers.set(key, answer);
      deep = answer.plies;
      table.replaceChildren(...choicesOf(answer, page, every));
      showGot(got, answer);
      all.hidden = every || !answer.plays;
      more.disabled = deep >= this.deepest || answer.source === "exact";
    };
    const ask = async (/** @type {number} */ wanted) => {
      got.textContent = _("Looking %(plies)s plies ahead …", { plies: wanted });
      try {
        const answer = await this.questions.ask("deeper", `?${(await this.address(decision)).query}&plies=${wanted}`);
        if (answer) show(answer);
      } catch (error) {
        got.textContent = "";
        this.failed(error instanceof Error ? error.message : "");
      }
    };
    all.hidden = decision.kind !== "play";
    all.addEventListener("click", () => {
      every = true;
      this.every.add(key);
      const known = this.answers.get(key);
      if (known) show(known);
      else void ask(plies);
    });
    more.addEventListener("click", () => void ask(deep + 1));
    this.rollout = new RolloutView(rolled, roll, this.questions, this.failed);
    const known = this.answers.get(key);
    if (known && (every || known.plies > least)) show(known);
    roll.disabled = true;
    this.timer = setTimeout(() => void this.recall(decision, least, show, roll), AT_REST_MS);
    return element("div", { class: "deeper" }, [got, element("p", { class: "button-row" }, [all, more, roll, card, copying]), rolled]);
  }

  /** Makes a card to practise the decision. @param {Decision} decision @param {HTMLButtonElement} card */
  async makeCard({ event, player }, card) {
    const [, source, match] = this.path.split("/");
    try {
      const said = await makeCard("/moment", { source, match, event, player });
      if (said) this.failed(said);
      card.disabled = Boolean(said);
    } catch (error) {
      this.failed(sentence(error));
    }
  }

  /** Shows what somebody has had found out before. @param {Decision} decision @param {number} plies @param {(answer: PositionAnswer) => void} show
   * @param {HTMLButtonElement} roll */
  async recall(decision, plies, show, roll) {
    const { rollout } = this;
    try {
      const { query: position, also } = await this.address(decision);
      const query = also ? `${position}&also=${encodeURIComponent(also)}` : position;
      const known = await this.questions.ask("known", `/known?${query}`);
      if (!known || this.rollout !== rollout || !rollout) return;
      if (known.answer && known.answer.plies > plies) show(known.answer);
      rollout.query = query;
      roll.disabled = false;
      rollout.show(known.rollout);
    } catch {
      // the report says enough
    }
  }

  /** The address of the position that was decided, and the play that was made. @param {Decision} decision */
  async address({ event, player }) {
    let found = this.addresses.get(event);
    if (found === undefined) {
      const answer = await fetch(`${this.path}/decision.json?before=${event}&player=${player}`);
      if (!answer.ok) throw new Error(_("The server answered %(status)s.", { status: answer.status }));
      found = /** @type {{query: string, also: string}} */ (await answer.json());
      this.addresses.set(event, found);
    }
    return found;
  }
}

/** @param {string} text */
const button = (text) => /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "button" }, [text]));
