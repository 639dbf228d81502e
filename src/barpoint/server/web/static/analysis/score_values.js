// What the score and the cube make of a game: match winning chances after it, gammon values, take points.

/** @import {ScoreValues, SideAtScore} from "./types.js" */
import { _, number, percent } from "../board/language.js";
import { element } from "../dom.js";

/** @param {ScoreValues} found @param {Record<"near" | "far", string>} called  what the sides are called @returns {HTMLElement[]} */
export function scoreValuesOf({ near, far, path }, called) {
  const rows = /** @type {[string, (side: SideAtScore) => string][]} */ ([
    [_("Match after a win"), ({ win }) => percent(win)],
    [_("Match after a loss"), ({ lose }) => percent(lose)],
    [_("Gammon value"), ({ gammon }) => (gammon === undefined ? "–" : number(gammon, 2))],
    [_("Take point, dead cube"), ({ take_dead: take }) => (take === undefined ? "–" : percent(take))],
    [_("Take point, live cube"), ({ take_live: take }) => (take === undefined ? "–" : percent(take))],
  ]);
  const head = element("tr", {}, [element("th", { scope: "col" }, [_("At this score and cube")]), ...[called.near, called.far].map((name) => element("th", { scope: "col" }, [name]))]);
  return [
    element("table", { class: "counts" }, [element("thead", {}, [head]), element("tbody", {}, rows.map(([name, text]) => element("tr", {}, [
      element("th", { scope: "row" }, [name]), element("td", {}, [text(near)]), element("td", {}, [text(far)])])))]),
    element("p", {}, [element("a", { href: path }, [_("Match equities at this score")])])];
}
