// The heads of one layer, large: the course's explorer of weights.
import { mountExplorer } from "../attention_explorer.js";
import { make } from "../shared/elements.js";
import { pageModel } from "../shared/model.js";
import { HEADS } from "./stored.js";

export function oneLayer() {
  const place = make("div"), summary = make("summary");
  const node = make("details", { className: "break-maps" }, summary, place);
  let end = () => {}, shown = "";
  /** @type {() => void} */
  let draw = () => {};
  node.addEventListener("toggle", () => draw());

  /** @param {import("./view.js").View} view @param {number} chosen */
  function show(view, chosen) {
    const layer = Math.floor(chosen / HEADS);
    summary.textContent = `Where head ${chosen % HEADS} of layer ${layer} looks`;
    draw = () => {
      const key = [view.text, view.off, view.after === null, chosen].join("|");
      if (!node.open || shown === key || !view.pieces.length) return;
      shown = key;
      end();
      end = mountExplorer(place, pageModel(stateOf(view, layer, chosen % HEADS)));
    };
    draw();
  }
  return { node, show };
}

/**
 * The traits of the explorer: logarithms of finished weights serve as scores, and it gets no values.
 * @param {import("./view.js").View} view
 * @param {number} layer
 * @param {number} head
 */
function stateOf(view, layer, head) {
  const size = view.pieces.length, scores = new Float32Array(HEADS * size * size).fill(NaN);
  for (let one = 0; one < HEADS; one++) {
    for (let query = 0; query < size; query++) {
      for (let key = 0; key <= query; key++) {
        const weight = view.weight(layer * HEADS + one, query, key);
        scores[(one * size + query) * size + key] = Math.log(Math.max(weight, 1e-6));
      }
    }
  }
  const bytes = new Uint8Array(scores.buffer);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { layer: 0, head, query: size - 1, key: 0, causal: false, temperature: 1, variant: "", asks: "query", view: "lines",
    stretch: false, order: "layer", best: 0, pinned: [], compare: "this", overlay: [],
    _data: { layers: 1, heads: HEADS, head_dim: 0, maskable: true, is_self: true, scale: null, of_weights: true, head_scores: {},
      variants: [{ name: "", untrained: false, queries: view.pieces, keys: null, values: null,
        scores: { bits: 32, data: btoa(text), error: view.error } }] } };
}
