// Numbers as the analysis writes them.

import { _, number } from "../board/language.js";

/** "+0.123". @param {number} value @param {number} [decimals] */
export const signed = (value, decimals = 3) => number(value, decimals, true);

/** "0.123": a loss, or the difference of two equities. @param {number} value */
export const plain = (value) => number(value, 3);

/** "55.4". @param {number} share */
export const hundredths = (share) => number(100 * share, 1);

/** The numbers of both sides: what the player to act wins, and the other side. @param {number[]} chances @returns {string[]}  of both sides */
export function chancesText(chances) {
  if (chances.length === 3) {
    return [[chances[0], chances[1]], [1 - chances[0], chances[2]]].map(([share, points]) =>
      _("%(percent)s of 100, %(points)s points", { percent: hundredths(share), points: number(points, 2) }));
  }
  const [win, gammon, backgammon, loseGammon, loseBackgammon] = chances;
  return [[win, gammon, backgammon].map(hundredths).join("\u2002"), [1 - win, loseGammon, loseBackgammon].map(hundredths).join("\u2002")];
}

/** By what an answer was got. @param {{plies: number, source?: string}} answer */
export function gotText({ plies, source }) {
  if (source === "exact") return _("exact table");
  return source === "bear-off" ? _("%(plies)s-ply, bear-off table", { plies }) : _("%(plies)s-ply", { plies });
}

/** That a job waits for its turn. @param {number} ahead  jobs before it */
export const waitingText = (ahead) => ahead ? _("Waiting: %(ahead)s before this one.", { ahead }) : _("Next in the queue.");

/** The net that judged, for a tooltip. @param {{net: string}} answer */
export const netText = ({ net }) => _("net %(net)s", { net });

/** Says by what an answer was got; its tooltip names the net. @param {HTMLElement} place @param {{net: string, plies: number, source?: string}} answer */
export function showGot(place, answer) {
  place.textContent = gotText(answer);
  place.title = netText(answer);
}
