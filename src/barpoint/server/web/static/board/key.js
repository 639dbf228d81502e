// Values as text, to see whether they have changed; JSON alone has no words for BigInts.

/** The same for values that are the same. @param {unknown} value */
export const keyOf = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one));
