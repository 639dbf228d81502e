// What the analysis says about a decision: the choices, best first, which one was made, and why another is better.

/** @import {CubeDecision, Decision, Luck, Option, Report, Tally, Totals} from "./analysis.js" */
import { element } from "../dom.js";

const SIGNS = /** @type {Record<string, string>} */ ({ doubtful: "?!", error: "?", blunder: "??" });
const DONE = /** @type {Record<string, string>} */ ({ play: "Play", double: "Double", "no double": "No double", take: "Take", pass: "Pass",
  beaver: "Beaver", raccoon: "Raccoon", resign: "Resignation", accept: "Answer to the resignation", reject: "Answer to the resignation",
  call: "Reroll", keep: "Roll let stand" });

/** "?!", "?" or "??". @param {string | undefined} mark */
export const signOf = (mark) => SIGNS[mark ?? ""] ?? "";

/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;

export class Verdict {
  /** @param {HTMLElement} place @param {(option: Option | null, decision: Decision) => void} preview  shows what an option leads to */
  constructor(place, preview) {
    this.place = place;
    this.preview = preview;
  }

  /** @param {Report} report @param {Decision[]} decisions  of one event @param {Luck | undefined} luck  of the roll before them @param {(player: number) => string} name */
  show(report, decisions, luck, name) {
    const parts = decisions.map((decision) => this.decision(report, decision, name(decision.player)));
    if (luck?.mark) parts.unshift(paragraph("luck", `${name(luck.player)}: ${luck.faces.join("-")}, ${luck.mark} (${signed(luck.luck)})`));
    if (!parts.length) parts.push(paragraph("hint", "Nothing is decided here."));
    this.place.replaceChildren(...parts);
  }

  /** @param {Report} report @param {Decision} decision @param {string} who @returns {HTMLElement} */
  decision(report, decision, who) {
    const { mark, loss, cost, kind, lesson, chosen, options, cube } = decision;
    const title = element("h3", {}, [`${who}: ${DONE[kind] ?? kind}`]);
    if (mark) title.append(" ", element("b", {}, [`${mark} ${signOf(mark)}`]));
    const box = element("article", { class: `verdict ${mark ?? ""}` }, [title]);
    if (loss) box.append(paragraph("lost", `${signed(-loss)}${report.length ? `, ${(100 * cost).toFixed(2)} % of the match` : ""}`));
    if (lesson) box.append(element("p", {}, [lesson]));
    else if (chosen === 0 && options.length > 1) box.append(paragraph("hint", "The best choice."));
    box.append(this.table(decision));
    if (cube) box.append(paragraph("hint", cubeText(cube)));
    return box;
  }

  /** @param {Decision} decision */
  table(decision) {
    const wins = decision.options.some(({ chances }) => chances?.length);
    const titles = ["Choice", "Equity", "Loss", ...(wins ? ["Wins"] : [])];
    const head = element("tr", {}, titles.map((text) => element("th", { scope: "col" }, [text])));
    return element("table", {}, [head, ...decision.options.map((option, index) => this.row(decision, option, index === decision.chosen, wins))]);
  }

  /** @param {Decision} decision @param {Option} option @param {boolean} chosen @param {boolean} wins  whether there is a column for them */
  row(decision, option, chosen, wins) {
    const text = `${option.text || "no play"}${chosen ? " ✓" : ""}`;
    const cells = [option.position ? this.previewButton(decision, option, text) : text, signed(option.equity), option.loss ? signed(-option.loss) : ""];
    if (wins) cells.push(option.chances?.length ? percent(option.chances[0]) : "");
    return element("tr", chosen ? { class: "chosen" } : {}, cells.map((cell) => element("td", {}, [cell])));
  }

  /** A button that shows on the board where a choice leads. @param {Decision} decision @param {Option} option @param {string} text */
  previewButton(decision, option, text) {
    const button = element("button", { type: "button", title: "Show on the board" }, [text]);
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
  return `Right: ${action}. No double ${signed(stay)}, take ${signed(take)}, pass ${signed(pass)}. ${percent(win)} of games won; double from ${percent(double)}, pass from ${percent(cash)}.`;
}

const PARTS = ["plays", "cube", "calls", "opening", "contact", "race", "bear-off"];

/** The rows of the totals: a title, and what it says of a player. @param {Report} report @returns {[string, (totals: Totals) => string][]} */
const rowsOf = (report) => [
  ["Performance rating", ({ total }) => total.rating.toFixed(2)],
  ["Unforced decisions", ({ total }) => String(total.unforced)],
  ["Blunders ??", ({ total }) => String(total.blunders)],
  ["Errors ?", ({ total }) => String(total.errors)],
  ["Doubtful ?!", ({ total }) => String(total.doubtful)],
  ["Lost", ({ total }) => total.loss.toFixed(3)],
  ...PARTS.map((part) => /** @type {[string, (totals: Totals) => string]} */ (
    [`– ${part === "calls" ? "rerolls" : part}`, ({ groups, stages }) => partText(groups[part] ?? stages[part])])),
  ["Luck", ({ luck }) => signed(luck)],
  [report.length ? "Luck in the match" : "Luck in points", ({ luck_value: value }) => report.length ? `${(100 * value).toFixed(1)} %` : signed(value)],
];

/** What both players' decisions add up to. @param {HTMLElement} place @param {Report} report @param {(player: number) => string} name */
export function showTotals(place, report, name) {
  const names = element("tr", {}, [element("td"), ...report.players.map((_, player) => element("th", { scope: "col" }, [name(player)]))]);
  const rows = rowsOf(report).map(([title, text]) => ({ title, values: report.players.map(text) }))
    .filter(({ values }) => values.some(Boolean))
    .map(({ title, values }) =>
      element("tr", {}, [element("th", { scope: "row" }, [title]), ...values.map((value) => element("td", {}, [value]))]));
  place.replaceChildren(element("table", {}, [names, ...rows]));
  if (report.adjusted === null || report.result === null) return;
  const shown = report.length ? `${(100 * report.adjusted).toFixed(1)} %` : `${signed(report.adjusted)} points`;
  place.append(paragraph("hint", `Without luck ${name(0)} would have had ${shown}${report.length ? " of this match" : ""}.`));
}

/** @param {Tally | undefined} part */
const partText = (part) => part?.unforced ? `${part.rating.toFixed(2)} (${part.unforced})` : "";
