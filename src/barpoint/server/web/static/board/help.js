// The list of keys, made from the table by which the keyboard itself goes.

import { ACTION_KEYS, KEYS } from "./keyboard.js";
import { _ } from "./language.js";
import { makeDialog, openDialog } from "./panel.js";
import { html } from "./svg.js";

/** Keys of the board, with what they do. */
const BOARD_KEYS = [...KEYS.map(({ name, does }) => [name, does]), ...ACTION_KEYS.map(({ key, does }) => [key, does])];

/** Opens a list of keys over a board. @param {HTMLElement} host @param {string[][]} [rows]  what is written on each key, and what it does */
export function listKeys(host, rows = BOARD_KEYS) {
  const dialog = makeDialog(_("Keys"), () => {});
  const close = html("button", { type: "button", class: "bg-button" }, [_("Close")]);
  close.onclick = () => dialog.close();
  dialog.append(html("dl", { class: "bg-keys" }, rows.flatMap(([name, does]) => [html("dt", {}, [html("kbd", {}, [name])]), html("dd", {}, [does])])),
    html("div", { class: "bg-answers" }, [close]));
  openDialog(host, dialog);
}
