// What the analysis says about a decision: the choices, best first, which one was made, and why another is better.

/** @import {CubeDecision, Decision, Luck, Option, Report, Tally, Totals} from "./analysis.js" */
import { _, number, pgettext } from "../board/language.js";
import { element } from "../dom.js";

const SIGNS = /** @type {Record<string, string>} */ ({ doubtful: "?!", error: "?", blunder: "??" });
const DONE = /** @type {Record<string, string>} */ ({ play: pgettext("decision", "Play"), double: _("Double"), "no double": _("No double"),
  take: _("Take"), pass: pgettext("cube", "Pass"), beaver: _("Beaver"), raccoon: _("Raccoon"), resign: _("Resignation"), accept: _("Answer to the resignation"),
  reject: _("Answer to the resignation"), call: _("Reroll"), keep: _("Roll let stand") });

/** Words that the server's reports have in English. @type {Record<string, string>} */
const WORDS = { doubtful: _("doubtful"), error: _("error"), blunder: _("blunder"), joker: _("joker"), lucky: _("lucky"), unlucky: _("unlucky"), "no play": _("no play"),
  double: _("Double"), "no double": _("No double"), take: _("Take"), pass: pgettext("cube", "Pass"), beaver: _("Beaver"), "too good": _("too good to double"), redouble: _("Redouble"),
  "No double": _("No double"), Double: _("Double"), Take: _("Take"), Pass: pgettext("cube", "Pass"), Beaver: _("Beaver"), Raccoon: _("Raccoon"), "Let it stand": _("Let it stand"),
  "Roll over": _("Roll over"), Accept: _("Accept"), Reject: _("Reject"), "Play on": _("Play on"), Resign: _("Resign") };

/** A word of a report in the reader's language; notation as it is. @param {string} text */
export const worded = (text) => WORDS[text] ?? text;

/** "?!", "?" or "??". @param {string | undefined} mark */
export const signOf = (mark) => SIGNS[mark ?? ""] ?? "";

/** @param {number} value */
const signed = (value) => number(value, 3, true);

/** @param {number} share @param {number} [decimals] */
export const percent = (share, decimals = 1) => `${number(100 * share, decimals)} %`;

export class Verdict {
  /** @param {HTMLElement} place @param {(option: Option | null, decision: Decision) => void} preview  shows what an option leads to */
  constructor(place, preview) {
    this.place = place;
    this.preview = preview;
  }

  /** @param {Report} report @param {Decision[]} decisions  of one event @param {Luck | undefined} luck  of the roll before them @param {(player: number) => string} name */
  show(report, decisions, luck, name) {
    const parts = decisions.map((decision) => this.decision(report, decision, name(decision.player)));
    if (luck?.mark) parts.unshift(paragraph("luck", `${name(luck.player)}: ${luck.faces.join("-")}, ${worded(luck.mark)} (${signed(luck.luck)})`));
    if (!parts.length) parts.push(paragraph("hint", _("Nothing is decided here.")));
    this.place.replaceChildren(...parts);
  }

  /** @param {Report} report @param {Decision} decision @param {string} who @returns {HTMLElement} */
  decision(report, decision, who) {
    const { mark, loss, cost, kind, lesson, chosen, options, cube } = decision;
    const title = element("h3", {}, [`${who}: ${DONE[kind] ?? kind}`]);
    if (mark) title.append(" ", element("b", {}, [`${worded(mark)} ${signOf(mark)}`]));
    const box = element("article", { class: `verdict ${mark ?? ""}` }, [title]);
    if (loss) box.append(paragraph("lost", report.length ? _("%(loss)s, %(share)s of the match", { loss: signed(-loss), share: percent(cost, 2) }) : signed(-loss)));
    if (lesson) box.append(element("p", {}, [lesson]));
    else if (chosen === 0 && options.length > 1) box.append(paragraph("hint", _("The best choice.")));
    box.append(this.table(decision));
    if (cube) box.append(paragraph("hint", cubeText(cube)));
    return box;
  }

  /** @param {Decision} decision */
  table(decision) {
    const wins = decision.options.some(({ chances }) => chances?.length);
    const titles = [_("Choice"), _("Equity"), _("Loss"), ...(wins ? [_("Wins")] : [])];
    const head = element("tr", {}, titles.map((text) => element("th", { scope: "col" }, [text])));
    return element("table", {}, [head, ...decision.options.map((option, index) => this.row(decision, option, index === decision.chosen, wins))]);
  }

