// The answer about a position as a table: plays with their chances, or the cube actions with the market window.

/** @import {CubeAnswer, OtherShown, PlayAnswer, PositionAnswer} from "./types.js" */
import { _, ngettext, percent, pgettext } from "../board/language.js";
import { element, whilePointed } from "../dom.js";
import { signOf } from "../replay/verdict.js";
import { chancesText, hundredths, plain, signed } from "./numbers.js";

const SHOWN = 6;

/**
 * @typedef {object} ChoicesPage
 * @property {(play: PlayAnswer | null) => void} point  shows a play on the board; null shows the position again
 * @property {(play: PlayAnswer) => void} make
 * @property {string} [title]  what a press does, if it does not make the play
 * @property {(play: PlayAnswer) => boolean} [chosen]  whether this play was made
 * @property {OtherShown} [other]  what another program found
 * @property {(play: PlayAnswer) => HTMLElement} [tick]  what stands before a play, to choose it for a rollout
 */

/** @param {PositionAnswer} answer @param {ChoicesPage} page @param {boolean} all  every play that the server sent @returns {HTMLElement[]} */
export function choicesOf(answer, page, all) {
  const parts = [];
  if (answer.cube) parts.push(cubeTable(answer, answer.cube, page.other));
  else if (!answer.plays?.length) parts.push(chanceLine(answer));
  if (answer.plays?.length) parts.push(playTable(answer.plays, answer.count ?? answer.plays.length, page, all));
  if (answer.reroll) {
    const { action, keep, reroll } = answer.reroll;
    parts.push(paragraph("reroll", action === "call" ? _("Reroll: the roll is worth %(keep)s, a new one %(reroll)s.", { keep: signed(keep), reroll: signed(reroll) })
      : _("Keep the roll: it is worth %(keep)s, a new one %(reroll)s.", { keep: signed(keep), reroll: signed(reroll) })));
  }
  return parts;
}

/** @param {PositionAnswer} answer */
const chanceLine = ({ chances, equity }) => element("div", {}, [
  paragraph("equity", _("Equity %(equity)s", { equity: signed(equity) })), chancesRow(chances)]);

/** @param {number[]} chances */
function chancesRow(chances) {
  const [us, them] = chancesText(chances);
  return element("p", { class: "chances" }, [
    element("span", {}, [element("i", {}, [_("wins"), " "]), us]), element("span", {}, [element("i", {}, [_("loses"), " "]), them])]);
}

/** Plays, best first, with the chances of both sides. @param {PlayAnswer[]} plays @param {number} count  of all there are @param {ChoicesPage} page @param {boolean} all */
export function playTable(plays, count, page, all) {
  const shown = plays.map((play, index) => ({ play, index })).filter(({ play, index }) => all || index < SHOWN || page.chosen?.(play));
  const list = element("ol", { class: "plays" }, shown.map(({ play, index }) => playRow(play, index, page)));
  const rest = all && count > plays.length ? ngettext("%(num)s more is worse", "%(num)s more are worse", count - plays.length) : "";
  const figures = plays[0]?.mwc === undefined ? _("equity, loss") : _("equity, match or loss");
  return element("div", {}, [
    element("p", { class: "legend" }, [element("span", { title: _("win · gammon · backgammon – loss · gammon · backgammon") }, [_("win · G · BG – loss · G · BG")]), element("span", {}, [figures])]),
    list, ...(rest ? [paragraph("hint", rest)] : [])]);
}

/** @param {PlayAnswer} play @param {number} index @param {ChoicesPage} page */
function playRow(play, index, page) {
  const { text, equity, loss, chances, mark, mwc } = play;
  const [us, them] = chancesText(chances);
  const name = text || _("No play");
  const button = element("button", { type: "button", class: "play", title: page.title ?? _("Make this play") }, [
    element("span", {}, [element("b", { class: "text" }, [name]), lessText(play), ...otherText(page.other, page.other?.options?.find((one) => one.text === name)?.equity)]),
    element("span", { class: "equity" }, [signed(equity)]),
    element("span", { class: "chances" }, [element("span", {}, [us]), " – ", element("span", {}, [them])]),
    element("span", { class: `loss ${mark ?? ""}` }, [index ? signed(-loss) : mwc === undefined ? _("best") : percent(mwc), signOf(mark) ? ` ${signOf(mark)}` : ""]),
  ]);
  whilePointed(button, () => page.point(play), () => page.point(null));
  button.addEventListener("click", () => page.make(play));
  const chosen = page.chosen?.(play);
  if (chosen) button.append(element("span", { class: "hidden" }, [_("this play was made")]));
  return element("li", { value: index + 1, ...(chosen ? { class: "chosen" } : {}) }, [...(page.tick ? [page.tick(play)] : []), button]);
}

/** What another program says of a choice, beside ours. @param {OtherShown | undefined} other @param {number | undefined} equity */
const otherText = (other, equity) => equity === undefined ? [] : [element("small", { class: "other" }, [`${other?.program || _("In the text")} ${signed(equity)}`])];

