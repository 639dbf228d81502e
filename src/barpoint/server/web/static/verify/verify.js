// Checks the report of the dice of a match or a chouette (docs/dice.md). Written from the published formula, with the
// browser's own cryptography and nothing from the server.

/**
 * @typedef {{game: number, domain: string, number: number, counter: number, player: number | null, faces: number[],
 *   rerolled: boolean}} Roll
 * @typedef {{format: string, match: string, dice: string, opening_played: boolean, commitment: string,
 *   server_seed: string, client_seeds: [string, string], seeds_by: [string, string],
 *   client_commitments: [string | null, string | null],
 *   rolls: Roll[], of?: string, given?: {player: number, game: number, seed: string}[], first_roll?: number, winner_starts?: boolean,
 *   every_game?: boolean}} Report
 * @typedef {{ok: true, games: number, rolls: number, openings: number, rerolled: number}} Right
 * @typedef {{ok: false, index: number | null, message: string}} Wrong   index: of the first roll that differs
 */

const PLAIN = "bgdice/1";
const OPENING = "bgdice/1/opening";
const CLIENT = "bgdice/1/client";
const MADE_DIGITS = 32;
const FAIR_LIMIT = 252; // 7 x 36 = 21 x 12 = 42 x 6, and its square is 294 x 216: bytes from here on are skipped
const MAX_COUNT = 1_000_000;

/** What is wrong with the form of a report; "" when nothing is. @param {unknown} found @returns {string} */
function malformed(found) {
  const report = /** @type {Report} */ (found);
  const text = (/** @type {unknown} */ part) => typeof part === "string" && /^[^|]{1,64}$/u.test(part);
  const hex = (/** @type {unknown} */ part) => typeof part === "string" && /^[0-9a-f]{64}$/.test(part);
  const whole = (/** @type {number} */ part, low = 0) => Number.isInteger(part) && part >= low && part <= MAX_COUNT;
  if (typeof report !== "object" || report === null) return "it is not an object";
  if (report.format !== PLAIN) return `its format is not ${PLAIN}`;
  if (!text(report.match)) return "match";
  if (!["2d6", "1d12", "3d6"].includes(report.dice)) return "dice";
  if (typeof report.opening_played !== "boolean") return "opening_played";
  if (!hex(report.commitment) || !hex(report.server_seed)) return "commitment and server_seed are 64 hexadecimal digits";
  if (!Array.isArray(report.client_seeds) || report.client_seeds.length !== 2) return "client_seeds are two";
  if (!report.client_seeds.every(text)) return "a client seed";
  if (!Array.isArray(report.seeds_by) || report.seeds_by.length !== 2) return "seeds_by are two";
  if (!report.seeds_by.every((maker) => maker === "server" || maker === "player")) return "seeds_by";
  if (!Array.isArray(report.client_commitments) || report.client_commitments.length !== 2) return "client_commitments are two";
  if (!report.client_commitments.every((one) => one === null || hex(one))) return "client_commitments";
  if (![undefined, "match", "chouette"].includes(report.of)) return "of";
  if (!Array.isArray(report.given ?? [])) return "given";
  for (const one of report.given ?? []) {
    if (typeof one !== "object" || one === null || !text(one.seed) || !whole(one.game)) return "a given seed";
  }
  if (!Array.isArray(report.rolls)) return "rolls";
  for (const [index, made] of report.rolls.entries()) {
    const right =
      typeof made === "object" && made !== null && whole(made.game) && whole(made.number, 1) &&
      whole(made.counter) && (made.domain === PLAIN || made.domain === OPENING) &&
      Array.isArray(made.faces) && made.faces.every((face) => whole(face, 1)) && typeof made.rerolled === "boolean";
    if (!right) return `roll ${index + 1} of the list`;
  }
  return "";
}

/** @param {string} digits */
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {ArrayBuffer} buffer */
const hexadecimal = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What players have given for the dice of a game, beside the seeds of the two sides. @param {Report} report @param {number} game */
const given = (report, game) => (report.given ?? []).filter((one) => one.game <= game).map((one) => one.seed);

/**
 * The first numbers below 252 of a roll's blocks, each as [counter of its block, number].
 * @param {CryptoKey} key @param {Report} report @param {Roll} made @param {number} wanted
 */
async function drawn(key, report, made, wanted) {
  /** @type {[number, number][]} */
  const found = [];
  for (let counter = 0; found.length < wanted; counter += 1) {
    const parts = [made.domain, report.match, made.game, made.number, ...report.client_seeds, ...given(report, made.game), counter];
    const block = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(parts.join("|")));
    for (const byte of new Uint8Array(block)) if (byte < FAIR_LIMIT) found.push([counter, byte]);
  }
  return found.slice(0, wanted);
}

