// The page that checks a report of dice: a file, a text, or by its address (?match=... or ?chouette=...) one of this server.

import { keptSeed } from "../match/seed.js";
import { verify } from "./verify.js";

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const text = /** @type {HTMLTextAreaElement} */ (element("report"));
const file = /** @type {HTMLInputElement} */ (element("file"));
const known = /** @type {HTMLInputElement} */ (element("commitment"));

/** @param {boolean | null} right @param {string} message */
function say(right, message) {
  const verdict = element("verdict");
  verdict.hidden = false;
  verdict.dataset.right = right === null ? "" : String(right);
  verdict.textContent = message;
}

/** @param {string} source */
async function check(source) {
  if (!globalThis.crypto?.subtle) {
    say(null, "This browser checks only on pages with https, or on this machine itself. The command barpoint verify-dice works everywhere.");
    return;
  }
  let report;
  try {
    report = JSON.parse(source);
  } catch {
    say(false, "Refused: this is not JSON.");
    return;
  }
  say(null, "Checking …");
  const found = await verify(report);
  if (!found.ok) {
    say(false, `Refused: ${found.message}.`);
    return;
  }
  const own = keptSeed(report.match);
  const theirs = (report.given ?? []).map((/** @type {{seed: string}} */ one) => one.seed);
  if (own && ![...report.client_seeds, ...theirs].includes(own.seed)) {
    say(false, "Refused: the seed that this browser gave is not in it.");
    return;
  }
  if (own && !known.value) known.value = own.commitment;
  const kept = known.value.trim().toLowerCase();
  if (kept && kept !== report.commitment) {
    say(false, "Refused: the rolls fit the seed, but its commitment is not the one that you noted before the match.");
    return;
  }
  const counted = (/** @type {number} */ number, /** @type {string} */ noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const annulled = found.annulled ? `, ${found.annulled} called off` : "";
  const made = report.of === "chouette" ? ` Players gave ${counted(theirs.length, "seed")} for the dice.` : report.seeds_by.includes("server") ? " The server made a seed of a player who gave none." : "";
  const mine = own ? " Your browser's own seed is in it." : "";
  const noted = kept ? "" : " Compare the commitment with the one shown before the match: " + report.commitment;
  say(true, `Right: ${counted(found.rolls, "roll")} and ${counted(found.contests, "contest")} for the start in ${counted(found.games, "game")}${annulled}.${made}${mine}${noted}`);
}

element("check").addEventListener("submit", (event) => {
  event.preventDefault();
  void check(text.value);
});

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  text.value = await chosen.text();
  await check(text.value);
});

const asked = new URLSearchParams(location.search);
const kind = asked.has("chouette") ? "chouette" : "match";
const wanted = asked.get(kind);
if (wanted) {
  const answer = await fetch(`/${kind}/${encodeURIComponent(wanted)}/dice.json`);
  if (answer.ok) {
    text.value = await answer.text();
    await check(text.value);
  } else {
    const open = kind === "match" ? "This match is not over; its dice can be checked when it is." : "This table is not closed; its dice can be checked when it is.";
    say(null, answer.status === 409 ? open : `There is no such ${kind} here.`);
  }
}
