// Asks the server about a position: only the newest question of each kind counts.

/** @import {BoardShown} from "./types.js" */
import { _ } from "../board/language.js";

/** The analysis board's address. */
export const PATH = "/analysis";

/** The query of the position that is shown. @param {BoardShown | null} shown */
export const queryOf = (shown) => shown?.path.slice(PATH.length + 1) ?? "";

/** What the server says when it refuses. */
export class Refusal extends Error {}

export class Questions {
  constructor() {
    /** @type {Map<string, AbortController>} */
    this.open = new Map();
  }

  /**
   * The answer in JSON; null where a newer question of the same kind was asked meanwhile. Refusal says why there is none.
   * @param {string} kind @param {string} path  below /api/analysis @param {RequestInit} [options] @returns {Promise<any>}
   */
  async ask(kind, path, options = {}) {
    this.forget(kind);
    const control = new AbortController();
    this.open.set(kind, control);
    let answer;
    let said;
    try {
      answer = await fetch(`/api/analysis${path}`, { ...options, signal: control.signal });
      said = await answer.json();
    } catch {
      if (control.signal.aborted) return null;
      throw new Refusal(_("the server cannot be reached"));
    }
    if (control.signal.aborted) return null;
    if (!answer.ok) throw new Refusal(said.error?.message ?? _("the server answered %(status)s", { status: answer.status }));
    return said;
  }

  /** Drops a question that is under way. @param {string} kind */
  forget(kind) {
    this.open.get(kind)?.abort();
    this.open.delete(kind);
  }
}

/** A text of the server. Refusal says why there is none. @param {string} path */
export async function textOf(path) {
  let answer;
  let text;
  try {
    answer = await fetch(path);
    text = await answer.text();
  } catch {
    throw new Refusal(_("the server cannot be reached"));
  }
  if (!answer.ok) throw new Refusal(_("the server answered %(status)s", { status: answer.status }));
  return text;
}

/** What went wrong, as the server says it. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : _("the server cannot be reached"));

/** The same as a sentence. @param {unknown} error */
export function sentence(error) {
  const text = messageOf(error);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
