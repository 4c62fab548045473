// One head, large: its map with the tokens at its sides. Pointing looks, a click chooses.
import { button, heading, make } from "../shared/elements.js";
import { comparing } from "./comparing.js";
import { FEW, headName } from "./data.js";
import { edgeLine } from "../shared/edge.js";
import { pointing } from "./pointing.js";
import { paint, valueAt } from "./paint.js";
import { EXTRA } from "./toolbar.js";
import { quoted, token } from "./words.js";

const LABELS = 32; // so many tokens are written at a side

/**
 * @param {import("./look.js").Look} look
 * @param {() => void} orderByCell order the heads by their weight at the chosen cell
 */
export function board(look, orderByCell) {
  const { data } = look;
  const title = heading(), readout = make("p", { "aria-hidden": "true", className: "cw-readout" });
  const map = make("canvas", { role: "img" }), edge = edgeLine();
  const rowMark = make("i", { className: "cw-mark cw-row-mark" }), columnMark = make("i", { className: "cw-mark cw-column-mark" });
  const cellMark = make("i", { className: "cw-mark cw-cell-mark" });
  const sheet = make("div", { className: "cw-board", tabIndex: 0, role: "application", "aria-roledescription": "map" }, map, edge.node, columnMark, rowMark, cellMark);
  const rows = make("div", { className: "cw-rows", "aria-hidden": "true" });
  const columns = make("div", { className: "cw-columns", "aria-hidden": "true" });
  const box = make("div", { className: "cw-map" }, rows, sheet, columns);
  const spoken = make("p", { className: "cw-spoken", "aria-live": "polite" });
  const byCell = button("order heads by this cell", orderByCell, { className: EXTRA, title: "order the heads by their weight at the chosen cell" });
  byCell.hidden = data.count <= FEW;
  const compare = comparing(look);

  /** @param {HTMLElement} node @param {string[]} texts */
  const write = (node, texts) => {
    const step = Math.ceil(texts.length / LABELS);
    node.replaceChildren(...texts.filter((_, i) => i % step === 0).map((text) => token(text, "span")));
  };

  /** What is on the map: "this", "pinned" or "difference". */
  const which = () => (look.pinnedIndex() === null ? "this" : look.get("compare"));

  /** What is on the map: its weights, what is taken off, its tokens, and the reach of its colours. */
  function picture() {
    const what = which(), index = what === "pinned" ? look.pinnedIndex() ?? 0 : look.index();
    const { scores, queries, keys, queryLen, keyLen } = data;
    const weights = look.weights(index), minus = what === "difference" ? look.pinned() : null;
    const value = (/** @type {number} */ w, /** @type {number} */ i) => Math.abs(w - (minus ? minus[i] : 0));
    let most = 1;
    if (look.get("stretch")) most = weights.reduce((a, w, i) => Math.max(a, value(w, i)), 1e-9);
    return { weights, minus, scores: scores(index), causal: look.get("causal"), most, queries, keys, queryLen, keyLen };
  }

  /** The name of what is on the map. */
  function name() {
    const what = which(), own = headName(data, look.index()), at = look.pinnedIndex();
    if (at === null || what === "this") return own;
    const other = headName(data, at);
    return what === "pinned" ? other : `${own} minus ${other}`;
  }

  let shown = picture(), exact = true;
  /** The map's shape and its words. */
  function shape() {
    const { queryLen, keyLen, queries, keys } = data;
    const cell = (/** @type {number} */ count) => Math.min(400 / count, 40);
    const width = keyLen * cell(keyLen), height = queryLen * Math.min(cell(queryLen), 3 * cell(keyLen));
    sheet.style.aspectRatio = String(width / height);
    box.style.setProperty("--board", width + "px");
    box.classList.toggle("cw-dense", Math.max(keyLen, queryLen) > 16);
    rowMark.style.height = cellMark.style.height = 100 / queryLen + "%";
    columnMark.style.width = cellMark.style.width = 100 / keyLen + "%";
    write(rows, queries);
    write(columns, keys);
    return width;
  }

  const side = shape();
  function showMap() {
    shown = picture();
    const points = Math.max(Math.round((sheet.clientWidth || side) * window.devicePixelRatio), 64);
    exact = paint(map, shown, points, edge.show);
    title.textContent = name() + ": queries down, keys across";
    title.title = title.textContent;
    map.setAttribute("aria-label", "weights of " + name());
    sheet.setAttribute("aria-label", `map of the weights of ${name()}: walk with the arrow keys, choose with Enter`);
    compare.update();
  }

  /** The cell that is spoken of, as words and a number. @param {{query: number, key: number}} cell */
  function words({ query, key }) {
    const value = valueAt(shown, query, key), sign = shown.minus && value !== null && value > 0 ? "+" : "";
    return { query: shown.queries[query], key: shown.keys[key], number: sign + look.percent(value) };
  }

  function showMarks() {
    const { query, key } = look.at(), isPointing = look.isPointing();
    rowMark.style.transform = `translateY(${100 * query}%)`;
    columnMark.style.transform = `translateX(${100 * key}%)`;
    cellMark.style.transform = `translate(${100 * key}%, ${100 * query}%)`;
    cellMark.hidden = isPointing;
    rowMark.hidden = look.asksKey() && !isPointing;
    columnMark.hidden = !look.asksKey() && !isPointing;
    const cell = words({ query, key });
    const hint = isPointing ? "" : exact ? ". Click a cell." : ". A dot: its largest cell.";
    readout.replaceChildren(quoted(cell.query), " → ", quoted(cell.key), ` ${cell.number}${hint}`);
  }

  pointing(look, sheet, map, (cell) => {
    const { query, key, number } = words(cell);
    spoken.textContent = `query ${query}, key ${key}, ${number}`;
  });
  return {
    node: make("div", { className: "cw-one-head" }, make("div", { className: "cw-bar cw-ask" }, title, compare.node), box,
      make("div", { className: "cw-at-cell" }, readout, byCell), spoken),
    picture, name,
    /** @param {"maps" | "head" | "order" | "row"} level */
    update(level) {
      if (level === "maps" || level === "head") showMap();
      showMarks();
    },
  };
}
