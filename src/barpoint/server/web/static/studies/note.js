// Fields that are kept without a button: what the owner of a study writes about a position, and anybody about matches of their own.

import { _ } from "../board/language.js";
import { toast } from "../notes.js";
import { sentence } from "../practice/ask.js";

/** A pause in typing after which what is written is kept. */
const PAUSE_MS = 1000;

/** @typedef {Record<string, string | boolean>} Fields  texts, and whether a box is ticked, by the names of the fields */

/** @param {HTMLFormElement} form @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
const fieldsOf = (form) => [...form.elements].filter((one) => one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement);

export class NoteForm {
  /** @param {HTMLFormElement} form @param {(about: number, fields: Fields, leaving: boolean) => Promise<unknown>} keep  an Error says why it cannot; leaving: the page */
  constructor(form, keep) {
    this.form = form;
    this.keep = keep;
    this.about = -1; // nothing is shown yet
    this.kept = "";
    this.saving = Promise.resolve(true); // one after the other, so that the last one written stays
    let typed = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.saving = this.saving.then(() => this.save());
    });
    form.addEventListener("change", () => void this.saveChanged());
    form.addEventListener("input", () => {
      clearTimeout(typed);
      typed = setTimeout(() => void this.saveChanged(), PAUSE_MS);
    });
    addEventListener("pagehide", () => void this.saveChanged(true));
  }

  /** @param {number} about  what the fields say something about @param {object} values  of the fields; those that are left out are empty */
  show(about, values) {
    this.about = about;
    const found = /** @type {Record<string, any>} */ (values);
    for (const field of fieldsOf(this.form)) {
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = Boolean(found[field.name]);
      else field.value = found[field.name] ?? "";
    }
    this.kept = JSON.stringify(this.fields);
  }

  /** What is written. @returns {Fields} */
  get fields() {
    return Object.fromEntries(fieldsOf(this.form).map((field) => [field.name, field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value.trim()]));
  }

  /** Keeps what is written. @param {boolean} [leaving]  the page @returns {Promise<boolean>} whether it is kept now */
  async save(leaving = false) {
    const { about, fields } = this;
    if (about < 0) return true;
    try {
      await this.keep(about, fields, leaving);
    } catch (error) {
      toast(sentence(error));
      return false;
    }
    if (this.about === about) this.kept = JSON.stringify(fields);
    toast(_("Saved."), "status");
    return true;
  }

  /** Keeps what is written, if it is not kept yet. @param {boolean} [leaving]  the page @returns {Promise<boolean>} whether it is kept now */
  saveChanged(leaving = false) {
    const work = async () => JSON.stringify(this.fields) === this.kept || this.save(leaving);
    if (leaving) return work(); // a page that goes cannot wait
    this.saving = this.saving.then(work);
    return this.saving;
  }
}
