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
  const pairs = headDim / 2, step = pairing === "halves" ? 1 : 2, apart = pairing === "halves" ? pairs : 1;
  for (let start = 0, position = from; start < x.length; start += heads * headDim, position++) {
    for (let pair = 0; pair < pairs; pair++) {
      const angle = position / base ** (pair / pairs), cos = Math.cos(angle), sin = Math.sin(angle);
      for (let head = 0; head < heads; head++) {
        const at = start + head * headDim + step * pair, first = x[at], second = x[at + apart];
        x[at] = first * cos - second * sin;
        x[at + apart] = second * cos + first * sin;
      }
    }
  }
}
