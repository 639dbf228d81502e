// Copies a decision with its analysis as text, which the server writes.

/** @import {Decision} from "../replay/analysis.js" */
import { _ } from "../board/language.js";
import { copyText, toast } from "../notes.js";
import { sentence } from "./server.js";

/** The text of a decision of a match. @param {string} path  the beginning of the addresses of the match @param {Pick<Decision, "event" | "player" | "kind">} decision
 * @param {number} plies  of the report @param {number} [deeper]  plies of the answer that is shown instead */
export const momentText = (path, { event, player, kind }, plies, deeper = 0) =>
  `${path}/decision-text.json?${new URLSearchParams({ event: String(event), player: String(player), kind, plies: String(plies), deeper: String(deeper) })}`;

/** The text of a position. @param {string} query  of the analysis board @param {number} depth  plies of the answer @param {string} [made]  what was played */
export const positionText = (query, depth, made = "") =>
  `/api/analysis/text?${query}&${new URLSearchParams({ depth: String(depth), made })}`;

/** Copies the text that an address gives, or says why there is none. @param {string} address */
export async function copyDecision(address) {
  let text;
  try {
    const answer = await fetch(address);
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message ?? said.error?.message);
    text = said.text;
  } catch (error) {
    toast(error instanceof TypeError || error instanceof SyntaxError ? _("The server cannot be reached.") : sentence(error));
    return;
  }
  await copyText(text, _("The decision is copied with its analysis."));
}
