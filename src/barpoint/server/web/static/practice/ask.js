// Questions to the server about practice: what it says, or why it says nothing else.

import { _ } from "../board/language.js";

/** The server cannot answer now, and may answer soon. */
export class Away extends Error {}

/** What the server says, as text. An Error says why it says nothing else, Away where it may soon. @param {string} path  below /api/practice @param {object} [body] @returns {Promise<string>} */
export async function ask(path, body) {
  const options = body ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
  let answer;
  let text;
  try {
    answer = await fetch(`/api/practice${path}`, options);
    text = await answer.text();
  } catch {
    throw new Away(_("the server cannot be reached"));
  }
  const { ok, status } = answer;
  if (ok) return text;
  throw new (status >= 500 || status === 429 ? Away : Error)(refusalOf(text) || _("the server answered %(status)s", { status }));
}

/** Why the server refuses, in its own words; "" where what stands before it has answered. @param {string} text */
function refusalOf(text) {
  try {
    return String(JSON.parse(text).error?.message ?? "");
  } catch {
    return "";
  }
}

/** An error as a sentence. @param {unknown} error */
export function sentence(error) {
  const text = error instanceof Error ? error.message : "";
  return text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : _("The server cannot be reached.");
}
