// Causal self-attention with many heads, some of which may be switched off.
import { attentionWeights } from "../shared/attention_math.js";
import { linear } from "./linear.js";
import { turn } from "./positions.js";

/**
 * A head that is off adds nothing to the layer's sum; its weights are computed all the same.
 * @param {Float64Array} x positions * d_model
 * @param {import("./decoder.js").Part} part finds the layer's tensors
 * @param {import("./decoder.js").Options} options
 * @param {(head: number) => boolean} isOff
 * @returns {{output: Float64Array, weights: Float64Array}} positions * d_model; heads * positions * positions
 */
export function attention(x, part, options, isOff) {
  const { num_heads: heads, num_kv_heads: kvHeads, rotary } = options;
  /** @param {string} name */
  const project = (name) => linear(x, part(`${name}.weight`), part.optional(`${name}.bias`));
  const query = project("q_proj"), key = project("k_proj"), value = project("v_proj");
  const width = part("q_proj.weight").shape[0], headDim = width / heads, kvWidth = kvHeads * headDim;
  const positions = query.length / width;
  if (rotary) {
    turn(query, heads, headDim, rotary);
    turn(key, kvHeads, headDim, rotary);
  }
  const joined = new Float64Array(query.length), weights = new Float64Array(heads * positions * positions);
  for (let head = 0; head < heads; head++) {
    // Neighbouring query heads share a key and value head where there are fewer of those.
    const own = head * headDim, shared = Math.floor(head * kvHeads / heads) * headDim;
    const scores = new Float64Array(positions * positions);
    for (let q = 0; q < positions; q++) {
      for (let k = 0; k <= q; k++) {
        let sum = 0;
        for (let i = 0; i < headDim; i++) sum += query[q * width + own + i] * key[k * kvWidth + shared + i];
        scores[q * positions + k] = sum / Math.sqrt(headDim);
      }
    }
    const found = attentionWeights(scores, positions, positions, true, 1);
    weights.set(found, head * positions * positions);
    if (isOff(head)) continue;
    for (let q = 0; q < positions; q++) {
      for (let k = 0; k <= q; k++) {
        const weight = found[q * positions + k];
        for (let i = 0; i < headDim; i++) joined[q * width + own + i] += weight * value[k * kvWidth + shared + i];
      }
    }
  }
  return { output: linear(joined, part("out_proj.weight"), part.optional("out_proj.bias")), weights };
}
