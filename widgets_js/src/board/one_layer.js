// The heads of one layer, large: the course's explorer of weights.
import { mountExplorer } from "../attention_explorer.js";
import { make } from "../shared/elements.js";
import { pageModel } from "../shared/model.js";

/** @param {number} heads in a layer @param {boolean} open from the start @param {string} [where] if not in the board's text */
export function oneLayer(heads, open, where = "") {
  const place = make("div"), summary = make("summary");
  const node = make("details", { className: "cw-maps", open }, summary, place);
  let end = () => {}, shown = "", query = { of: "", at: 0 };
  /** @type {import("../shared/model.js").Model | undefined} */
  let explorer;
  /** @type {() => void} */
  let draw = () => {};
  node.addEventListener("toggle", () => draw());

  /** @param {import("./view.js").View} view @param {number} chosen */
  function show(view, chosen) {
    const layer = Math.floor(chosen / heads), head = chosen % heads;
    summary.textContent = `Where the heads of layer ${layer} look${where}`;
    draw = () => {
      const key = [view.text, view.off, view.after === null, chosen].join("|");
      if (!node.open || shown === key || !view.pieces.length) return;
      shown = key;
      end();
      // Another head of the same text keeps the query that was chosen.
      query = { of: view.text, at: explorer && query.of === view.text ? explorer.get("query") : view.pieces.length - 1 };
      explorer = pageModel(stateOf(view, layer * heads, heads, head, query.at));
      end = mountExplorer(place, explorer);
    };
    draw();
  }
  return { node, show, end: () => end() };
}

/**
 * The traits of the explorer: logarithms of finished weights serve as scores, and it gets no values.
 * @param {import("./view.js").View} view
 * @param {number} first head of the layer
 * @param {number} heads
 * @param {number} head
 * @param {number} at the query
 */
function stateOf(view, first, heads, head, at) {
  const size = view.pieces.length, scores = new Float32Array(heads * size * size).fill(NaN);
  for (let one = 0; one < heads; one++) {
    for (let query = 0; query < size; query++) {
      for (let key = 0; key <= query; key++) {
        scores[(one * size + query) * size + key] = Math.log(Math.max(view.weight(first + one, query, key), 1e-6));
      }
    }
  }
  let text = "";
  for (const byte of new Uint8Array(scores.buffer)) text += String.fromCharCode(byte);
  return { layer: 0, head, query: at, key: 0, causal: false, temperature: 1, variant: "", asks: "query", view: "lines",
    stretch: false, order: "layer", best: 0, pinned: [], compare: "this", overlay: [],
    _data: { layers: 1, heads, head_dim: 0, maskable: true, is_self: true, scale: null, of_weights: true, head_scores: {},
      variants: [{ name: "", untrained: false, queries: view.pieces, keys: null, values: null,
        scores: { bits: 32, data: btoa(text), error: view.error } }] } };
}
