// What Python sent once: the tokens and the scores of every head.

/** @typedef {import("../shared/attention_math.js").Floats} Floats */

/** @typedef {ReturnType<typeof readData>} Data */

/** What is chosen where nobody has chosen. */
export const AT_FIRST = { asks: "query", temperature: 1, view: "lines", stretch: false, order: "layer", best: 0, pinned: [], compare: "this", overlay: [] };
export const FEW = 8; // so few heads need no order

/**
 * @typedef {object} Numbers
 * @property {(head: number) => Floats} scores of a head, queryLen * keyLen; NaN is masked
 * @property {((head: number) => Float64Array) | null} [weights] of a head, where they came instead of scores
 * @property {number} scoreError
 * @property {((head: number) => Floats) | null} [values] of a head, keyLen * headDim
 * @property {number} [valueError]
 */

/**
 * @param {any} sent the trait `_data`
 * @param {(sent: any, size: number, ofValues: number) => Numbers} numbersOf what was sent, where a head has so many scores and values
 */
export function readData(sent, numbersOf) {
  const { layers, heads, head_dim: headDim, maskable, is_self: isSelf, untrained, of_weights: ofWeights, fixed, part, picture } = sent;
  /** @type {{queries: string[], keys: string[] | null}} */
  const { queries, keys = null } = sent, queryLen = queries.length, keyLen = (keys ?? queries).length;
  const numbers = numbersOf(sent, queryLen * keyLen, keyLen * headDim);
  return { layers, heads, count: layers * heads, headDim, maskable, isSelf, untrained, ofWeights, fixed, part, picture,
    queries, keys: keys ?? queries, queryLen, keyLen, scores: numbers.scores, scoreError: numbers.scoreError,
    weights: numbers.weights ?? null, values: numbers.values ?? null, valueError: numbers.valueError ?? 0 };
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
