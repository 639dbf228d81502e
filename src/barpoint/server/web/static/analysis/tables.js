// Tables of an answer: the rolls as a heat map, the match scores, and the counts.

/** @import {Counts, MatrixCell, RollAnswer, RollTable, ScoreMatrix} from "./types.js" */
import { _, number as decimal } from "../board/language.js";
import { element, whilePointed } from "../dom.js";
import { gotText, netText, plain, signed } from "./numbers.js";

/** The strongest tint of a cell, per cent of its colour. */
const TINT = 55;
/** The gain over the mean that has it. */
const FULL = 0.4;

/** @param {RollTable} table @param {{choose: (roll: RollAnswer) => void, point: (roll: RollAnswer | null) => void}} page */
export function rollsOf(table, page) {
  const line = element("p", { class: "roll-line", role: "status" }, [_("Mean %(mean)s. Point at a roll for its best play; press it to look closer.", { mean: signed(table.mean) })]);
  const cell = (/** @type {RollAnswer} */ roll) => {
    const faces = roll.faces.join("-");
    const button = element("button", { type: "button", "aria-label": `${faces}: ${roll.text || _("no play")}, ${signed(roll.equity)}` }, [signed(roll.equity, 2)]);
    tint(button, roll.gain);
    const show = () => {
      line.textContent = _("%(faces)s: %(play)s, %(equity)s, %(gain)s against the mean", { faces, play: roll.text || _("no play"), equity: signed(roll.equity), gain: signed(roll.gain) });
      page.point(roll);
    };
    whilePointed(button, show, () => page.point(null));
    button.addEventListener("click", () => page.choose(roll));
    return button;
  };
  return [rollGrid(table.table, cell), line, element("p", { class: "hint", title: netText(table) }, [gotText(table)])];
}

/**
 * A table of all rolls: six by six for two dice, else one roll after another.
 * @template {{faces: number[]}} T
 * @param {T[]} rolls @param {(roll: T) => HTMLElement} cell @param {boolean} titled the cells of a list do not say which roll they are
 */
export function rollGrid(rolls, cell, titled = true) {
  if (rolls[0].faces.length !== 2) {
    const title = (/** @type {T} */ { faces }) => element("span", { class: "face" }, [faces.join("-")]);
    return element("div", { class: "roll-cells" }, rolls.map((roll) => element("div", {}, titled ? [title(roll), cell(roll)] : [cell(roll)])));
  }
  const faces = [1, 2, 3, 4, 5, 6];
  const found = (/** @type {number} */ a, /** @type {number} */ b) => /** @type {T} */ (
    rolls.find((roll) => roll.faces[0] === Math.max(a, b) && roll.faces[1] === Math.min(a, b)));
  const head = element("tr", {}, [element("td"), ...faces.map((face) => element("th", { scope: "col" }, [String(face)]))]);
  const rows = faces.map((face) => element("tr", {}, [
    element("th", { scope: "row" }, [String(face)]), ...faces.map((other) => element("td", {}, [cell(found(face, other))]))]));
  return element("table", { class: "heat" }, [element("thead", {}, [head]), element("tbody", {}, rows)]);
}

/** Colours a cell by what it gains: green above the mean, red below. @param {HTMLElement} cell @param {number} gain */
function tint(cell, gain) {
  cell.dataset.gain = gain < 0 ? "less" : "more";
  cell.style.setProperty("--tint", `${(Math.min(1, Math.abs(gain) / FULL) * TINT).toFixed(0)}%`);
}

const SHORT = /** @type {Record<string, string>} */ ({ "no double": "ND", "double/take": "D/T", "double/pass": "D/P", "double/beaver": "D/B",
  "too good": "TG", "": "–" });
const LONG = /** @type {Record<string, string>} */ ({ "no double": _("no double"), "double/take": _("double, take"),
  "double/pass": _("double, pass"), "double/beaver": _("double, beaver"), "too good": _("too good to double"), "": _("may not double") });
const LETTERS = "ABCDEFGH";

/** @param {ScoreMatrix} matrix */
export function scoresOf(matrix) {
  const cells = [...matrix.rows.flat(), ...matrix.after_us, ...matrix.after_them, ...matrix.places, matrix.money];
  const letters = lettersOf(matrix, cells);
  const line = element("p", { class: "roll-line", role: "status" }, [_("Rows: points the player to act needs; columns: points the other side needs.")]);
  const cell = (/** @type {MatrixCell} */ one) => matrixCell(matrix, one, letters, line);
  const count = matrix.rows.length;
  const head = element("tr", {}, [element("td"), ...matrix.rows.map((_, index) => element("th", { scope: "col" }, [String(index + 1)]))]);
  const rows = matrix.rows.map((row, index) => element("tr", {}, [
    element("th", { scope: "row" }, [String(index + 1)]), ...row.map((one) => element("td", {}, [cell(one)]))]));
  const after = element("tbody", { class: "after" }, [
    element("tr", {}, [element("th", { scope: "rowgroup", colspan: count + 1 }, [_("After the Crawford game, the player to act needs 1")])]),
    element("tr", {}, [element("td"), ...matrix.after_us.map((one) => element("td", {}, [cell(one)]))]),
    element("tr", {}, [element("th", { scope: "rowgroup", colspan: count + 1 }, [_("After the Crawford game, the other side needs 1")])]),
    element("tr", {}, [element("td"), ...matrix.after_them.map((one) => element("td", {}, [cell(one)]))]),
  ]);
  const places = [_("Cube centred"), _("Own cube"), _("Other’s cube")].map((name, index) => element("li", {}, [
    element("span", {}, [name]), element("b", {}, [nameOf(matrix, matrix.places[index])]), element("span", {}, [signed(matrix.places[index].equity)])]));
  const money = element("li", {}, [element("span", {}, [_("Money")]), element("b", {}, [nameOf(matrix, matrix.money)]), element("span", {}, [signed(matrix.money.equity)])]);
  const legend = element("ul", { class: "legend-list" }, [...letters].map(([name, letter]) => element("li", { "data-tone": toneOf(matrix, name, letter) }, [`${letter} ${name || _("no play")}`])));
  return [
    element("ul", { class: "places", "aria-label": _("By the place of the cube") }, [...places, money]),
    element("table", { class: "heat scores" }, [element("caption", {}, [_("Points the player to act needs (rows), and the other side (columns)")]), element("thead", {}, [head]), element("tbody", {}, rows), after]),
    line,
    ...(matrix.kind === "play" ? [legend] : []),
    element("p", { class: "hint", title: netText(matrix) }, [`${gotText(matrix)}. ${_("With one point to go it is the Crawford game.")}`]),
  ];
}

