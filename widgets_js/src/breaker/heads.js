// What the heads of a layer say, and what is done to it: a head is switched off, turned up, or speaks of another text.

/** @typedef {import("./engine.js").Change} Change */
/** @typedef {Map<number, number>} Gains of the heads of a layer that are changed: how many times each speaks */
/** @typedef {{key: string, length: number, outputs: Float32Array[]}} Source another text: its name, how many tokens it has, and what the heads of each layer say there (T, width) */
/** @typedef {{keys: Float32Array, values: Float32Array, weights: Float32Array, gains: Gains}} Lane one text in one layer: what its heads read, and what they do */

/**
 * The heads' outputs, joined.
 * @param {import("./model.js").Model} model
 * @param {Lane} lane
 * @param {Float32Array} query of the positions from start on
 * @param {number} start
 * @param {Float32Array} joined what they say, zeros so far
 */
export function attend({ heads, kvHeads, headDim, width, mostTokens }, { keys, values, weights: maps }, query, start, joined) {
  const kvWidth = kvHeads * headDim;
  for (let i = 0; i < query.length; i += headDim) {
    const position = start + Math.floor(i / width), head = (i % width) / headDim;
    const shared = Math.floor(head * kvHeads / heads) * headDim;
    const row = (head * mostTokens + position) * mostTokens;
    const weights = maps.subarray(row, row + position + 1);
    let largest = -Infinity, sum = 0;
    for (let k = 0; k <= position; k++) {
      let score = 0;
      for (let j = 0, at = k * kvWidth + shared; j < headDim; j++) score += query[i + j] * keys[at + j];
      weights[k] = score / Math.sqrt(headDim);
      largest = Math.max(largest, weights[k]);
    }
    for (let k = 0; k <= position; k++) sum += weights[k] = Math.exp(weights[k] - largest);
    for (let k = 0; k <= position; k++) {
      const weight = (weights[k] /= sum);
      for (let j = 0, at = k * kvWidth + shared; j < headDim; j++) joined[i + j] += weight * values[at + j];
    }
  }
}

/**
 * Let heads speak as many times as loud, or say what they say of another text, as far as that goes.
 * @param {import("./model.js").Model} model
 * @param {Float32Array | undefined} there what they say of the other text
 * @param {Float32Array} joined outputs of the positions from start on, changed in place
 * @param {number} start
 * @param {Gains} gains
 */
export function change({ width, headDim, source }, there, joined, start, gains) {
  const positions = joined.length / width, end = source ? Math.min(positions, source.length - start) : positions;
  for (const [head, gain] of gains) {
    for (let position = 0; position < end; position++) {
      for (let j = head * headDim; j < (head + 1) * headDim; j++) {
        const at = position * width + j;
        joined[at] = gain * (there ? there[start * width + at] : joined[at]);
      }
    }
  }
}

/** @param {Change[]} changes @param {number} layers @returns {Gains[]} of each layer */
export function gainsOf(changes, layers) {
  const gains = Array.from({ length: layers }, () => /** @type {Gains} */ (new Map()));
  for (const [layer, head, gain = 0] of [...changes].sort((a, b) => a[1] - b[1])) gains[layer].set(head, gain);
  return gains;
}

/**
 * The weights on the first tokens, of maps that have room for more.
 * @param {Float32Array[]} maps of each layer, (heads, most, most)
 * @param {number} most
 * @param {number} length
 * @returns {Float32Array} (layers, heads, length, length)
 */
export function cropped(maps, most, length) {
  const heads = maps[0].length / most ** 2, found = new Float32Array(maps.length * heads * length ** 2);
  let to = 0;
  for (const weights of maps) {
    for (let row = 0; row < heads * most; row++) {
      if (row % most >= length) continue;
      found.set(weights.subarray(row * most, row * most + length), to);
      to += length;
    }
  }
  return found;
}