  /** @param {Decision} decision @param {Option} option @param {boolean} chosen @param {boolean} wins  whether there is a column for them */
  row(decision, option, chosen, wins) {
    const text = `${worded(option.text || "no play")}${chosen ? " ✓" : ""}`;
    const cells = [option.position ? this.previewButton(decision, option, text) : text, signed(option.equity), option.loss ? signed(-option.loss) : ""];
    if (wins) cells.push(option.chances?.length ? percent(option.chances[0]) : "");
    return element("tr", chosen ? { class: "chosen" } : {}, cells.map((cell) => element("td", {}, [cell])));
  }

  /** A button that shows on the board where a choice leads. @param {Decision} decision @param {Option} option @param {string} text */
  previewButton(decision, option, text) {
    const button = element("button", { type: "button", title: _("Show on the board") }, [text]);
    for (const begin of ["mouseenter", "focus", "click"]) button.addEventListener(begin, () => this.preview(option, decision));
    for (const end of ["mouseleave", "blur"]) button.addEventListener(end, () => this.preview(null, decision));
    return button;
  }
}

/** @param {string} kind  its class @param {string} text @returns {HTMLElement} */
const paragraph = (kind, text) => element("p", { class: kind }, [text]);

/** The moves of a choice; none where it is not a play. @param {Option} option */
export const asMoves = (option) => option.moves ?? [];

/** @param {CubeDecision} cube */
function cubeText({ no_double: stay, double_take: take, double_pass: pass, action, win, double, cash }) {
  return _("Right: %(action)s. No double %(stay)s, take %(take)s, pass %(pass)s. %(win)s of games won; double from %(double)s, pass from %(cash)s.", {
    action: worded(action), stay: signed(stay), take: signed(take), pass: signed(pass), win: percent(win), double: percent(double), cash: percent(cash) });
}

/** @type {[string, string][]} */
const PARTS = [["plays", _("plays")], ["cube", _("cube")], ["calls", _("rerolls")], ["opening", _("opening")], ["contact", _("contact")], ["race", _("race")],
  ["bear-off", _("bear-off")]];

/** The rows of the totals: a title, and what it says of a player. @param {Report} report @returns {[string, (totals: Totals) => string][]} */
const rowsOf = (report) => [
  [_("Performance rating"), ({ total }) => number(total.rating, 2)],
  [_("Unforced decisions"), ({ total }) => String(total.unforced)],
  [`${_("Blunders")} ??`, ({ total }) => String(total.blunders)],
  [`${_("Errors")} ?`, ({ total }) => String(total.errors)],
  [`${_("Doubtful")} ?!`, ({ total }) => String(total.doubtful)],
  [pgettext("equity", "Lost"), ({ total }) => number(total.loss, 3)],
  ...PARTS.map(([part, title]) => /** @type {[string, (totals: Totals) => string]} */ (
    [`– ${title}`, ({ groups, stages }) => partText(groups[part] ?? stages[part])])),
  [_("Luck"), ({ luck }) => signed(luck)],
  [report.length ? _("Luck in the match") : _("Luck in points"), ({ luck_value: value }) => report.length ? percent(value) : signed(value)],
];

/** What both players' decisions add up to. @param {HTMLElement} place @param {Report} report @param {(player: number) => string} name */
export function showTotals(place, report, name) {
  const names = element("tr", {}, [element("td"), ...report.players.map((totals, player) => element("th", { scope: "col" }, [name(player)]))]);
  const rows = rowsOf(report).map(([title, text]) => ({ title, values: report.players.map(text) }))
    .filter(({ values }) => values.some(Boolean))
    .map(({ title, values }) =>
      element("tr", {}, [element("th", { scope: "row" }, [title]), ...values.map((value) => element("td", {}, [value]))]));
  place.replaceChildren(element("table", {}, [names, ...rows]));
  if (report.adjusted === null || report.result === null) return;
  const player = name(0);
  place.append(paragraph("hint", report.length ? _("Without luck %(player)s would have had %(share)s of this match.", { player, share: percent(report.adjusted) })
    : _("Without luck %(player)s would have had %(points)s points.", { player, points: signed(report.adjusted) })));
}

/** @param {Tally | undefined} part */
const partText = (part) => part?.unforced ? `${number(part.rating, 2)} (${part.unforced})` : "";
