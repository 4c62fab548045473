// @ts-nocheck
// All heads at once, and one head, one query up close. The scores come from Python; everything
// that depends on the mask and the temperature is computed here.
import { attentionWeights, contextVector, entropy, isAllowed } from "./shared/attention_math.js";
import { drawMap, percent, shade } from "./shared/colours.js";
import { checkbox, radioGroup, slider } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";
import { floats } from "./shared/model.js";

// The most keys that all get a bar; of more keys, the TOP ones do.
const BARS = 32;
const TOP = 16;

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountExplorer(el, model) {
  const data = model.get("_data");
  const { queries, keys, layers, heads, head_dim: headDim, variants, maskable } = data;
  const queryLen = queries.length, keyLen = keys.length, cells = queryLen * keyLen;
  const read = variants.map(({ scores, values }) =>
    ({ scores: floats(scores), values: values && floats(values) }));
  const get = (name) => model.get(name), rowOf = (query) => weights.subarray(query * keyLen, (query + 1) * keyLen);
  const save = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const token = (text, tag = "bdi", attributes = {}) =>
    make(tag, { dir: "auto", title: text, ...attributes }, text);

  // Controls.
  const root = widgetRoot(el, "Attention explorer");
  const untrained = make("strong", { className: "cw-untrained" }, "untrained");
  const bar = make("div", { className: "cw-bar" }, untrained);
  const names = variants.map((variant) => variant.name);
  const variantPicker = radioGroup("weights of", "cw-chips",
    names.map((name) => make("button", { type: "button" }, name)),
    (i) => save({ variant: names[i] }));
  if (variants.length > 1) bar.append(variantPicker.node);
  const causalBox = checkbox("causal mask", (causal) => save({ causal }));
  if (maskable) bar.append(causalBox.node);
  const temperature = slider("temperature", { min: -1.5, max: 1.5, step: 0.02 },
    (value) => value.toPrecision(3), (position) => save({ temperature: +(10 ** position).toPrecision(3) }));
  bar.append(temperature.node, make("span", { className: "cw-scale" }, "weight 0 ", make("i"), " 1"));

  // Every head, small.
  const small = Array.from({ length: layers * heads }, () => make("canvas"));
  const layerOf = (i) => Math.floor(i / heads);
  const headName = (i) => (layers > 1 ? `layer ${layerOf(i)}, ` : "") + `head ${i % heads}`;
  const headPicker = radioGroup("head", layers > 1 ? "cw-heads cw-layers" : "cw-heads",
    small.map((canvas, i) => make("button", { type: "button", "aria-label": headName(i) },
      canvas, make("span", {}, layers > 1 ? `${layerOf(i)} · ${i % heads}` : headName(i)))),
    (i) => save({ layer: layerOf(i), head: i % heads }));
  headPicker.node.style.setProperty("--heads", heads);

  // One head, large.
  const labels = (tokens, className) => make("div", { className, "aria-hidden": "true" },
    ...tokens.filter((_, i) => i % Math.ceil(tokens.length / 32) === 0).map((text) => token(text, "span")));
  const cellSize = (count) => Math.min(450 / count, 40);
  const width = keyLen * cellSize(keyLen), height = queryLen * Math.min(cellSize(queryLen), 3 * cellSize(keyLen));
  const map = make("canvas", { role: "img" });
  for (const canvas of small) canvas.style.aspectRatio = width / height;
  const rowMark = make("i", { className: "cw-mark" }), columnMark = make("i", { className: "cw-mark" });
  const board = make("div", { className: "cw-board" }, map, columnMark, rowMark);
  board.style.aspectRatio = width / height;
  const mapTitle = make("h4"), readout = make("p", { "aria-hidden": "true" });
  const mapBox = make("div", { className: Math.max(keyLen, queryLen) > 16 ? "cw-map cw-dense" : "cw-map" },
    labels(queries, "cw-rows"), board, labels(keys, "cw-columns"));
  mapBox.style.setProperty("--board", width + "px");

  // One query, up close.
  const queryPicker = radioGroup("query", "cw-chips", queries.map((text) => token(text, "button", { type: "button" })),
    (query) => save({ query }));
  const keyChips = keys.map((text) => token(text, "span"));
  const bars = Array.from({ length: keyLen > BARS ? TOP : keyLen }, () => {
    const name = make("span", { dir: "auto" }), fill = make("i"), value = make("span");
    return { name, fill, value, track: make("span", { className: "cw-track" }, fill) };
  });
  const entropyText = make("p"), entropyFill = make("i");
  const contextText = make("p");
  const drawing = make("div", { className: "cw-context", "aria-hidden": "true" });
  drawing.innerHTML = `<svg viewBox="0 -1 ${+headDim} 2" preserveAspectRatio="none"><path/></svg>`;
  const path = drawing.querySelector("path");
  const left = make("div", {}, mapTitle, mapBox, readout, entropyText, make("span", { className: "cw-track" }, entropyFill));
  if (headDim) left.append(make("h4", {}, "context vector"), drawing, contextText);
  const right = make("div", {},
    make("h4", {}, "query (looking)"), queryPicker.node,
    make("h4", {}, "key (looked at)"), make("div", { className: "cw-chips" }, ...keyChips),
    make("h4", {}, keyLen > BARS ? `weight: the top ${TOP} of ${keyLen} keys` : "weight"),
    make("div", { className: "cw-bars" }, ...bars.flatMap(({ name, track, value }) => [name, track, value])));

  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const body = make("tbody"), caption = make("caption");
  const table = make("details", {}, make("summary", {}, "As a table"), make("div", { className: "cw-scroll" },
    make("table", {}, caption, make("thead", {}, make("tr", {},
      ...["key", "score", "weight"].map((text) => make("th", { scope: "col" }, text)))), body)));
  table.querySelector("div").tabIndex = 0;
  table.addEventListener("toggle", () => showQuery(get("query")));
  root.append(bar);
  if (small.length > 1) root.append(headPicker.node);
  root.append(status, make("div", { className: "cw-main" }, left, right), table);

  let all, scores, weights, values, largestValue;
  const chosen = () => get("layer") * heads + get("head");
  const who = (query) => [`${headName(chosen())}, query '`, token(queries[query]), "'"];
  const allowedIn = (scores, causal = get("causal")) => (query, key) => isAllowed(scores, queryLen, keyLen, causal, query, key);

  function computeAll() {
    const variant = Math.max(names.indexOf(get("variant")), 0);
    untrained.hidden = !variants[variant].untrained;
    variantPicker.choose(variant);
    causalBox.input.checked = get("causal");
    temperature.show(Math.log10(get("temperature")), get("temperature"));
    all = small.map((canvas, i) => {
      const part = (numbers, size) => numbers?.subarray(i * size, (i + 1) * size);
      const scores = part(read[variant].scores, cells);
      const weights = attentionWeights(scores, queryLen, keyLen, get("causal"), get("temperature"));
      drawMap(canvas, weights, queryLen, keyLen, allowedIn(scores));
      return { scores, weights, values: part(read[variant].values, keyLen * headDim) };
    });
    showHead();
  }

  function showHead() {
    const i = chosen();
    ({ scores, weights, values } = all[i]);
    largestValue = values?.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
    headPicker.choose(i);
    mapTitle.textContent = headName(i) + ": a row for each query, a column for each key";
    map.setAttribute("aria-label", `weights of ${headName(i)}`);
    drawMap(map, weights, queryLen, keyLen, allowedIn(scores));
    choose();
  }

  function choose() {
    const query = get("query"), row = rowOf(query);
    queryPicker.choose(query);
    showQuery(query);
    const best = row.indexOf(Math.max(...row));
    const others = row.filter((weight) => row[best] - weight < 1e-9).length - 1;
    status.replaceChildren(...who(query), ...(row[best] > 0
      ? [" attends most to '", token(keys[best]), `', ${percent(row[best])}`, others ? `, and as much to ${others} more` : ""]
      : [" has nothing to attend to"]));
  }

  function showQuery(query) {
    const row = rowOf(query);
    const isFree = allowedIn(scores), allowed = keys.map((_, key) => isFree(query, key));
    rowMark.style.cssText = `top:${100 * query / queryLen}%;height:${100 / queryLen}%;left:0;right:0`;
    keyChips.forEach((chip, key) => shade(chip, allowed[key] ? row[key] : null));
    let order = [...row.keys()];
    if (keyLen > BARS) order = order.sort((a, b) => row[b] - row[a]).slice(0, TOP);
    order.forEach((key, i) => {
      const { name, fill, value, track } = bars[i];
      name.textContent = name.title = keys[key];
      fill.style.width = 100 * row[key] + "%";
      value.textContent = allowed[key] ? percent(row[key]) : "masked";
      track.classList.toggle("cw-masked", !allowed[key]);
    });
    const most = Math.log(Math.max(allowed.filter(Boolean).length, 1)), nats = entropy(row);
    entropyText.textContent = `entropy ${nats.toFixed(2)} of at most ${most.toFixed(2)} nats`;
    entropyFill.style.width = (most > 0 ? 100 * nats / most : 0) + "%";
    const context = values && contextVector(row, values, headDim);
    if (context) {
      path.setAttribute("d", Array.from(context, (c, i) => `M${i + 0.1} 0h.8v${-c / largestValue}h-.8z`).join(""));
      contextText.textContent = Array.from(context.subarray(0, 6), (c) => c.toFixed(2)).join("  ") +
        (headDim > 6 ? `  … (${headDim} numbers)` : "");
    }
    if (!table.open) return;
    caption.replaceChildren(...who(query));
    body.replaceChildren(...keys.map((text, key) => make("tr", {}, make("th", { scope: "row" }, token(text)),
      make("td", {}, allowed[key] ? scores[query * keyLen + key].toFixed(3) : ""),
      make("td", {}, allowed[key] ? percent(row[key]) : "masked"))));
  }

  // Hovering looks without choosing.
  const cellAt = (event) => {
    const box = map.getBoundingClientRect();
    const at = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return [at((event.clientY - box.top) / box.height, queryLen), at((event.clientX - box.left) / box.width, keyLen)];
  };
  let hovered = -1;
  map.addEventListener("pointermove", (event) => {
    const [query, key] = cellAt(event);
    if (hovered === query * keyLen + key) return;
    hovered = query * keyLen + key;
    columnMark.style.cssText = `left:${100 * key / keyLen}%;width:${100 / keyLen}%;top:0;bottom:0`;
    readout.replaceChildren("'", token(queries[query]), "' → '", token(keys[key]), "' ",
      allowedIn(scores)(query, key) ? percent(weights[hovered]) : "masked");
    showQuery(query);
  });
  const rest = () => {
    hovered = -1;
    columnMark.style.cssText = "display:none";
    readout.textContent = "Point at a cell; click to choose its query.";
  };
  map.addEventListener("pointerleave", () => {
    rest();
    showQuery(get("query"));
  });
  map.addEventListener("click", (event) => save({ query: cellAt(event)[0] }));
  queryPicker.items.forEach((item, query) => item.addEventListener("pointerenter", () => showQuery(query)));
  queryPicker.node.addEventListener("pointerleave", () => showQuery(get("query")));
  rest();
  computeAll();

  const listeners = { variant: computeAll, causal: computeAll, temperature: computeAll,
    head: showHead, layer: showHead, query: choose };
  for (const name in listeners) {
    const update = listeners[name];
    listeners[name] = () => model.get("_data") === data && update();
    model.on("change:" + name, listeners[name]);
  }
  return () => {
    for (const name in listeners) model.off("change:" + name, listeners[name]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountExplorer(el, model);
