// The fields in which the owner of a study names a position and comments on it.

/** @import {StudyNode} from "./types.js" */
import { findIn } from "../dom.js";

export class NoteForm {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.name = findIn(form, "[name=name]", HTMLInputElement);
    this.comment = findIn(form, "[name=comment]", HTMLTextAreaElement);
    this.node = 0; // none is shown yet
  }

  /** @param {StudyNode} node */
  show({ id, name = "", comment = "" }) {
    this.node = id;
    this.name.value = name;
    this.comment.value = comment;
  }

  /** What is written, and about which position. */
  get written() {
    return { node: this.node, name: this.name.value, comment: this.comment.value };
  }

  /** Whether something is written that the study does not hold. @param {StudyNode} node  where the reader is */
  changed({ id, name = "", comment = "" }) {
    return this.node === id && (this.name.value.trim() !== name.trim() || this.comment.value.trim() !== comment.trim());
  }
}
