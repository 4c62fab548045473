// Positions: vectors that are added to the embeddings, or queries and keys that are turned.

/**
 * The sines and cosines of Vaswani et al. 2017, added in place.
 * @param {Float64Array} x positions * features
 * @param {number} features
 */
export function addSinusoids(x, features) {
  for (let i = 0; i < x.length; i++) {
    const position = Math.floor(i / features), feature = i % features, pair = feature - feature % 2;
    const angle = position / 10000 ** (pair / features);
    x[i] += feature % 2 ? Math.cos(angle) : Math.sin(angle);
  }
}

/**
 * Rotary positions (Su et al. 2021): each pair of a head's features turns by its position's angle, in place.
 * @param {import("../shared/attention_math.js").Floats} x positions * heads * headDim
 * @param {number} heads
 * @param {number} headDim
 * @param {{base: number, pairing: "halves" | "interleaved"}} rotary which features form a pair
 * @param {number} [from] the first of these positions
 */
export function turn(x, heads, headDim, { base, pairing }, from = 0) {
  const pairs = headDim / 2;
  for (let start = 0; start < x.length; start += headDim) {
    const position = from + Math.floor(start / (heads * headDim));
    for (let pair = 0; pair < pairs; pair++) {
      const angle = position / base ** (pair / pairs), cos = Math.cos(angle), sin = Math.sin(angle);
      const first = start + (pairing === "halves" ? pair : 2 * pair);
      const second = first + (pairing === "halves" ? pairs : 1);
      [x[first], x[second]] = [x[first] * cos - x[second] * sin, x[second] * cos + x[first] * sin];
    }
  }
}