/** @param {string} text */
const digested = async (text) => hexadecimal(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/**
 * What is wrong with a player's seed: not the one committed to, or not the one the server had fixed; "" when nothing is.
 * @param {CryptoKey} key @param {Report} report @param {number} player
 */
async function wrongSeed(key, report, player) {
  const seed = report.client_seeds[player];
  const commitment = report.client_commitments[player];
  if (report.seeds_by[player] === "server") {
    const text = new TextEncoder().encode([CLIENT, report.match, player].join("|"));
    const made = hexadecimal(await crypto.subtle.sign("HMAC", key, text)).slice(0, MADE_DIGITS);
    const right = commitment === null && seed === made;
    return right ? "" : `the seed of player ${player} is said to be the server's; that would be ${made}`;
  }
  const found = await digested(seed);
  return commitment === found ? "" : `the seed of player ${player} has the SHA-256 ${found}, not the one committed to before`;
}

/** All rolls of so many cubes from 1-1 on, highest face first. @param {number} dice @returns {Generator<number[]>} */
function* cubes(dice, most = 6) {
  if (!dice) yield [];
  else for (let high = 1; high <= most; high += 1) for (const rest of cubes(dice - 1, high)) yield [high, ...rest];
}

/** In how many ways two and three cubes fall, by how many different faces they show. @type {Record<number, number[]>} */
const WAYS = { 2: [1, 2], 3: [1, 3, 6] };

/** The faces of two or three cubes by as many numbers below 252 as they take: each roll as often as it can fall. @param {number} dice @param {number[]} numbers */
function fallen(dice, numbers) {
  let point = numbers.reduce((above, number) => above * FAIR_LIMIT + number, 0) % 6 ** dice;
  for (const faces of cubes(dice)) {
    point -= WAYS[dice][new Set(faces).size - 1];
    if (point < 0) return faces;
  }
  throw new Error("the rolls cover every number");
}

/**
 * What the seeds give for a roll.
 * @param {CryptoKey} key @param {Report} report @param {Roll} made
 * @returns {Promise<{counter: number, faces: number[]}>}
 */
async function expected(key, report, made) {
  const twelve = report.dice === "1d12";
  const opening = made.domain === OPENING;
  const three = report.dice === "3d6";
  const two = opening ? made.game > 0 : three;
  const numbers = await drawn(key, report, made, two ? 2 : 1);
  const counter = numbers[numbers.length - 1][0];
  if (opening || twelve) return { counter, faces: numbers.map(([, number]) => (number % (twelve ? 12 : 6)) + 1) };
  return { counter, faces: fallen(three ? 3 : 2, numbers.map(([, number]) => number)) };
}

/**
 * What must follow a roll: nothing may be left out, so that no roll can be hidden.
 * @param {Roll | undefined} before @param {Roll} made @param {Report} report
 * @returns {{game: number, domain: string, number: number}}
 */
function due(before, made, report) {
  // A game between may have ended before its first roll.
  if (report.every_game && (!before || made.game > before.game)) return { game: made.game, domain: PLAIN, number: report.first_roll ?? 0 };
  if (!before && report.first_roll) {
    if (made.game === 1) return { game: 1, domain: PLAIN, number: report.first_roll };
    // The first game ended without a roll, as may others that their winners began.
    return report.winner_starts && made.domain === PLAIN ? { game: made.game, domain: PLAIN, number: 1 } : { game: 2, domain: OPENING, number: 1 };
  }
  if (!before) return { game: report.of === "chouette" ? 0 : 1, domain: OPENING, number: 1 };
  if (before.game === 0) return made.game ? { game: 1, domain: OPENING, number: 1 } : { game: 0, domain: OPENING, number: before.number + 1 };
  const opening = before.domain === OPENING;
  if (opening && before.faces[0] === before.faces[1]) return { game: before.game, domain: OPENING, number: before.number + 1 };
  // A game between may have been given up before its first roll.
  if (made.game > before.game && report.winner_starts && made.domain === PLAIN) return { game: made.game, domain: PLAIN, number: 1 };
  if (made.game !== before.game) return { game: before.game + 1, domain: OPENING, number: 1 };
  if (opening) return { game: before.game, domain: PLAIN, number: report.opening_played ? 2 : 1 };
  return { game: before.game, domain: PLAIN, number: before.number + 1 };
}

/** @param {{game: number, domain: string, number: number}} place */
const name = ({ game, domain, number }) => `game ${game}, ${domain === OPENING ? "opening roll" : "roll"} ${number}`;

/**
 * Whether a report checks, and if not, which roll is the first that differs.
 * @param {unknown} found @returns {Promise<Right | Wrong>}
 */
export async function verify(found) {
  const form = malformed(found);
  if (form) return { ok: false, index: null, message: `not a report of dice: ${form}` };
  const report = /** @type {Report} */ (found);
  const seed = bytes(report.server_seed);
  const digest = hexadecimal(await crypto.subtle.digest("SHA-256", seed));
  if (digest !== report.commitment) {
    return { ok: false, index: null, message: `the server's seed has the SHA-256 ${digest}, not the one published before` };
  }
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const [index, made] of report.rolls.entries()) {
    const place = due(report.rolls[index - 1], made, report);
    if (made.game !== place.game || made.domain !== place.domain || made.number !== place.number) {
      return { ok: false, index, message: `${name(made)} stands where ${name(place)} is due` };
    }
    const { counter, faces } = await expected(key, report, made);
    if (made.faces.join("-") !== faces.join("-")) {
      return { ok: false, index, message: `${name(made)} shows ${made.faces.join("-") || "nothing"}; the seeds give ${faces.join("-")}` };
    }
    if (made.counter !== counter) {
      return { ok: false, index, message: `${name(made)} names block ${made.counter}; it comes from block ${counter}` };
    }
  }
  for (const player of [0, 1]) {
    const message = await wrongSeed(key, report, player);
    if (message) return { ok: false, index: null, message };
  }
  const openings = report.rolls.filter((made) => made.domain === OPENING).length;
  return {
    ok: true,
    games: report.rolls.at(-1)?.game ?? 0,
    rolls: report.rolls.length - openings,
    openings,
    rerolled: report.rolls.filter((made) => made.rerolled).length,
  };
}