/** The plays of the matrix by letters, the most frequent first. @param {ScoreMatrix} matrix @param {MatrixCell[]} cells */
function lettersOf(matrix, cells) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { choice } of cells) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  const order = [...counts].sort(([, a], [, b]) => b - a).map(([choice]) => choice);
  return new Map(matrix.kind === "play" ? order.map((choice, index) => [choice, LETTERS[index] ?? "·"]) : []);
}

/** @param {ScoreMatrix} matrix @param {MatrixCell} cell */
const nameOf = ({ kind }, { choice }) => (kind === "cube" ? LONG[choice] ?? choice : choice || _("no play"));

/** The colour of a choice, by a name that the style sheet knows. @param {ScoreMatrix} matrix @param {string} choice @param {string} letter */
const toneOf = ({ kind }, choice, letter) => (kind === "cube" ? SHORT[choice]?.replace("/", "").toLowerCase() ?? "" : `play-${letter.toLowerCase()}`);

/** @param {ScoreMatrix} matrix @param {MatrixCell} one @param {Map<string, string>} letters @param {HTMLElement} line */
function matrixCell(matrix, one, letters, line) {
  const letter = letters.get(one.choice) ?? "";
  const text = matrix.kind === "cube" ? SHORT[one.choice] ?? one.choice : letter;
  const [us, them] = one.away ?? [0, 0];
  const away = one.crawford ? _("%(us)s-away against %(them)s-away, Crawford", { us, them }) : _("%(us)s-away against %(them)s-away", { us, them });
  const ahead = one.margin ? `, ${_("ahead by %(margin)s", { margin: plain(one.margin) })}` : "";
  const long = `${away}: ${nameOf(matrix, one)}, ${signed(one.equity)}${ahead}`;
  const cell = element("button", { type: "button", "aria-label": long, "data-tone": toneOf(matrix, one.choice, letter) }, [text]);
  const tell = () => void (line.textContent = long);
  whilePointed(cell, tell);
  cell.addEventListener("click", tell);
  return cell;
}

/** @param {number} hits @param {number} rolls */
const hitsOf = (hits, rolls) => _("%(hits)s of %(rolls)s", { hits, rolls });

/** @param {Counts} counts @param {string} us @param {string} them */
export function countsOf(counts, us, them) {
  const number = (/** @type {number | null} */ value) => (value === null ? "–" : decimal(value, 2));
  const rows = /** @type {[string, string, string][]} */ ([
    [_("Pips"), String(counts.pips[0]), String(counts.pips[1])],
    [_("Effective pips"), number(counts.effective[0]), number(counts.effective[1])],
    [_("Wastage"), number(counts.wastage[0]), number(counts.wastage[1])],
    [_("Rolls that hit"), hitsOf(counts.shots, counts.rolls), hitsOf(counts.answered, counts.rolls)],
  ]);
  const head = element("tr", {}, [element("td"), element("th", { scope: "col" }, [us]), element("th", { scope: "col" }, [them])]);
  const table = element("table", { class: "counts" }, [element("thead", {}, [head]), element("tbody", {}, rows.map(([name, a, b]) => element("tr", {}, [
    element("th", { scope: "row" }, [name]), element("td", {}, [a]), element("td", {}, [b])])))]);
  return [table, ...formulasOf(counts)];
}

/** @param {Counts} counts */
function formulasOf({ race, formulas }) {
  if (!race) return [element("p", { class: "hint" }, [_("Race formulas count where there is no contact.")])];
  if (!formulas.length) return [];
  const verdict = (/** @type {Counts["formulas"][number]} */ { double, redouble, take }) =>
    !double ? _("no double") : redouble ? (take ? _("redouble, take") : _("redouble, pass")) : take ? _("double, no redouble; take") : _("double, no redouble; pass");
  const head = element("tr", {}, [_("Formula"), _("Own"), _("Other"), _("Says")].map((text) => element("th", { scope: "col" }, [text])));
  return [element("table", { class: "counts" }, [element("thead", {}, [head]), element("tbody", {}, formulas.map((one) => element("tr", {}, [
    element("th", { scope: "row" }, [one.name]), element("td", {}, [decimal(one.us, 1)]), element("td", {}, [decimal(one.them, 1)]), element("td", {}, [verdict(one)])])))]),
  element("p", { class: "hint" }, [_("Effective pips are exact. The formulas are rules of thumb.")])];
}
