// Own notes on the match and on the positions of its replay: the fields that keep them, and links to the positions that have one.

/** @import {Fields} from "../studies/note.js" */
import { _ } from "../board/language.js";
import { element, find } from "../dom.js";
import { ask } from "../studies/ask.js";
import { NoteForm } from "../studies/note.js";

/** @typedef {{event: number, starred: boolean, tags: string[], comment: string}} OwnNote  event: with which a decision was made, 0 for the whole match */

export class OwnNotes {
  /** @param {string} path  the beginning of the addresses of the match @param {OwnNote[]} notes @param {(event: number) => string} nameOf  what an event is called */
  constructor(path, notes, nameOf) {
    const [, source, match] = path.split("/");
    this.place = { source, match };
    this.notes = new Map(notes.map((note) => [note.event, note]));
    this.nameOf = nameOf;
    const keep = (/** @type {number} */ event, /** @type {Fields} */ fields, /** @type {boolean} */ leaving) => this.keep(event, fields, leaving);
    this.form = new NoteForm(find("note", HTMLFormElement), keep);
    this.ofMatch = new NoteForm(find("match-note", HTMLFormElement), keep);
    this.ofMatch.show(0, this.written(0));
    find("of-match", HTMLDetailsElement).open = this.notes.has(0);
    find("of-match").hidden = false;
  }

  /** The fields of a note. @param {number} event */
  written(event) {
    const { tags = [], ...note } = this.notes.get(event) ?? {};
    return { ...note, tags: tags.join(", ") };
  }

  /** Shows the note on what the next event decides; after the last one there is none. @param {number} event @param {number} last */
  show(event, last) {
    find("note").hidden = event > last;
    this.form.show(event, this.written(event));
    this.list();
  }

  /** Links to the positions that have a note. */
  list() {
    const found = [...this.notes.values()].filter(({ event }) => event).sort((one, other) => one.event - other.event);
    const place = find("noted");
    const rows = found.map(({ event, starred, tags, comment }) => element("li", {}, [
      element("a", { href: `#${event - 1}` }, [this.nameOf(event)]), " ",
      [...(starred ? ["★"] : []), ...tags, ...(comment ? [comment] : [])].join(" · ")]));
    if (rows.length === place.children.length && rows.every((row, index) => row.isEqualNode(place.children[index]))) return; // the focus stays
    place.replaceChildren(...rows);
  }

  /** @param {number} event @param {Fields} fields @param {boolean} leaving  the page */
  async keep(event, fields, leaving) {
    const tags = String(fields.tags).split(",");
    /** @type {OwnNote} */
    const kept = await ask("/api/note", { ...this.place, event, ...fields, tags }, leaving);
    this.notes.delete(event);
    if (kept.starred || kept.tags.length || kept.comment) this.notes.set(event, kept);
    this.list();
  }

  /** The comment on a decision, in a sentence; "" without one. @param {number} event */
  said(event) {
    const { comment = "" } = this.notes.get(event) ?? {};
    return comment && _("My note: %(text)s", { text: comment });
  }
}
