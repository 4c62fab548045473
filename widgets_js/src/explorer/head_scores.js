// One number for a head, by which the overview is ordered; as in course_lib/study/heads.py.
import { attentionWeights, entropy } from "../shared/attention_math.js";

/**
 * The mean weight on the key at query + offset, over the queries that have one.
 * @param {Float64Array} weights
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {number} offset
 */
export function offsetScore(weights, queryLen, keyLen, offset) {
  let sum = 0, count = 0;
  for (let query = Math.max(0, -offset); query < queryLen && query + offset < keyLen; query++) {
    sum += weights[query * keyLen + query + offset];
    count++;
  }
  return count ? sum / count : 0;
}

/**
 * The mean weight on the first key, over the queries after the first.
 * @param {Float64Array} weights
 * @param {number} queryLen
 * @param {number} keyLen
 */
export function firstScore(weights, queryLen, keyLen) {
  let sum = 0;
  for (let query = 1; query < queryLen; query++) sum += weights[query * keyLen];
  return queryLen > 1 ? sum / (queryLen - 1) : 0;
}

/**
 * The mean entropy of the rows as a share of its maximum, log(allowed keys); rows with one key or
 * none do not count.
 * @param {Float64Array} weights
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {(query: number, key: number) => boolean} allowed
 */
export function entropyScore(weights, queryLen, keyLen, allowed) {
  let sum = 0, rows = 0;
  for (let query = 0; query < queryLen; query++) {
    let count = 0;
    for (let key = 0; key < keyLen; key++) if (allowed(query, key)) count++;
    if (count < 2) continue;
    sum += entropy(weights.subarray(query * keyLen, (query + 1) * keyLen)) / Math.log(count);
    rows++;
  }
  return rows ? sum / rows : 0;
}

/**
 * The weight of a head at the chosen query and key.
 * @param {import("./look.js").Look} look
 * @param {number} index
 */
export function cellScore(look, index) {
  const { keyLen, queryLen, scores, weights } = look.data, query = look.get("query"), key = look.get("key");
  if (weights) return weights(index)[query * keyLen + key];
  // One row is enough; the causal mask ends it.
  const row = scores(index).subarray(query * keyLen, (query + 1) * keyLen);
  const end = look.get("causal") ? Math.min(Math.max(query + 1 + keyLen - queryLen, 0), keyLen) : keyLen;
  return key < end ? attentionWeights(row.subarray(0, end), 1, end, false, look.get("temperature"))[key] : 0;
}
