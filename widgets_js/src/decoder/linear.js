// A linear map of each position: x W^T + b.

/**
 * @param {ArrayLike<number>} x positions * in
 * @param {import("./tensors.js").Tensor} weight (out, in)
 * @param {import("./tensors.js").Tensor} [bias] (out)
 * @returns {Float64Array} positions * out
 */
export function linear(x, { data, shape: [outs, ins] }, bias) {
  const positions = x.length / ins, y = new Float64Array(positions * outs);
  for (let position = 0; position < positions; position++) {
    for (let out = 0; out < outs; out++) {
      let sum = bias ? bias.data[out] : 0;
      for (let i = 0, at = position * ins, from = out * ins; i < ins; i++) sum += x[at + i] * data[from + i];
      y[position * outs + out] = sum;
    }
  }
  return y;
}
