// The page that checks a report of dice: a file, a text, or a report of this server by its address (?match=... or ?chouette=...).

/** @import {Report} from "./verify.js" */
import { _, ngettext } from "../board/language.js";
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

/**
 * What this browser knows against a report that is right in itself; "" when nothing.
 * @param {Report} report @param {import("../session/seed.js").Kept | null} own  what it kept of these dice
 */
function objection(report, own) {
  const given = (report.given ?? []).map(({ seed }) => seed);
  if (own && ![...report.client_seeds, ...given].includes(own.seed)) return _("the seed that this browser gave is not in it");
  if (own && !noted.value) noted.value = own.commitment;
  const kept = noted.value.trim().toLowerCase();
  const other = kept && kept !== report.commitment;
  return other ? _("the rolls fit the seed, but its commitment is not the one that you noted before the match") : "";
}

/** @param {Report} report @param {import("./verify.js").Right} found @param {boolean} own  whether this browser gave a seed */
function approval(report, found, own) {
  const counts = [ngettext("%(num)s roll", "%(num)s rolls", found.rolls), ngettext("%(num)s opening roll", "%(num)s opening rolls", found.openings),
    ngettext("%(num)s game", "%(num)s games", found.games), ...(found.rerolled ? [ngettext("%(num)s rerolled", "%(num)s rerolled", found.rerolled)] : [])];
  const said = [_("Right: %(counts)s.", { counts: counts.join(", ") })];
  if (report.of === "chouette") said.push(ngettext("Players gave %(num)s seed for the dice.", "Players gave %(num)s seeds for the dice.", (report.given ?? []).length));
  else if (report.seeds_by.includes("server")) said.push(_("The server made a seed for a player who gave none."));
  if (own) said.push(_("Your browser's own seed is in it."));
  if (!noted.value.trim()) said.push(_("Compare the commitment with the one shown before the match: %(commitment)s", { commitment: report.commitment }));
  return said.join(" ");
}

/** @param {string} source */
async function check(source) {
  if (!globalThis.crypto?.subtle) {
    say(null, _("This browser checks only on pages with https, or on this machine itself. The command barpoint verify-dice works everywhere."));
    return;
  }
  let report;
  try {
    report = JSON.parse(source);
  } catch {
    say(false, _("Refused: this is not JSON."));
    return;
  }
  say(null, _("Checking …"));
  const found = await verify(report);
  const own = found.ok ? keptSeed(report.match) : null;
  const wrong = found.ok ? objection(report, own) : found.message;
  if (found.ok && !wrong) say(true, approval(report, found, own !== null));
  else say(false, _("Refused: %(why)s.", { why: wrong }));
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
    const open = kind === "match" ? _("This match is not over; its dice can be checked when it is.") : _("This chouette is not closed; its dice can be checked when it is.");
    say(null, answer.status === 409 ? open : kind === "match" ? _("There is no such match here.") : _("There is no such chouette here."));
  }
}
