// What the analysis says about a decision: the choices, best first, which one was made, and why another is better.

/** @import {ChoicesPage} from "../analysis/choices.js" */
/** @import {PlayAnswer} from "../analysis/types.js" */
/** @import {FileVerdict} from "./recording.js" */
/** @import {CubeDecision, Decision, Luck, Option, Report, Tally, Theme, Totals} from "./analysis.js" */
import { playTable } from "../analysis/choices.js";
import { _, ngettext, number, percent, pgettext } from "../board/language.js";
import { element } from "../dom.js";

const SIGNS = /** @type {Record<string, string>} */ ({ doubtful: "?!", error: "?", blunder: "??" });
const DONE = /** @type {Record<string, string>} */ ({ play: pgettext("decision", "Play"), double: _("Double"), "no double": _("No double"),
  take: _("Take"), pass: pgettext("cube", "Pass"), beaver: _("Beaver"), raccoon: _("Raccoon"), resign: _("Resignation"), accept: _("Answer to the resignation"),
  reject: _("Answer to the resignation"), call: _("Reroll"), keep: _("Roll let stand") });

/** What a resignation and its answer are called, where it is known what is resigned: a single game, a gammon, a backgammon. */
const ANSWERED = [_("Answer to the resignation of a single game"), _("Answer to the resignation of a gammon"), _("Answer to the resignation of a backgammon")];
const RESIGNED = /** @type {Record<string, string[]>} */ ({
  resign: [_("Resignation of a single game"), _("Resignation of a gammon"), _("Resignation of a backgammon")], accept: ANSWERED, reject: ANSWERED,
  Resign: [_("Resign a single game"), _("Resign a gammon"), _("Resign a backgammon")],
  Accept: [_("Accept a single game"), _("Accept a gammon"), _("Accept a backgammon")] });

/** Words that the server's reports have in English. @type {Record<string, string>} */
const WORDS = { doubtful: _("doubtful"), error: _("error"), blunder: _("blunder"), "very lucky": _("very lucky"), lucky: _("lucky"), unlucky: _("unlucky"), "very unlucky": _("very unlucky"), "no play": _("no play"),
  double: _("Double"), "no double": _("No double"), take: _("Take"), pass: pgettext("cube", "Pass"), beaver: _("Beaver"), "double/take": _("Double, take"), "double/pass": _("Double, pass"), "double/beaver": _("Double, beaver"), "too good": _("too good to double"), redouble: _("Redouble"),
  "No double": _("No double"), Double: _("Double"), Take: _("Take"), Pass: pgettext("cube", "Pass"), Beaver: _("Beaver"), Raccoon: _("Raccoon"), "Let it stand": _("Let it stand"),
  opening: _("opening"), blitz: _("blitz"), prime: _("prime"), "back game": _("back game"), "holding game": _("holding game"), contact: _("contact"), race: _("race"),
  "bear-off": _("bear-off"), "Roll over": _("Roll over"), Accept: _("Accept"), Reject: _("Reject"), "Play on": _("Play on"), Resign: _("Resign") };

/** A word of a report in the reader's language; notation as it is. @param {string} text */
export const worded = (text) => WORDS[text] ?? text;

/** An option of a decision in the reader's language; a play in notation. @param {string} text @param {Decision} decision */
export const optionText = (text, { level = 0 }) => RESIGNED[text]?.[level - 1] ?? worded(text || "no play");

/** What was done by a decision that is no play. @param {Decision} decision */
const doneText = ({ kind, level = 0 }) => RESIGNED[kind]?.[level - 1] ?? DONE[kind] ?? kind;

/** What was decided: a play with its roll, or an answer. @param {Decision} decision */
const madeText = (decision) => decision.kind === "play"
  ? `${(decision.faces ?? []).join("-")} ${optionText(decision.options[decision.chosen].text, decision)}` : doneText(decision);

/** A mistake as it is said: whose, what was done, how bad it is, and what is best. @param {Decision} decision @param {string} player */
export const mistakeText = (decision, player) => _("%(player)s: %(done)s, %(mark)s, loses %(loss)s; best %(best)s", { player, done: madeText(decision),
  mark: worded(decision.mark ?? ""), loss: number(decision.loss, 3), best: optionText(decision.options[0].text, decision) });

/** "?!", "?" or "??". @param {string | undefined} mark */
export const signOf = (mark) => SIGNS[mark ?? ""] ?? "";

/** How good an answer is, and the best one where it is known. @param {{text: string, loss: number, mark: string, listed?: boolean, best?: string}} answer
 * listed: otherwise it loses at least so much */
export function answerLines({ text, loss, mark, listed = true, best = "" }) {
  const values = { play: worded(text || "no play"), loss: number(loss, 3) };
  const said = !loss ? _("%(play)s: the best choice.", values)
    : `${listed ? _("%(play)s gives away %(loss)s.", values) : _("%(play)s gives away %(loss)s or more.", values)} ${signOf(mark)}`;
  return [paragraph(`quiz-said ${loss ? mark || "near" : "right"}`, said), ...(loss && best ? [element("p", {}, [_("Best is %(play)s.", { play: worded(best) })])] : [])];
}

