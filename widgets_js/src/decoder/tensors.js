// The numbers of a model, as Python sends them: one base64 text for all of its tensors.
import { bytes, floats } from "../shared/base64.js";

/** @typedef {{data: Float32Array, shape: number[]}} Tensor */
/** @typedef {Record<string, Tensor>} Tensors by the names of `state_dict` */
/** @typedef {{shapes: [string, number[]][], bits: 16 | 32, data: string}} Packed little-endian floats of that many bits */

/**
 * The tensors by name.
 * @param {Packed} packed
 * @returns {Tensors}
 */
export function unpack({ shapes, bits, data }) {
  const numbers = bits === 16 ? Float32Array.from(new Uint16Array(bytes(data).buffer), half) : floats(data);
  /** @type {Tensors} */
  const tensors = {};
  let start = 0;
  for (const [name, shape] of shapes) {
    const end = start + shape.reduce((product, size) => product * size, 1);
    tensors[name] = { data: numbers.subarray(start, end), shape };
    start = end;
  }
  return tensors;
}

/**
 * The number that 16 bits mean: a sign, 5 bits of exponent, 10 of fraction (IEEE 754).
 * @param {number} bits
 */
export function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = (bits & 0x3ff) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}
