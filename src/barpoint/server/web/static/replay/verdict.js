// What the analysis says about a decision: what could be done, best first, with what was done, and why.

/** @import {Decision, Luck, Option, Report} from "./analysis.js" */

const SIGNS = /** @type {Record<string, string>} */ ({ doubtful: "?!", error: "?", blunder: "??" });
const DONE = /** @type {Record<string, string>} */ ({ play: "Play", double: "Double", "no double": "No double", take: "Take", pass: "Pass",
  beaver: "Beaver", raccoon: "Raccoon", resign: "Resignation", accept: "Answer to the resignation", reject: "Answer to the resignation",
  call: "Roll called off", keep: "Roll let stand" });

/** @param {string} name @param {string} [text] @param {string} [kind] */
function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

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
    if (luck?.mark) parts.unshift(element("p", `${name(luck.player)}: ${luck.faces.join("-")}, a ${luck.mark} roll (${signed(luck.luck)})`, "luck"));
    if (!parts.length) parts.push(element("p", "Nothing is decided here.", "hint"));
    this.place.replaceChildren(...parts);
  }

  /** @param {Report} report @param {Decision} decision @param {string} who */
  decision(report, decision, who) {
    const box = element("article", "", `verdict ${decision.mark ?? ""}`);
    const loss = decision.loss ? `${signed(-decision.loss)}${report.length ? `, ${(100 * decision.cost).toFixed(2)} % of the match` : ""}` : "";
    const title = element("h3", `${who}: ${DONE[decision.kind] ?? decision.kind}`);
    if (decision.mark) title.append(" ", element("b", `${decision.mark} ${signOf(decision.mark)}`));
    box.append(title);
    if (loss) box.append(element("p", loss, "lost"));
    if (decision.lesson) box.append(element("p", decision.lesson));
    else if (decision.chosen === 0 && decision.options.length > 1) box.append(element("p", "The best choice.", "hint"));
    box.append(this.table(decision));
    if (decision.cube) box.append(element("p", cubeText(decision.cube), "hint"));
    return box;
  }

  /** @param {Decision} decision */
  table(decision) {
    const table = element("table");
    const head = element("tr");
    const wins = decision.options.some(({ chances }) => chances?.length);
    for (const text of ["Choice", "Equity", "Loss", ...(wins ? ["Wins"] : [])]) {
      const cell = element("th", text);
      cell.setAttribute("scope", "col");
      head.append(cell);
    }
    table.append(head);
    decision.options.forEach((option, index) => {
      const row = element("tr", "", index === decision.chosen ? "chosen" : "");
      const cell = element("td");
      const text = `${option.text || "no play"}${index === decision.chosen ? " ✓" : ""}`;
      if (option.position) {
        const button = element("button", text);
        button.setAttribute("type", "button");
        button.title = "Show on the board";
        for (const begin of ["mouseenter", "focus"]) button.addEventListener(begin, () => this.preview(option, decision));
        for (const end of ["mouseleave", "blur"]) button.addEventListener(end, () => this.preview(null, decision));
        button.addEventListener("click", () => this.preview(option, decision));
        cell.append(button);
      } else cell.append(text);
      row.append(cell, element("td", signed(option.equity)), element("td", option.loss ? signed(-option.loss) : ""));
      if (wins) row.append(element("td", option.chances?.length ? percent(option.chances[0]) : ""));
      table.append(row);
    });
    return table;
  }
}

/** @param {import("./analysis.js").CubeFigures} cube */
function cubeText({ no_double: stay, double_take: take, double_pass: pass, action, win, double, cash }) {
  return `Right: ${action}. No double ${signed(stay)}, take ${signed(take)}, pass ${signed(pass)}. ${percent(win)} of games won; double from ${percent(double)}, pass from ${percent(cash)}.`;
}

/** What both players' decisions add up to. @param {HTMLElement} place @param {Report} report @param {(player: number) => string} name */
export function showTotals(place, report, name) {
  const table = element("table");
  const rows = /** @type {[string, (totals: import("./analysis.js").Totals) => string][]} */ ([
    ["", () => ""],
    ["Performance rating", ({ total }) => total.rating.toFixed(2)],
    ["Unforced decisions", ({ total }) => String(total.unforced)],
    ["Blunders ??", ({ total }) => String(total.blunders)],
    ["Errors ?", ({ total }) => String(total.errors)],
    ["Doubtful ?!", ({ total }) => String(total.doubtful)],
    ["Lost", ({ total }) => total.loss.toFixed(3)],
    ...["plays", "cube", "calls", "opening", "contact", "race", "bear-off"].map((part) =>
      [`– ${part}`, (/** @type {any} */ { groups, stages }) => partText(groups[part] ?? stages[part])]),
    ["Luck", ({ luck }) => signed(luck)],
    [report.length ? "Luck in the match" : "Luck in points", ({ luck_worth: worth }) => report.length ? `${(100 * worth).toFixed(1)} %` : signed(worth)],
  ]);
  rows.forEach(([title, text], index) => {
    const values = report.players.map((totals, player) => index ? text(totals) : name(player));
    if (index && values.every((value) => value === "")) return;
    const row = element("tr");
    const head = element(index ? "th" : "td", title);
    if (index) head.setAttribute("scope", "row");
    row.append(head, ...values.map((value) => {
      const cell = element(index ? "td" : "th", value);
      if (!index) cell.setAttribute("scope", "col");
      return cell;
    }));
    table.append(row);
  });
  place.replaceChildren(table);
  if (report.adjusted !== null && report.result !== null) {
    const first = name(0);
    const shown = report.length ? `${(100 * report.adjusted).toFixed(1)} %` : `${signed(report.adjusted)} points`;
    place.append(element("p", `Without luck ${first} would have had ${shown}${report.length ? " of this match" : ""}.`, "hint"));
  }
}

/** @param {import("./analysis.js").Tally | undefined} part */
const partText = (part) => part?.unforced ? `${part.rating.toFixed(2)} (${part.unforced})` : "";
