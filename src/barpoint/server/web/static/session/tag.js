// The tag beside the name of whoever is no person; its word stands on the page, in the language of the reader.

import { find } from "../dom.js";

/** Marks a name as that of a bot, or as that of a person. @param {HTMLElement} name @param {boolean} bot */
export function tag(name, bot) {
  if (bot) name.dataset.bot = find("bot-word").textContent ?? "";
  else delete name.dataset.bot;
}
