// The list of keys, made from the table by which the keyboard itself goes.

import { ACTION_KEYS, KEYS } from "./keyboard.js";
import { _ } from "./language.js";
import { makeDialog, openDialog } from "./panel.js";
import { html } from "./svg.js";

/** Opens the list of keys over a board. @param {HTMLElement} host */
export function listKeys(host) {
  const dialog = makeDialog(_("Keys"), () => {});
  const rows = [...KEYS.map(({ name, does }) => [name, does]), ...ACTION_KEYS.map(({ key, does }) => [key, does])];
  const close = html("button", { type: "button", class: "bg-button" }, [_("Close")]);
  close.onclick = () => dialog.close();
  dialog.append(html("dl", { class: "bg-keys" }, rows.flatMap(([name, does]) => [html("dt", {}, [html("kbd", {}, [name])]), html("dd", {}, [does])])),
    html("div", { class: "bg-answers" }, [close]));
  openDialog(host, dialog);
}