/** How deep a play was searched that fell behind before the last search. @param {PlayAnswer} play */
const lessText = ({ deep, plies }) => deep !== false ? ""
  : element("small", { class: "less" }, [plies === undefined ? _("less deep") : _("%(plies)s-ply only", { plies })]);

const REASONS = /** @type {Record<string, string>} */ ({ "nobody may double in the Crawford game": _("nobody may double in the Crawford game"),
  "the other side owns the cube": _("the other side owns the cube") });
const ACTIONS = /** @type {Record<string, string>} */ ({ "no double": _("No double, take"), "double/take": _("Double, take"),
  "double/pass": _("Double, pass"), "double/beaver": _("Double, beaver"), "too good": _("Too good to double, pass") });

/** The cube action of both sides in words. @param {string} action */
export const actionText = (action) => ACTIONS[action] ?? action;

/** The right one of the rows no double, take and pass; -1 where no action is known. @param {string | undefined} action */
export const rightRow = (action) => (!action ? -1 : action === "no double" || action === "too good" ? 0 : action === "double/pass" ? 2 : 1);

/** @param {PositionAnswer} answer @param {CubeAnswer} cube @param {OtherShown} [other] */
function cubeTable(answer, cube, other) {
  const rows = /** @type {[string, number][]} */ ([[_("No double"), cube.no_double], [_("Double, take"), cube.double_take], [_("Double, pass"), cube.double_pass]]);
  const right = rightRow(cube.action);
  const body = rows.map(([name, equity], index) => element("tr", index === right ? { class: "best" } : {}, [
    element("th", { scope: "row" }, [name, ...otherText(other, other?.cube?.[index])]), element("td", {}, [signed(equity)]), element("td", {}, [index === right ? _("best") : signed(cube.relative[index])]),
    element("td", {}, [cube.mwc ? percent(cube.mwc[index]) : ""])]));
  if (cube.reason) {
    return element("div", {}, [paragraph("action", _("No double: %(reason)s", { reason: REASONS[cube.reason] ?? cube.reason })), paragraph("equity", _("Equity %(equity)s", { equity: signed(answer.equity) })), chancesRow(answer.chances)]);
  }
  const lost = cube.loss[0] ? _("Not doubling loses %(loss)s.", { loss: plain(cube.loss[0]) }) : _("Doubling loses %(loss)s.", { loss: plain(cube.loss[1]) });
  const given = cube.answer_loss[0] ? _("Taking loses %(loss)s.", { loss: plain(cube.answer_loss[0]) }) : _("Passing loses %(loss)s.", { loss: plain(cube.answer_loss[1]) });
  return element("div", {}, [
    paragraph("action", actionText(cube.action)),
    chancesRow(answer.chances),
    element("table", { class: "cube" }, [element("tbody", {}, body)]),
    paragraph("hint", `${lost} ${given}`),
    marketWindow(cube, answer.chances[0]),
  ]);
}

/** The market window: winning chances from 0 to 100 % with what is right where. @param {CubeAnswer} cube @param {number} win */
function marketWindow(cube, win) {
  const marks = /** @type {[string, number][]} */ ([["take", cube.take], ["double", cube.double], ["cash", cube.cash], ["too good", cube.too_good]]);
  const above = labels([_("take"), cube.take], [pgettext("cube", "pass"), cube.cash]);
  const below = labels([_("double"), cube.double], [_("too good"), cube.too_good]);
  const bar = element("div", { class: "window", "aria-hidden": "true" }, [
    ...marks.map(([name, at]) => placed(element("i", { class: `mark ${name.replace(" ", "-")}` }), at)),
    placed(element("b", { class: "at" }), win),
  ]);
  const zone = placed(element("u", {}), cube.double);
  zone.style.inlineSize = `${Math.max(0, 100 * (cube.cash - cube.double))}%`;
  bar.prepend(zone);
  return element("div", {}, [above, bar, below, paragraph("hint", _("Right from so many wins of 100: take %(take)s, double %(double)s, pass %(cash)s, too good %(good)s; now %(win)s.", {
    take: hundredths(cube.take), double: hundredths(cube.double), cash: hundredths(cube.cash), good: hundredths(cube.too_good), win: hundredths(win) }))]);
}

/** Labels of two marks, the first one before its mark and the second one after it; the browser moves them where they had no room.
 * @param {[string, number]} first @param {[string, number]} second */
function labels([first, from], [second, to]) {
  const row = element("div", { class: "window-labels", "aria-hidden": "true" }, [element("span", {}, [first]), element("span"), element("span", {}, [second])]);
  const rest = [from, to - from, 1 - to].map((share) => `minmax(max-content, ${Math.max(0, 100 * share)}%)`);
  row.style.gridTemplateColumns = rest.join(" ");
  return row;
}

/** @param {HTMLElement} part @param {number} share */
function placed(part, share) {
  part.style.insetInlineStart = `${Math.min(100, Math.max(0, 100 * share))}%`;
  return part;
}

/** @param {string} kind @param {string} text */
const paragraph = (kind, text) => element("p", { class: kind }, [text]);
