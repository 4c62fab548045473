// Attention under a mask, and the leak test: change one token, and see which outputs move.
import { attentionWeights, contextVector } from "../shared/attention_math.js";

/** @typedef {{query: number[][], key: number[][], value: number[][]}} Vectors (tokens, head_dim) each */
/** @typedef {{weights: Float64Array, rowOf: (query: number) => Float64Array, outputs: Float64Array[]}} Attended */

/**
 * Weights and outputs when the token `changed` (or none, at -1) has its other vectors.
 * @param {Vectors} vectors
 * @param {Vectors} other
 * @param {boolean[][]} allowed
 * @param {number} changed
 * @returns {Attended}
 */
export function attend(vectors, other, allowed, changed) {
  /** @param {keyof Vectors} part */
  const pick = (part) => vectors[part].map((row, i) => (i === changed ? other[part][i] : row));
  const query = pick("query"), key = pick("key"), value = pick("value").flat();
  const count = allowed.length, size = query[0].length;
  const scores = Float64Array.from(allowed.flat(), (may, i) => may
    ? query[Math.floor(i / count)].reduce((sum, x, d) => sum + x * key[i % count][d], 0) / Math.sqrt(size) : NaN);
  const weights = attentionWeights(scores, count, count, false, 1);
  /** @param {number} i */
  const rowOf = (i) => weights.subarray(i * count, (i + 1) * count);
  return { weights, rowOf, outputs: query.map((_, i) => contextVector(rowOf(i), value, size)) };
}

/**
 * How far each output moves between two runs.
 * @param {Attended} before
 * @param {Attended} after
 */
export const distances = (before, after) =>
  before.outputs.map((output, i) => Math.hypot(...output.map((x, d) => after.outputs[i][d] - x)));

/**
 * Every pair of a query and a later token that moves its output: all tokens are changed in turn.
 * @param {Vectors} vectors
 * @param {Vectors} other
 * @param {boolean[][]} allowed
 * @returns {[number, number][]} query and key, by query
 */
export function findLeaks(vectors, other, allowed) {
  const before = attend(vectors, other, allowed, -1);
  const moved = allowed.map((_, changed) => distances(before, attend(vectors, other, allowed, changed)));
  return allowed.flatMap((_, query) => allowed.flatMap((_, key) =>
    key > query && moved[key][query] > 0 ? [/** @type {[number, number]} */ ([query, key])] : []));
}
