// The feed-forward network of a block: what each position computes alone.
import { ACTIVATIONS } from "./activation.js";
import { linear } from "./linear.js";

/**
 * @param {Float64Array} x positions * d_model
 * @param {import("./decoder.js").Part} part finds the network's tensors
 * @param {import("./activation.js").Activation} activation
 */
export function feedForward(x, part, activation) {
  const act = ACTIVATIONS[activation], gate = part.optional("gate_proj.weight");
  const hidden = linear(x, part("up_proj.weight"), part.optional("up_proj.bias"));
  if (gate) linear(x, gate, part.optional("gate_proj.bias")).forEach((number, i) => (hidden[i] *= act(number)));
  else hidden.forEach((number, i) => (hidden[i] = act(number)));
  return linear(hidden, part("down_proj.weight"), part.optional("down_proj.bias"));
}