/** @param {number} value */
const signed = (value) => number(value, 3, true);

export class Verdict {
  /** @param {HTMLElement} place @param {(option: Option | null, decision: Decision) => void} preview  shows what an option leads to
   * @param {Record<string, [string, string]>} [themes]  title and sentence of each
   * @param {import("./deeper.js").Deeper | null} [deeper]  offers more about a decision
   * @param {(decision: Decision) => FileVerdict | null} [said]  what another program says of it */
  constructor(place, preview, themes = {}, deeper = null, said = () => null) {
    this.place = place;
    this.preview = preview;
    this.themes = themes;
    this.deeper = deeper;
    this.said = said;
  }

  /** @param {Report} report @param {Decision[]} decisions  of one event @param {Luck | undefined} luck  of the roll before them @param {(player: number) => string} name */
  show(report, decisions, luck, name) {
    this.deeper?.leave();
    const parts = decisions.map((decision, index) => this.decision(report, decision, name(decision.player), index === 0));
    if (luck?.mark) parts.push(paragraph("luck", `${name(luck.player)}: ${luck.faces.join("-")}, ${worded(luck.mark)} (${signed(luck.luck)})`));
    if (!decisions.length) parts.unshift(paragraph("hint", _("Nothing is decided here.")));
    this.place.replaceChildren(...parts);
  }

  /** Shows this in place of what was said. @param {HTMLElement[]} parts */
  put(...parts) {
    this.deeper?.leave();
    this.place.replaceChildren(...parts);
  }

  /** @param {Report} report @param {Decision} decision @param {string} who @param {boolean} first  the costliest one of its event @returns {HTMLElement} */
  decision(report, decision, who, first) {
    const { mark, loss, cost, lesson, chosen, options, cube, themes, stage } = decision;
    const done = madeText(decision);
    const title = element("h3", {}, [`${who}: ${done}`]);
    if (mark) title.append(" ", element("b", { class: "mark-sign" }, [`${worded(mark)} ${signOf(mark)}`]));
    const box = element("article", { class: `verdict ${mark ?? ""}` }, [title]);
    const lost = loss ? report.length ? _("%(loss)s, %(share)s of the match", { loss: signed(-loss), share: percent(cost, 2) }) : signed(-loss) : "";
    box.append(paragraph("loss-line", [worded(stage), lost].filter(Boolean).join(" · ")));
    const said = this.said(decision)?.lines ?? [];
    if (said.length) box.append(element("div", { class: "from-file" }, said.map((text) => element("p", {}, [text]))));
    if (themes?.length) box.append(...themes.map((theme) => this.theme(theme)));
    else if (lesson) box.append(element("p", {}, [lesson]));
    else if (chosen === 0 && options.length > 1) box.append(paragraph("hint", _("The best choice.")));
    const table = this.table(decision);
    box.append(table);
    if (cube) table.append(paragraph("hint", cubeText(cube)));
    if (isDeeper(decision)) table.append(paragraph("hint", depthText(decision)));
    const tools = first && this.deeper?.tools(decision, decision.plies ?? report.plies, table, this.choices(decision));
    if (tools) box.append(tools);
    return box;
  }

  /** @param {Theme} theme */
  theme({ name, figures }) {
    const [title, sentence] = this.themes[name] ?? [name, ""];
    const filled = sentence.replace(/%\((\w+)\)s/g, (place, key) => figureText(key, figures[key] ?? place)).replaceAll("%%", "%");
    return element("p", { class: "theme" }, [element("b", {}, [title]), " ", filled]);
  }

  /** The choices of a decision, best first. @param {Decision} decision */
  table(decision) {
    const { options, kind, chosen } = decision;
    if (kind === "play") return element("div", {}, [playTable(options.map(asAnswer), options.length, this.choices(decision), true)]);
    const head = element("tr", {}, [_("Choice"), _("Equity"), _("Loss")].map((text) => element("th", { scope: "col" }, [text])));
    const rows = options.map(({ text, equity, loss }, index) => element("tr", index === chosen ? { class: "chosen" } : {},
      [`${optionText(text, decision)}${index === chosen ? " ✓" : ""}`, signed(equity), loss ? signed(-loss) : ""].map((cell) => element("td", {}, [cell]))));
    return element("div", {}, [element("table", {}, [head, ...rows])]);
  }

  /** What a press on a play does, and which one was made. @param {Decision} decision @returns {ChoicesPage} */
  choices(decision) {
    const made = JSON.stringify(decision.options[decision.chosen].position);
    const show = (/** @type {PlayAnswer | null} */ play) => this.preview(play && { ...play, text: play.text ?? "", value: 0 }, decision);
    return { point: show, make: show, title: _("Show on the board"), chosen: ({ position }) => JSON.stringify(position) === made };
  }
}

/** Whether a decision was looked at deeper than the rest of its match. @param {Decision} decision */
export const isDeeper = ({ plies, games }) => Boolean(plies || games);

/** How deep. @param {Decision} decision */
const depthText = ({ plies = 0, games = 0 }) => games ? ngettext("rolled out, %(num)s game", "rolled out, %(num)s games", games) : _("%(plies)s rolls ahead", { plies });

