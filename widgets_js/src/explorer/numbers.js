// Numbers that Python packed (course_lib/widgets/packed_numbers.py), unpacked head by head.
import { bytes, floats } from "../shared/base64.js";

/**
 * @typedef {object} Packed
 * @property {number} bits 64 and 32: floats as they are; 1 to 16: low + step * code
 * @property {string} data base64
 * @property {string} [low] base64 of float32, one for each head
 * @property {string} [step] base64 of float32, one for each head
 * @property {number} error the most by which a number was moved
 */

/**
 * What `packed_weights` packed: the weights of each head, and their logarithms, which stand for the scores.
 * @param {Uint8Array} codes inflated
 * @param {number} shares
 * @param {number} size how many numbers a head has
 */
export function ofShares(codes, shares, size) {
  const MASKED = 255;
  const weight = Float64Array.from({ length: MASKED }, (_, code) => (code / shares) ** 2);
  const score = weight.map(Math.log);
  const of = (/** @type {number} */ head) => codes.subarray(head * size, (head + 1) * size);
  return {
    weights: (/** @type {number} */ head) => Float64Array.from(of(head), (code) => (code === MASKED ? 0 : weight[code])),
    scores: (/** @type {number} */ head) => Float64Array.from(of(head), (code) => (code === MASKED ? NaN : score[code])),
  };
}

/** What zlib compressed. @param {string} text base64 */
export async function inflated(text) {
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A function from a head's index to its numbers. The last code becomes NaN: masked.
 * @param {Packed} packed
 * @param {number} size how many numbers a head has
 * @returns {(head: number) => import("../shared/attention_math.js").Floats}
 */
export function unpacked({ bits, data, low, step }, size) {
  const raw = bytes(data);
  if (bits >= 32) {
    const all = bits === 64 ? new Float64Array(raw.buffer) : new Float32Array(raw.buffer);
    return (head) => all.subarray(head * size, (head + 1) * size);
  }
  const lows = floats(low ?? ""), steps = floats(step ?? ""), last = 2 ** bits - 1;
  /** @type {Float32Array[]} */
  const known = [];
  return (head) => {
    if (known[head]) return known[head];
    const numbers = new Float32Array(size), first = lows[head], width = steps[head];
    for (let i = 0, place = head * size * bits; i < size; i++, place += bits) {
      const byte = Math.floor(place / 8);
      const window = (raw[byte] << 16) | (raw[byte + 1] << 8) | raw[byte + 2];
      const code = (window >>> (24 - bits - place % 8)) & last;
      numbers[i] = code === last ? NaN : first + width * code;
    }
    return (known[head] = numbers);
  };
}

/** The values, if there are some. @param {any} sent by Python @param {number} size how many a head has */
export const valuesOf = ({ values }, size) => values && { values: unpacked(values, size), valueError: values.error };

/** @param {any} sent by Python @param {number} size how many scores a head has @param {number} ofValues */
export const numbersOf = (sent, size, ofValues) => ({ scores: unpacked(sent.scores, size),
  scoreError: sent.scores.error, ...valuesOf(sent, ofValues) });
