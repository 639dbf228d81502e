// Makes a card from a position or from a decision of a match, in the deck that the player chooses.

import { _ } from "../board/language.js";
import { element } from "../dom.js";
import { ask } from "./ask.js";

/** Lets the player choose a deck; "" for none, null where they do not want a card. @param {{id: string, name: string}[]} decks @returns {Promise<string | null>} */
function chooseDeck(decks) {
  const buttons = [{ id: "", name: _("In no deck") }, ...decks].map(({ id, name }) => element("button", { class: "button", value: id }, [name]));
  const close = element("button", { class: "close", value: "no", "aria-label": _("Close") }, ["×"]);
  const title = element("h2", {}, [_("In which deck?")]);
  const dialog = element("dialog", { class: "settings", "aria-label": _("In which deck?") }, [element("form", { method: "dialog" }, [close, title, element("p", { class: "actions" }, buttons)])]);
  if (!(dialog instanceof HTMLDialogElement)) throw new TypeError("a dialog is none");
  document.body.append(dialog);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "no" ? null : dialog.returnValue);
    });
  });
}

/** What to say about the card that was made, "" where none is wanted; an Error says why there is none. @param {string} path  below /api/practice @param {object} body */
export async function makeCard(path, body) {
  const { decks } = JSON.parse(await ask(""));
  const deck = decks.length ? await chooseDeck(decks) : "";
  if (deck === null) return "";
  const { cards } = JSON.parse(await ask(path, { ...body, deck }));
  return cards.length ? _("The card is made; it waits under Practice.") : _("You have this card already.");
}
