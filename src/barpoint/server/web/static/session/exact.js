// JSON with whole numbers of any size. JavaScript's own numbers are exact up to 2^53; cubes and scores may be larger.

/** @typedef {number | bigint} Count  a whole number beyond 2^53 is a BigInt */

const NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g; // strings are matched to leave them alone
const LARGE = /^-?\d{16,}$/;
const MARK = "$whole";
const MARKED = new RegExp(`\\{"\\${MARK}":"(-?\\d+)"\\}`, "g");

/** Parses JSON; whole numbers that a number cannot hold become BigInts. @param {string} text @returns {any} */
export function parseExact(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const marked = text.replace(NUMBER, (piece) =>
    LARGE.test(piece) && !Number.isSafeInteger(Number(piece)) ? `{"${MARK}":"${piece}"}` : piece);
  return JSON.parse(marked, (_, value) => (typeof value?.[MARK] === "string" ? BigInt(value[MARK]) : value));
}

/** The same back as JSON. @param {unknown} value @returns {string} */
export function formatExact(value) {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? { [MARK]: String(one) } : one));
  return text.replace(MARKED, "$1");
}
