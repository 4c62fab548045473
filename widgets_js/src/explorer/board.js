// One head, large: its map with the tokens at its sides. Pointing looks, a click chooses.
import { radioGroup } from "../shared/controls.js";
import { heading, make } from "../shared/elements.js";
import { headName } from "./data.js";
import { paint, valueAt } from "./paint.js";
import { quoted, token } from "./words.js";

const LABELS = 32; // so many tokens are written at a side
const COMPARE = ["this", "pinned", "difference"];

/** @param {import("./look.js").Look} look */
export function board(look) {
  const { data } = look, { queryLen, keyLen } = data;
  const title = heading(), readout = make("p", { "aria-hidden": "true", className: "cw-readout" });
  const map = make("canvas", { role: "img" });
  const rowMark = make("i", { className: "cw-mark" }), columnMark = make("i", { className: "cw-mark cw-column-mark" });
  const sheet = make("div", { className: "cw-board" }, map, columnMark, rowMark);
  const rows = make("div", { className: "cw-rows", "aria-hidden": "true" });
  const columns = make("div", { className: "cw-columns", "aria-hidden": "true" });
  const box = make("div", { className: Math.max(keyLen, queryLen) > 16 ? "cw-map cw-dense" : "cw-map" }, rows, sheet, columns);
  const cell = (/** @type {number} */ count) => Math.min(400 / count, 40);
  const width = keyLen * cell(keyLen), height = queryLen * Math.min(cell(queryLen), 3 * cell(keyLen));
  sheet.style.aspectRatio = String(width / height);
  box.style.setProperty("--board", width + "px");

  const pin = make("button", { type: "button" });
  pin.addEventListener("click", () => {
    const { layer, head } = look.headOf(look.index());
    look.set(look.pinnedAt() ? { pinned: [], compare: "this" } : { pinned: [look.get("variant"), layer, head] });
  });
  const over = make("button", { type: "button" });
  over.addEventListener("click", () => {
    const { layer, head } = look.headOf(look.index()), others = look.get("overlay");
    const rest = others.filter((/** @type {number[]} */ [a, b]) => a !== layer || b !== head);
    look.set({ overlay: rest.length < others.length ? rest : [...others, [layer, head]] });
  });
  const compare = radioGroup("map of", "cw-chips", COMPARE.map((text) => make("button", { type: "button" }, text)),
    (i) => look.set({ compare: COMPARE[i] }));
  const buttons = make("div", { className: "cw-chips cw-actions" }, pin, over, compare.node);
  over.hidden = data.count < 2;

  /** @param {HTMLElement} node @param {string[]} texts */
  const write = (node, texts) => {
    const step = Math.ceil(texts.length / LABELS);
    node.replaceChildren(...texts.filter((_, i) => i % step === 0).map((text) => token(text, "span")));
  };

  /** What is on the map: its weights, what is taken off, and the reach of its colours. */
  function picture() {
    const pinned = look.pinned(), which = pinned ? look.get("compare") : "this";
    const at = look.pinnedAt();
    const [variant, index] = which === "pinned" && at ? [at.variant, at.index] : [look.variant(), look.index()];
    const weights = look.weights(variant, index), minus = which === "difference" ? pinned : null;
    const scores = data.variants[variant].scores(index);
    const value = (/** @type {number} */ w, /** @type {number} */ i) => Math.abs(w - (minus ? minus[i] : 0));
    let most = 1;
    if (look.get("stretch")) most = weights.reduce((a, w, i) => Math.max(a, value(w, i)), 1e-9);
    return { weights, minus, scores, causal: look.get("causal"), most };
  }

  /** The name of what is on the map. */
  function name() {
    const at = look.pinnedAt(), which = at ? look.get("compare") : "this";
    const own = full(look.variant(), look.index());
    if (!at || which === "this") return own;
    const other = full(at.variant, at.index);
    return which === "pinned" ? other : `${own} minus ${other}`;
  }
  /** @param {number} variant @param {number} index */
  const full = (variant, index) =>
    (data.variants.length > 1 ? `${data.variants[variant].name}: ` : "") + headName(data, index);

  let exact = true, labelled = -1;
  function showMap() {
    const points = Math.max(Math.round((sheet.clientWidth || width) * window.devicePixelRatio), 64);
    exact = paint(map, picture(), queryLen, keyLen, points);
    title.textContent = name() + ": queries down, keys across";
    map.setAttribute("aria-label", "weights of " + name());
    const pinned = look.pinnedAt();
    pin.textContent = pinned ? "unpin" : "pin to compare";
    pin.title = pinned ? `pinned: ${full(pinned.variant, pinned.index)}` : "keep this head, then choose another";
    over.textContent = look.overlaid().includes(look.index()) ? "remove from overlay" : "overlay";
    over.title = "draw this head's weights together with those of other heads";
    compare.node.hidden = !pinned;
    compare.choose(COMPARE.indexOf(look.get("compare")));
    if (labelled !== look.variant()) {
      labelled = look.variant();
      write(rows, look.tokens().queries);
      write(columns, look.tokens().keys);
    }
  }

  function showMarks() {
    const { query, key } = look.at();
    rowMark.style.cssText = `top:${100 * query / queryLen}%;height:${100 / queryLen}%;left:0;right:0`;
    columnMark.style.cssText = `left:${100 * key / keyLen}%;width:${100 / keyLen}%;top:0;bottom:0`;
    rowMark.hidden = look.asksKey() && !look.isPointing();
    columnMark.hidden = !look.asksKey() && !look.isPointing();
    if (!look.isPointing()) {
      readout.textContent = "Point at a cell; click to choose its " + (look.asksKey() ? "key." : "query.") +
        (exact ? "" : " (A dot: its largest cell.)");
      return;
    }
    const { queries, keys } = look.tokens(), shown = picture();
    const value = valueAt(shown, queryLen, keyLen, query, key);
    const text = shown.minus && value !== null ? (value > 0 ? "+" : "") + look.percent(value) : look.percent(value);
    readout.replaceChildren(quoted(queries[query]), " → ", quoted(keys[key]), " ", text);
  }

  /** @param {PointerEvent | MouseEvent} event */
  const cellAt = (event) => {
    const area = map.getBoundingClientRect();
    /** @type {(part: number, count: number) => number} */
    const at = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return { query: at((event.clientY - area.top) / area.height, queryLen), key: at((event.clientX - area.left) / area.width, keyLen) };
  };
  map.addEventListener("pointermove", (event) => look.point(cellAt(event)));
  map.addEventListener("pointerleave", () => look.point(null));
  map.addEventListener("click", (event) => {
    const { query, key } = cellAt(event);
    look.set(look.asksKey() ? { key } : { query });
  });

  return {
    node: make("div", { className: "cw-one-head" }, make("div", { className: "cw-bar cw-ask" }, title, buttons), box, readout),
    picture, name, map,
    /** @param {"maps" | "head" | "order" | "row"} level */
    update(level) {
      if (level === "maps" || level === "head") showMap();
      showMarks();
    },
  };
}
