// The heads of one layer, large: the course's explorer of weights.
import { mount } from "../attention_explorer.js";
import { AT_FIRST, readData } from "../explorer/data.js";
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
      explorer = pageModel(stateOf(view, heads, head, query.at));
      // Logarithms of finished weights serve as scores.
      const size = view.pieces.length, first = layer * heads;
      const scores = Array.from({ length: heads }, (_, one) => Float32Array.from({ length: size * size }, (_, i) => {
        const place = i % size, asks = (i - place) / size;
        return place > asks ? NaN : Math.log(Math.max(view.weight(first + one, asks, place), 1e-6));
      }));
      end = mount(place, explorer, readData(explorer.get("_data"), () => ({ scores: (one) => scores[one], scoreError: view.error })));
    };
    draw();
  }
  return { node, show, end: () => end() };
}

/**
 * The traits of the explorer: it gets no values, and its tokens no space before them.
 * @param {import("./view.js").View} view
 * @param {number} heads
 * @param {number} head
 * @param {number} at the query
 */
const stateOf = ({ pieces }, heads, head, at) => ({ layer: 0, head, query: at, key: null, causal: false, ...AT_FIRST,
  _data: { layers: 1, heads, head_dim: 0, maskable: true, is_self: true, untrained: false, of_weights: true,
    queries: pieces.map((piece) => piece.replace(/^ /, "")) } });
