// What the head hands on: how even its weights are, and the context vector.
import { contextVector, entropy } from "../shared/attention_math.js";
import { heading, make } from "../shared/elements.js";
import { setAll, svg } from "../shared/drawing.js";
import { fillTo } from "./bars.js";
import { EXTRA } from "./toolbar.js";

/** @param {import("./look.js").Look} look */
export function context(look) {
  const { headDim, keyLen } = look.data;
  const entropyText = make("p", { title: "how evenly the weights are spread: 0 is one key alone, the most is the same for all; nats are units of the natural logarithm" }), entropyFill = make("i"), numbers = make("p");
  const path = svg("path");
  const drawing = make("div", { className: "cw-context", "aria-hidden": "true" },
    svg("svg", { viewBox: `0 -1 ${headDim} 2`, preserveAspectRatio: "none" }, path));
  const node = make("div", { className: `cw-handed-on ${EXTRA}` }, entropyText, make("span", { className: "cw-track" }, entropyFill));
  if (headDim) node.append(heading("context vector"), drawing, numbers);
  /** @type {import("../shared/attention_math.js").Floats | null} */
  let known = null;
  let largest = 1;

  return {
    node,
    update() {
      node.hidden = look.asksKey();
      if (node.hidden) return;
      const { query } = look.at(), row = look.chosen().subarray(query * keyLen, (query + 1) * keyLen);
      const allowed = look.line(look.chosen()).filter((weight) => weight !== null).length;
      const most = Math.log(Math.max(allowed, 1)), nats = entropy(row);
      entropyText.textContent = `entropy ${nats.toFixed(2)} of at most ${most.toFixed(2)} nats`;
      fillTo(entropyFill, most > 0 ? nats / most : 0);
      const values = look.data.values?.(look.index());
      if (!values) return;
      if (values !== known) {
        largest = 1e-9;
        for (const value of values) largest = Math.max(largest, Math.abs(value));
        known = values;
      }
      const vector = contextVector(row, values, headDim);
      setAll(path, { d: Array.from(vector, (c, i) => `M${i + 0.1} 0h.8v${-c / largest}h-.8z`).join("") });
      // As many decimals as hold, with the values' and the weights' rounding.
      const error = look.data.valueError + 2 * look.weightError() * largest;
      const digits = error <= 0.005 ? 2 : error <= 0.05 ? 1 : 0;
      numbers.textContent = Array.from(vector.subarray(0, 6), (c) => c.toFixed(digits)).join("  ") +
        (headDim > 6 ? `  … (${headDim} numbers)` : "");
    },
  };
}
