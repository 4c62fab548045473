// What Python sent once: the tokens and the scores of every head, in each variant.

/** @typedef {import("../shared/attention_math.js").Floats} Floats */

/**
 * @typedef {object} Variant
 * @property {string} name
 * @property {boolean} untrained
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {number} queryLen
 * @property {number} keyLen
 * @property {(head: number) => Floats} scores of a head, queryLen * keyLen; NaN is masked
 * @property {((head: number) => Float64Array) | null} weights of a head, where they came instead of scores
 * @property {((head: number) => Floats) | null} values of a head, keyLen * headDim
 * @property {number} scoreError
 * @property {number} valueError
 */

/** @typedef {ReturnType<typeof readData>} Data */

/** What is chosen where nobody has chosen. */
export const AT_FIRST = { asks: "query", temperature: 1, view: "lines", stretch: false, order: "layer", best: 0, pinned: [], compare: "this", overlay: [] };
export const FEW = 8; // so few heads need no order

/**
 * @typedef {object} Numbers
 * @property {(head: number) => Floats} scores
 * @property {((head: number) => Float64Array) | null} [weights]
 * @property {number} scoreError
 * @property {((head: number) => Floats) | null} [values]
 * @property {number} [valueError]
 */

/**
 * @param {any} sent the trait `_data`
 * @param {(variant: any, size: number, ofValues: number, i: number) => Numbers} numbersOf a variant, whose heads have so many scores and values
 */
export function readData(sent, numbersOf) {
  const { layers, heads, head_dim: headDim, maskable, is_self: isSelf, scale, of_weights: ofWeights, fixed, part, picture } = sent;
  /** @type {Variant[]} */
  const variants = sent.variants.map((/** @type {any} */ variant, /** @type {number} */ i) => {
    const { name, untrained, queries, keys = null } = variant, queryLen = queries.length, keyLen = (keys ?? queries).length;
    return { name, untrained, queries, keys: keys ?? queries, queryLen, keyLen,
      weights: null, values: null, valueError: 0, ...numbersOf(variant, queryLen * keyLen, keyLen * headDim, i) };
  });
  return { layers, heads, count: layers * heads, headDim, maskable, isSelf, scale, ofWeights, fixed, part, picture, variants };
}

/**
 * @param {Data} data
 * @param {number} index layer * heads + head
 */
export const headName = ({ layers, heads }, index) =>
  (layers > 1 ? `layer ${Math.floor(index / heads)}, ` : "") + `head ${index % heads}`;

/**
 * The short name on a tile.
 * @param {Data} data
 * @param {number} index
 */
export const shortName = ({ layers, heads }, index) =>
  layers > 1 ? `${Math.floor(index / heads)}.${index % heads}` : `head ${index}`;
