// What every page that asks about a position shares: the board, the choices with their keys, the sentence about an answer, the card.

/** @import {View} from "../board/types.js" */
/** @import {BarpointBoard} from "../board/board.js" */
/** @import {Decision} from "../replay/analysis.js" */
import { _ } from "../board/language.js";
import { all, element, find, isPlainKey } from "../dom.js";
import { toast } from "../notes.js";
import { dressBoard } from "../settings.js";
import { sentence } from "./ask.js";
import { makeCard } from "./make.js";

/** @typedef {{name: string, text: string}} Choice */
/** @typedef {{right: boolean, off: number, truth: string, given: string, detail: string, ms: number, decision: Decision | null}} Judged */

/** Sets a board for plays that are made once. @param {BarpointBoard} board */
export function forQuestions(board) {
  dressBoard(board, { keys: true });
}

/** @param {View} view @returns {View} */
export const named = (view) => ({ ...view, labels: { near: _("You"), far: _("Opponent") } });

/** Makes somebody new a guest, as a first match does: the server knows by that whose answer it is. */
export async function becomeGuest() {
  const answer = await fetch("/practice/drills", { method: "POST" });
  if (!answer.ok) throw new Error(_("the server answered %(status)s", { status: answer.status }));
}

/** Shows the choices as buttons with their keys. @param {Choice[]} choices @param {(name: string) => void} choose @param {Element} [place] */
export function showChoices(choices, choose, place = find("choices")) {
  place.replaceChildren(...choices.map(({ name, text: title }, index) => {
    const button = element("button", { type: "button", class: "button", "data-key": String(index + 1) }, [title, " ", element("kbd", {}, [String(index + 1)])]);
    button.addEventListener("click", () => choose(name));
    return button;
  }));
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || !isPlainKey(event)) return;
  const button = [...all(".quiz-choices [data-key]")].find(({ dataset }) => dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
});

/** The right answer beside the one that was given. @param {Judged} judged */
export function sentenceOf({ right: good, truth, given, decision }) {
  if (good && given === truth) return _("Right: %(truth)s.", { truth });
  if (decision) {
    return good ? _("Right. The best play is %(truth)s; you played %(given)s.", { truth, given })
      : _("Not right. Right is %(truth)s; you played %(given)s.", { truth, given });
  }
  return good ? _("Right. The best answer is %(truth)s; you said %(given)s.", { truth, given })
    : _("Not right. Right is %(truth)s; you said %(given)s.", { truth, given });
}

/** Lets a button make a card of the position that is asked about. @param {HTMLButtonElement} button @param {() => object | null | undefined} address  of it */
export function offerCard(button, address) {
  button.addEventListener("click", async () => {
    try {
      const said = await makeCard("/position", { address: address() });
      if (said) toast(said);
      button.disabled = Boolean(said);
    } catch (error) {
      toast(sentence(error));
    }
  });
}
