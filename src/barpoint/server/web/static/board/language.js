// Texts in the reader's language, and numbers as it writes them. The page names its catalogue in <html data-texts>;
// without one, texts are as they stand in the scripts, in English.

/** @type {Record<string, string | Record<string, string>>} */
const texts = await (async () => {
  const path = document.documentElement.dataset.texts;
  if (!path) return {};
  try {
    return await (await fetch(path)).json();
  } catch {
    return {}; // the page works in English
  }
})();

const language = document.documentElement.lang || "en";
const locale = language === "en" ? "en-GB" : language;
const plurals = new Intl.PluralRules(language);

/** @typedef {Record<string, string | number | bigint>} Values */

/** A text to stand in a sentence: what is written from right to left moves no number or word beside it. @param {string} text */
export const isolated = (text) => (/\u2068/.test(text) || !/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/.test(text) ? text : `\u2068${text}\u2069`);

/** A text with its %(name)s places filled in. @param {string} text @param {Values} values */
const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (place, name) => (values[name] === undefined ? place : isolated(String(values[name]))));

/** A text in the reader's language. @param {string} text @param {Values} [values] */
export function _(text, values = {}) {
  const found = texts[text];
  return filled(typeof found === "string" ? found : text, values);
}

/** Marks a text that is translated where it is shown. @param {string} text */
export const N_ = (text) => text;

/** A text whose word has several meanings; context: which is meant. @param {string} context @param {string} text @param {Values} [values] */
export function pgettext(context, text, values = {}) {
  const found = texts[`${context}\u0004${text}`];
  return filled(typeof found === "string" ? found : text, values);
}

/**
 * The form of a text that fits a number; %(num)s in it is the number.
 * @param {string} one @param {string} many @param {number | bigint} count @param {Values} [values]
 */
export function ngettext(one, many, count, values = {}) {
  const found = texts[one];
  const forms = typeof found === "object" ? found : { one, other: many };
  return filled(forms[plurals.select(Number(count))] ?? forms.other ?? many, { num: number(count), ...values });
}

/**
 * A number as the language writes it, without groups; what is shown as zero has no sign.
 * @param {number | bigint} value @param {number} [decimals]  as many as it needs where none are given @param {boolean} [sign]
 */
export function number(value, decimals, sign = false) {
  return new Intl.NumberFormat(locale, {
    useGrouping: false, signDisplay: sign ? "exceptZero" : "negative",
    ...(decimals === undefined ? { maximumFractionDigits: 15 } : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  }).format(value).replace("-", "−");
}

/** A share as a percentage, with the sign where the language puts it. @param {number} share @param {number} [decimals] */
export function percent(share, decimals = 1) {
  return new Intl.NumberFormat(locale, {
    style: "percent", useGrouping: false, signDisplay: "negative", minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  }).format(share).replace("-", "−");
}

/** A choice in words: "4 or 3". @param {string[]} items */
export const alternatives = (items) => new Intl.ListFormat(locale, { type: "disjunction" }).format(items);

/** A list in words: "Anna, Ben and Kim". @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(locale).format(items);
