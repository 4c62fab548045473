// What Python sent once: the tokens and the scores of every head, in each variant.
import { inflated, ofShares, unpacked } from "./numbers.js";

/** @typedef {import("./numbers.js").Packed} Packed */
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

export const FEW = 8; // so few heads need no order

/** What `readData` needs besides, of very many weights. @param {any} sent the trait `_data` @returns {Promise<Uint8Array[]>} */
export const codesOf = (sent) => Promise.all(sent.variants.map((/** @type {any} */ { scores }) => inflated(scores.data)));

/**
 * @param {any} sent the trait `_data`
 * @param {Uint8Array[]} [codes] of each variant, where `sent.fixed`
 */
export function readData(sent, codes) {
  const { layers, heads, head_dim: headDim, maskable, is_self: isSelf, scale, of_weights: ofWeights, fixed, part, picture } = sent;
  /** @type {Variant[]} */
  const variants = sent.variants.map((/** @type {any} */ { name, untrained, queries, keys, scores, values }, /** @type {number} */ i) => {
    const queryLen = queries.length, keyLen = (keys ?? queries).length, size = queryLen * keyLen;
    const numbers = codes ? ofShares(codes[i], scores.shares, size) : { scores: unpacked(scores, size), weights: null };
    return { name, untrained, queries, keys: keys ?? queries, queryLen, keyLen,
      ...numbers, scoreError: codes ? 2 * scores.error : scores.error,
      values: values && unpacked(values, keyLen * headDim), valueError: values?.error ?? 0 };
  });
  /** @type {Record<string, number[]>} */
  const headScores = sent.head_scores;
  return { layers, heads, count: layers * heads, headDim, maskable, isSelf, scale, ofWeights, fixed, part, picture, variants, headScores };
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
