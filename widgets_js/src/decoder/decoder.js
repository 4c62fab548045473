// A language model of transformer blocks, as course_lib's DecoderLM computes it, in double precision.
import { attention } from "./attention.js";
import { feedForward } from "./feed_forward.js";
import { linear } from "./linear.js";
import { normalise } from "./norm.js";
import { addSinusoids } from "./positions.js";
import { unpack } from "./tensors.js";

/**
 * @typedef {object} Options
 * @property {number} num_layers
 * @property {number} num_heads
 * @property {number} num_kv_heads
 * @property {boolean} norm_first normalise before each part of a block, or after it
 * @property {"layer" | "rms"} norm
 * @property {number} eps
 * @property {import("./activation.js").Activation} activation
 * @property {boolean} sinusoidal
 * @property {{base: number, pairing: "halves" | "interleaved"} | null} rotary
 */

/** @typedef {[number, number]} Head layer and head */
/** @typedef {{logits: Float64Array, weights: Float64Array[]}} Run logits positions * words; of each layer heads * positions * positions */
/** @typedef {((name: string) => import("./tensors.js").Tensor) & {optional: (name: string) => import("./tensors.js").Tensor | undefined}} Part */

/**
 * The model as a function: tokens, and the heads that are off, to logits and weights.
 * @param {Options} options
 * @param {import("./tensors.js").Packed} packed
 * @returns {(tokens: number[], off?: Head[]) => Run}
 */
export function makeDecoder(options, packed) {
  const tensors = unpack(packed);
  /** @type {(prefix: string) => Part} */
  const partOf = (prefix) => Object.assign((/** @type {string} */ name) => {
    const tensor = tensors[prefix + name];
    if (!tensor) throw new Error(`the model has no ${prefix}${name}`);
    return tensor;
  }, { optional: (/** @type {string} */ name) => tensors[prefix + name] });
  const whole = partOf("");
  const embedding = whole("embedding.weight"), words = whole.optional("head.weight") ?? embedding;

  /** @type {(x: Float64Array, name: string) => Float64Array} */
  const norm = (x, name) => normalise(x, options.norm, options.eps, whole(`${name}.weight`), whole.optional(`${name}.bias`));
  /** @type {(x: Float64Array, name: string, compute: (x: Float64Array) => Float64Array) => Float64Array} */
  const add = (x, name, compute) => {
    const update = compute(options.norm_first ? norm(x, name) : x);
    const sum = x.map((number, i) => number + update[i]);
    return options.norm_first ? sum : norm(sum, name);
  };

  return (tokens, off = []) => {
    /** @type {Float64Array} */
    let x = embed(tokens, embedding);
    const table = whole.optional("positions.weight");
    if (table) x.forEach((number, i) => (x[i] = number + table.data[i]));
    if (options.sinusoidal) addSinusoids(x, embedding.shape[1]);
    /** @type {Float64Array[]} */
    const weights = [];
    for (let layer = 0; layer < options.num_layers; layer++) {
      const block = `stack.blocks.${layer}.`;
      x = add(x, block + "attention_norm", (before) => {
        const isOff = (/** @type {number} */ head) => off.some(([l, h]) => l === layer && h === head);
        const found = attention(before, partOf(block + "attention."), options, isOff);
        weights.push(found.weights);
        return found.output;
      });
      if (whole.optional(block + "feed_forward.up_proj.weight")) {
        x = add(x, block + "feed_forward_norm",
          (before) => feedForward(before, partOf(block + "feed_forward."), options.activation));
      }
    }
    if (whole.optional("stack.norm.weight")) x = norm(x, "stack.norm");
    return { logits: linear(x, words), weights };
  };
}

/**
 * @param {number[]} tokens
 * @param {import("./tensors.js").Tensor} table (words, features)
 */
function embed(tokens, { data, shape: [, features] }) {
  const x = new Float64Array(tokens.length * features);
  tokens.forEach((token, i) => x.set(data.subarray(token * features, (token + 1) * features), i * features));
  return x;
}

/**
 * The probabilities of the word after the last one.
 * @param {Run} run
 * @param {number} words
 */
export function nextProbabilities({ logits }, words) {
  const last = logits.subarray(logits.length - words), largest = Math.max(...last);
  const powers = last.map((logit) => Math.exp(logit - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
