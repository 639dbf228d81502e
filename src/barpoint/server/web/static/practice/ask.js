// Questions to the server about practice: what it says, or why it says nothing else.

import { _ } from "../board/language.js";

/** What the server says, as text. An Error says why it says nothing else. @param {string} path  below /api/practice @param {object} [body] @returns {Promise<string>} */
export async function ask(path, body) {
  const options = body ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
  let answer;
  let text;
  try {
    answer = await fetch(`/api/practice${path}`, options);
    text = await answer.text();
  } catch {
    throw new Error(_("the server cannot be reached"));
  }
  if (!answer.ok) throw new Error(JSON.parse(text).error?.message ?? _("the server answered %(status)s", { status: answer.status }));
  return text;
}

/** An error as a sentence. @param {unknown} error */
export function sentence(error) {
  const text = error instanceof Error ? error.message : "";
  return text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : _("The server cannot be reached.");
}
