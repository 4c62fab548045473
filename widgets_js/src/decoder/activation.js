// What stands between the two linear maps of a feed-forward network.

/** @typedef {"relu" | "gelu" | "gelu_tanh" | "silu"} Activation */

/**
 * The error function, by formula 7.1.26 of Abramowitz and Stegun: wrong by at most 1.5e-7.
 * @param {number} x
 */
export function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** @type {Record<Activation, (x: number) => number>} */
export const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu: (x) => x / (1 + Math.exp(-x)),
};
