// Saves a position to a study that the player chooses, or to a new one.

/** @import {Address} from "../analysis/types.js" */
/** @import {StudyList, StudyShown} from "./types.js" */
import { _ } from "../board/language.js";
import { element, findIn, locale } from "../dom.js";
import { ask } from "./ask.js";

/** Lets the player choose; the id of a study, or the title of a new one; null for neither. @param {StudyList} list @returns {Promise<{id: string, title: string} | null>} */
function choose({ studies }) {
  const field = element("input", { name: "title", maxlength: "80", autocomplete: "off" });
  const buttons = studies.map(({ id, title }) => element("button", { class: "button", value: id }, [title]));
  const close = element("button", { type: "button", class: "close", "aria-label": _("Close") }, ["×"]); // Enter makes a new study
  const form = element("form", { method: "dialog" }, [
    close,
    element("h2", {}, [_("Save to a study")]),
    element("label", { class: "field" }, [_("Title of a new study"), " ", field]),
    element("p", { class: "actions" }, [element("button", { class: "button primary", value: "new" }, [_("New study")])]),
    ...(buttons.length ? [element("p", {}, [_("Or to one of mine:")]), element("p", { class: "actions" }, buttons)] : []),
  ]);
  const dialog = element("dialog", { class: "settings", "aria-label": _("Save to a study") }, [form]);
  if (!(dialog instanceof HTMLDialogElement)) throw new TypeError("a dialog is none");
  close.addEventListener("click", () => dialog.close("no"));
  document.body.append(dialog);
  dialog.returnValue = "no";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const title = findIn(dialog, "[name=title]", HTMLInputElement).value.trim();
      dialog.remove();
      const made = { id: "", title: title || _("Study of %(date)s", { date: new Date().toLocaleDateString(locale()) }) };
      resolve(dialog.returnValue === "no" ? null : dialog.returnValue === "new" ? made : { ...made, id: dialog.returnValue });
    });
  });
}

/** The link of the position in the study that was chosen, "" where none was; an Error says why it is in none. @param {Address} board */
export async function saveToStudy(board) {
  const chosen = await choose(await ask(""));
  if (!chosen) return "";
  const saved = /** @type {StudyShown} */ (await (chosen.id ? ask(`/${chosen.id}/edit`, { edit: { kind: "board", board } }) : ask("", { title: chosen.title, board })));
  return `/study/${saved.id}#${saved.at}`;
}
