// The page that checks a report of dice: a file, a text, or a report of this server by its address (?match=... or ?chouette=...).

/** @import {Report} from "./verify.js" */
import { find } from "../dom.js";
import { keptSeed } from "../session/seed.js";
import { verify } from "./verify.js";

const text = find("report", HTMLTextAreaElement);
const file = find("file", HTMLInputElement);
const noted = find("commitment", HTMLInputElement);

/** @param {boolean | null} right @param {string} message */
function say(right, message) {
  const verdict = find("verdict");
  verdict.hidden = false;
  verdict.dataset.right = right === null ? "" : String(right);
  verdict.textContent = message;
}

/** @param {number} number @param {string} noun */
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/**
 * What this browser knows against a report that is right in itself; "" when nothing.
 * @param {Report} report @param {import("../session/seed.js").Kept | null} own  what it kept of these dice
 */
function objection(report, own) {
  const given = (report.given ?? []).map(({ seed }) => seed);
  if (own && ![...report.client_seeds, ...given].includes(own.seed)) return "the seed that this browser gave is not in it";
  if (own && !noted.value) noted.value = own.commitment;
  const kept = noted.value.trim().toLowerCase();
  const other = kept && kept !== report.commitment;
  return other ? "the rolls fit the seed, but its commitment is not the one that you noted before the match" : "";
}

/** @param {Report} report @param {import("./verify.js").Right} found @param {boolean} own  whether this browser gave a seed */
function approval(report, found, own) {
  const rerolled = found.rerolled ? `, ${found.rerolled} rerolled` : "";
  const seeds = report.of === "chouette" ? ` Players gave ${counted((report.given ?? []).length, "seed")} for the dice.`
    : report.seeds_by.includes("server") ? " The server made a seed for a player who gave none." : "";
  const mine = own ? " Your browser's own seed is in it." : "";
  const compare = noted.value.trim() ? "" : ` Compare the commitment with the one shown before the match: ${report.commitment}`;
  return `Right: ${counted(found.rolls, "roll")} and ${counted(found.openings, "opening roll")} in ${counted(found.games, "game")}${rerolled}.${seeds}${mine}${compare}`;
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
  const own = found.ok ? keptSeed(report.match) : null;
  const wrong = found.ok ? objection(report, own) : found.message;
  if (found.ok && !wrong) say(true, approval(report, found, own !== null));
  else say(false, `Refused: ${wrong}.`);
}

find("check").addEventListener("submit", (event) => {
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
    const open = kind === "match" ? "This match is not over; its dice can be checked when it is." : "This chouette is not closed; its dice can be checked when it is.";
    say(null, answer.status === 409 ? open : `There is no such ${kind} here.`);
  }
}
