// Normalisation of each position's features: LayerNorm, or RMSNorm, which subtracts no mean.

/**
 * @param {Float64Array} x positions * features
 * @param {"layer" | "rms"} kind
 * @param {number} eps added to the variance or the mean square
 * @param {import("./tensors.js").Tensor} weight (features)
 * @param {import("./tensors.js").Tensor} [bias] (features)
 */
export function normalise(x, kind, eps, weight, bias) {
  const features = weight.data.length, y = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += features) {
    const row = x.subarray(start, start + features);
    const mean = kind === "layer" ? row.reduce((sum, number) => sum + number, 0) / features : 0;
    const square = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / features;
    const factor = 1 / Math.sqrt(square + eps);
    for (let i = 0; i < features; i++) y[start + i] = (row[i] - mean) * factor * weight.data[i] + (bias ? bias.data[i] : 0);
  }
  return y;
}
