// Attention from scores, in double precision. A score of NaN may never be attended to.

/** @typedef {Float32Array | Float64Array} Floats */

/**
 * Whether this query may attend to this key. Causal: the last query stands at the last key.
 * @param {Floats} scores queryLen * keyLen
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {boolean} causal
 * @param {number} query
 * @param {number} key
 */
export function isAllowed(scores, queryLen, keyLen, causal, query, key) {
  const score = scores[query * keyLen + key];
  return score === score && (!causal || key <= query + keyLen - queryLen);
}

/**
 * Softmax of each row of scores over its allowed keys; 0 where none is.
 * @param {Floats} scores queryLen * keyLen
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {boolean} causal
 * @param {number} temperature
 */
export function attentionWeights(scores, queryLen, keyLen, causal, temperature) {
  const weights = new Float64Array(queryLen * keyLen);
  for (let query = 0; query < queryLen; query++) {
    const row = query * keyLen;
    const end = row + (causal ? Math.min(query + 1 + keyLen - queryLen, keyLen) : keyLen);
    let largest = -Infinity;
    for (let i = row; i < end; i++) if (scores[i] > largest) largest = scores[i];
    let sum = 0;
    for (let i = row; i < end; i++) {
      if (scores[i] === scores[i]) sum += weights[i] = Math.exp((scores[i] - largest) / temperature);
    }
    for (let i = row; i < end; i++) if (weights[i]) weights[i] /= sum;
  }
  return weights;
}

/**
 * Entropy of one row of weights, in nats.
 * @param {Floats | number[]} row
 */
export function entropy(row) {
  let sum = 0;
  for (const weight of row) if (weight > 0) sum -= weight * Math.log(weight);
  return Math.max(sum, 0);
}

/**
 * The weighted average of the values (row.length * headDim): what the head hands on.
 * @param {Floats} row
 * @param {ArrayLike<number>} values
 * @param {number} headDim
 */
export function contextVector(row, values, headDim) {
  const context = new Float64Array(headDim);
  row.forEach((weight, key) => {
    if (weight) for (let i = 0; i < headDim; i++) context[i] += weight * values[key * headDim + i];
  });
  return context;
}
