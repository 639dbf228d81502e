// Questions to the server about studies and own notes: what it says, or why it says nothing else.

import { _ } from "../board/language.js";

/** The answer in JSON. An Error says why there is none. @param {string} path  below /api/study, or a whole one @param {object} [body] @param {boolean} [leaving]  the page: the request outlives it @returns {Promise<any>} */
export async function ask(path, body, leaving = false) {
  const options = body ? { method: "POST", keepalive: leaving, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
  let answer;
  let said;
  try {
    answer = await fetch(path.startsWith("/api/") ? path : `/api/study${path}`, options);
    said = await answer.json();
  } catch {
    throw new Error(_("the server cannot be reached"));
  }
  if (!answer.ok) throw new Error(said.error?.message ?? _("the server answered %(status)s", { status: answer.status }));
  return said;
}
