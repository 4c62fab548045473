// The masks that a button gives, as rules: may this query attend to this key?

/** @typedef {(query: number, key: number) => boolean} Rule */

/**
 * @param {number} count tokens
 * @param {number} padding how many of them, at the end, are padding
 * @param {number} span keys that a query sees in the sliding window, itself included
 * @returns {Record<string, Rule>}
 */
export const presetRules = (count, padding, span) => ({
  "no mask": () => true,
  causal: (query, key) => key <= query,
  padding: (_, key) => key < count - padding,
  "causal and padding": (query, key) => key <= query && key < count - padding,
  "sliding window": (query, key) => key <= query && key > query - span,
});

/**
 * The mask of a rule: rows of queries, columns of keys.
 * @param {number} count
 * @param {Rule} rule
 */
export const buildMask = (count, rule) =>
  Array.from({ length: count }, (_, query) => Array.from({ length: count }, (_, key) => rule(query, key)));