/** A play of a report as an answer about its position has it. @param {Option} option @returns {PlayAnswer} */
const asAnswer = ({ text, equity, loss, chances = [], moves = [], position = [] }) =>
  ({ text, equity, loss, chances, moves, position: /** @type {[number[], number[]]} */ (position), id: "" });

/** A figure of a theme: chances in percent, equities with their sign. @param {string} key @param {number | string} value */
function figureText(key, value) {
  if (typeof value === "string") return value;
  return key.endsWith("_share") ? percent(value) : key.endsWith("_equity") ? signed(value) : number(Math.round(value));
}

/** @param {string} kind  its class @param {string} text @returns {HTMLElement} */
const paragraph = (kind, text) => element("p", { class: kind }, [text]);

/** The moves of a choice; none where it is not a play. @param {Option} option */
export const asMoves = (option) => option.moves ?? [];

/** @param {number[]} counts  26 of points, the hand, a mask of pins */
export function sideFrom(counts) {
  const pinned = Array.from({ length: 24 }, (nothing, index) => index + 1).filter((point) => (counts[27] >> point) & 1);
  return { points: counts.slice(0, 26), hand: counts[26], pinned };
}

/** @param {CubeDecision} cube */
function cubeText({ no_double: stay, double_take: take, double_pass: pass, action, win, double, cash }) {
  return _("Right: %(action)s. No double %(stay)s, take %(take)s, pass %(pass)s. %(win)s of games won; double from about %(double)s, pass from about %(cash)s.", {
    action: worded(action), stay: signed(stay), take: signed(take), pass: signed(pass), win: percent(win), double: percent(double), cash: percent(cash) });
}

/** @typedef {[string, (totals: Totals, player: number) => string]} Row  a title, and what it says of a player */

/** @type {Row[]} */
const PARTS = [["plays", _("Plays")], ["cube", _("Cube")], ["calls", _("Rerolls")]].map(([group, title]) => [title, ({ groups }) => partText(groups[group])]);

/** @type {Row[]} */
const STAGES = ["opening", "blitz", "prime", "back game", "holding game", "contact", "race", "bear-off"].map((stage) =>
  [worded(stage), ({ stages }) => partText(stages[stage])]);

/** The rows of the totals, in groups with a title. @param {Report} report @returns {[string, Row[]][]} */
const rowsOf = (report) => [
  ["", [
    [_("Performance rating"), ({ total }) => number(total.rating, 2)],
    [_("Unforced decisions"), ({ total }) => String(total.unforced)],
    [`${_("Blunders")} ??`, ({ total }) => String(total.blunders)],
    [`${_("Resignations")} ??`, ({ groups }) => groups.resignations?.blunders ? String(groups.resignations.blunders) : ""],
    [`${_("Errors")} ?`, ({ total }) => String(total.errors)],
    [`${_("Doubtful")} ?!`, ({ total }) => String(total.doubtful)],
    [_("Equity lost"), ({ total }) => number(total.loss, 3)],
    [_("Lost by resignations, unrated"), ({ groups }) => lostText(groups.resignations)],
  ]],
  [_("Rating by decision (how many)"), PARTS],
  [_("Rating by kind of game (how many)"), STAGES],
  [_("Luck"), [
    [_("Equity of the rolls"), ({ luck }) => signed(luck)],
    [report.length ? _("Luck in the match") : _("Luck in points"), ({ luck_value: value }) => report.length ? percent(value) : signed(value)],
    [_("Luck-adjusted result"), (totals, player) => adjustedText(report, player)],
  ]],
];

/** What both players' decisions and rolls add up to. @param {HTMLElement} place @param {Report} report @param {(player: number) => string} name */
export function showTotals(place, report, name) {
  const names = element("tr", {}, [element("td"), ...report.players.map((totals, player) => element("th", { scope: "col" }, [name(player)]))]);
  const groups = rowsOf(report).map(([title, rows]) => {
    const shown = rows.map(([row, text]) => ({ row, values: report.players.map(text) })).filter(({ values }) => values.some(Boolean))
      .map(({ row, values }) => element("tr", {}, [element("th", { scope: "row" }, [row]), ...values.map((value) => element("td", {}, [value]))]));
    const head = title && shown.length ? [element("tr", {}, [element("th", { scope: "rowgroup", colspan: 3 }, [title])])] : [];
    return element("tbody", {}, [...head, ...shown]);
  });
  place.replaceChildren(element("table", {}, [element("thead", {}, [names]), ...groups]));
}

/** @param {Tally | undefined} part */
const partText = (part) => part?.unforced ? `${number(part.rating, 2)} (${part.unforced})` : "";

/** What no rating counts. @param {Tally | undefined} part */
const lostText = (part) => part?.loss ? number(part.loss, 3) : "";

/** A player's result less the luck of both sides: a chance to win the match, or points of a session. @param {Report} report @param {number} player */
function adjustedText({ adjusted, length }, player) {
  if (adjusted === null || adjusted === undefined) return "";
  return length ? percent(player ? 1 - adjusted : adjusted) : signed(player ? -adjusted : adjusted);
}
