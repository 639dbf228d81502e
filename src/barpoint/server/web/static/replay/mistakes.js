// The mistakes of a match that are looked at: of one side or of both, of a kind, of a size; which one is shown, and the next one.

/** @import {Analysis, Decision, Report} from "./analysis.js" */
/** @import {Recording} from "./recording.js" */
import { _, ngettext } from "../board/language.js";
import { all, element, find } from "../dom.js";
import { mistakeText, worded } from "./verdict.js";

const GROUPS = /** @type {Record<string, string[]>} */ ({ play: ["play"], cube: ["double", "no double", "take", "pass", "beaver", "raccoon"],
  calls: ["call", "keep"], resignations: ["resign", "accept", "reject"] });
const GROUP_NAMES = /** @type {Record<string, string>} */ ({ play: _("Plays"), cube: _("Cube"), calls: _("Rerolls"), resignations: _("Resignations") });
const STAGES = ["opening", "blitz", "prime", "back game", "holding game", "contact", "race", "bear-off"];
/** The value of what is no kind of mistake, but where another program calls another choice best. */
const DISPUTED = "disputed";

/** A choice that loses less is as good as the best one: `SAME` of the server's analysis. */
const SAME = 0.001;
const SIZES = /** @type {Record<string, string[]>} */ ({ all: ["doubtful", "error", "blunder"], error: ["error", "blunder"], blunder: ["blunder"] });

export class Mistakes {
  /** @param {Analysis} analysis @param {Recording} recording @param {{nameOf: (player: number) => string, worded: (theme: string) => string, changed: (player: number | null) => void}} page
   * changed: what is looked at; player: whose, null for both */
  constructor(analysis, recording, page) {
    this.analysis = analysis;
    this.recording = recording;
    this.page = page;
    this.whose = find("whose", HTMLSelectElement);
    this.kind = find("kinds", HTMLSelectElement);
    this.size = find("sizes", HTMLSelectElement);
    this.at = 0;
    for (const choice of [this.whose, this.kind, this.size]) {
      choice.addEventListener("change", () => {
        this.count();
        page.changed(choice === this.whose ? this.player : null);
      });
    }
  }

  /** Whose mistakes are looked at; null for both. */
  get player() {
    return this.whose.value === "" ? null : Number(this.whose.value);
  }

  /** Offers what there is. @param {Report} report @param {number} near */
  offer(report, near) {
    const marked = report.decisions.filter(({ mark }) => mark);
    const first = !this.whose.options.length, whose = this.whose.value;
    this.whose.replaceChildren(...[near, 1 - near].map((player) =>
      new Option(`${this.page.nameOf(player)} (${marked.filter((one) => one.player === player).length})`, String(player))),
    new Option(_("Both (%(count)s)", { count: marked.length }), ""));
    this.whose.value = first ? this.whose.dataset.chosen ?? "" : whose;
    const stages = STAGES.filter((stage) => marked.some((one) => one.stage === stage));
    const groups = Object.keys(GROUPS).filter((group) => marked.some((one) => GROUPS[group].includes(one.kind)));
    const themes = [...new Set(marked.flatMap((one) => (one.themes ?? []).map(({ name }) => name)))];
    const kind = this.kind.value;
    const disputed = report.decisions.some((one) => this.isDisputed(one)) ? [new Option(_("Where the programs disagree"), DISPUTED)] : [];
    this.kind.replaceChildren(new Option(_("All kinds"), ""), ...disputed,
      list(_("Decision"), groups.map((group) => new Option(GROUP_NAMES[group], `group:${group}`))),
      list(_("Kind of game"), stages.map((stage) => new Option(worded(stage), `stage:${stage}`))),
      list(_("Theme"), themes.map((theme) => new Option(this.page.worded(theme), `theme:${theme}`)).sort((a, b) => a.text.localeCompare(b.text))));
    this.kind.value = [...this.kind.options].some(({ value }) => value === kind) ? kind : "";
    this.count();
  }

  /** Whether the program that wrote the file calls best what loses something here. @param {Decision} decision */
  isDisputed(decision) {
    const said = this.recording.verdict(decision);
    return said !== null && !decision.options.some(({ text, loss }) => text === said.best && loss < SAME);
  }

  /** Whether a decision is one that is looked at. @param {Decision} decision */
  matches(decision) {
    const { mark, player, kind, stage, themes } = decision;
    if (this.kind.value === DISPUTED) return this.isDisputed(decision) && (this.player === null || player === this.player);
    const [by, name] = this.kind.value.split(":");
    const right = by === "group" ? GROUPS[name].includes(kind) : by === "stage" ? stage === name : by === "theme" ? Boolean(themes?.some((one) => one.name === name)) : true;
    return Boolean(mark) && right && (SIZES[this.size.value] ?? SIZES.all).includes(mark ?? "") && (this.player === null || player === this.player);
  }

  /** All that are looked at, in the order of play. @returns {Decision[]} */
  get found() {
    return this.analysis.report?.decisions.filter((one) => this.matches(one)) ?? [];
  }

  /** The next one from an event on, or back. @param {number} seq @param {1 | -1} way @returns {Decision | null} */
  next(seq, way) {
    const found = this.found;
    return (way > 0 ? found.find(({ event }) => event > seq) : found.findLast(({ event }) => event < seq)) ?? null;
  }

  /** Says which one is shown. @param {number} seq  the event that is decided on the board */
  show(seq) {
    this.at = seq;
    this.count();
  }

  /** Says how many there are, or which of them is shown; no button leads beyond the first and the last. */
  count() {
    const { found, at } = this;
    const shown = found.flatMap(({ event }, index) => (event === at ? [index + 1] : []));
    const place = shown.length ? this.placeText([...new Set([shown[0], ...shown.slice(-1)])].join("–"), found.length) : this.countText(found.length);
    const said = found.filter(({ event, mark }) => event === at && mark).map((one) => ` ${mistakeText(one, this.page.nameOf(one.player))}.`).join("");
    const box = find("errors");
    // The table below says the same to the eye.
    if (box.textContent !== `${place}${said && `.${said}`}`) box.replaceChildren(place, ...(said ? [element("span", { class: "hidden" }, [`.${said}`])] : []));
    for (const button of all("[data-error]")) button.toggleAttribute("disabled", !this.next(at, button.dataset.error === "1" ? 1 : -1));
  }

  /** @param {string} number  of the one that is shown, or of those of the same event @param {number} count */
  placeText(number, count) {
    if (this.kind.value === DISPUTED) return _("%(number)s of %(count)s", { number, count });
    return this.player === null ? _("Mistake %(number)s of %(count)s, both sides", { number, count })
      : _("%(player)s: mistake %(number)s of %(count)s", { player: this.page.nameOf(this.player), number, count });
  }

  /** @param {number} count */
  countText(count) {
    if (this.kind.value === DISPUTED) return ngettext("%(num)s decision", "%(num)s decisions", count);
    return this.player === null ? ngettext("%(num)s mistake of both sides", "%(num)s mistakes of both sides", count)
      : ngettext("%(player)s: %(num)s mistake", "%(player)s: %(num)s mistakes", count, { player: this.page.nameOf(this.player) });
  }
}

/** @param {string} label @param {HTMLOptionElement[]} options */
function list(label, options) {
  const group = element("optgroup", { label });
  group.append(...options);
  return group;
}
