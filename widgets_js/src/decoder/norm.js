// Normalisation of each position's features: LayerNorm, or RMSNorm, which subtracts no mean.

/**
 * @param {import("../shared/attention_math.js").Floats} x positions * features
 * @param {"layer" | "rms"} kind
 * @param {number} eps added to the variance or the mean square
 * @param {import("./tensors.js").Tensor} weight (features)
 * @param {import("./tensors.js").Tensor} [bias] (features)
 */
export function normalise(x, kind, eps, weight, bias) {
  const features = weight.data.length, y = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += features) {
    let sum = 0, square = 0;
    if (kind === "layer") for (let i = 0; i < features; i++) sum += x[start + i];
    const mean = sum / features;
    for (let i = 0; i < features; i++) square += (x[start + i] - mean) ** 2;
    const factor = 1 / Math.sqrt(square / features + eps);
    for (let i = 0; i < features; i++) y[start + i] = (x[start + i] - mean) * factor * weight.data[i] + (bias ? bias.data[i] : 0);
  }
  return y;
}
