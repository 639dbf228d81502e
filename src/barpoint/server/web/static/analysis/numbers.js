// Numbers as the analysis writes them.

/** "+0.123". @param {number} value */
export const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

/** "55.4". @param {number} share */
export const percent = (share) => (100 * share).toFixed(1);

/** The numbers of both sides: what the player to act wins, and the other side. @param {number[]} chances @returns {[string, string]} */
export function chancesText(chances) {
  if (chances.length === 3) return [`${percent(chances[0])} %, ${chances[1].toFixed(2)} points`, `${percent(1 - chances[0])} %, ${chances[2].toFixed(2)} points`];
  const [win, gammon, backgammon, loseGammon, loseBackgammon] = chances;
  return [[win, gammon, backgammon].map(percent).join(" · "), [1 - win, loseGammon, loseBackgammon].map(percent).join(" · ")];
}

/** By what an answer was got. @param {{net: string, plies: number, source?: string}} answer */
export function gotText({ net, plies, source }) {
  if (source === "exact") return "exact table";
  const by = source === "bear-off" ? `bear-off table, net ${net}` : `net ${net}`;
  return `${plies}-ply, ${by}`;
}
