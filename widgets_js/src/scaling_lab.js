// What the size of a head does to its weights, with and without the division by sqrt(d_k).
import { floats } from "./shared/base64.js";
import { attentionWeights, entropy } from "./shared/attention_math.js";
import { percent, shadeBar } from "./shared/colours.js";
import { checkbox, slider } from "./shared/controls.js";
import { setAll, svg } from "./shared/drawing.js";
import { button, heading, make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { save } from "./shared/model.js";

/**
 * The Frobenius norm of the softmax's Jacobian, diag(w) - w w^T: how strongly it passes slopes on.
 * @param {Float64Array} weights
 */
export function jacobianSize(weights) {
  let sum = 0;
  weights.forEach((w, i) => weights.forEach((v, j) => {
    sum += (w * (Number(i === j) - v)) ** 2;
  }));
  return Math.sqrt(sum);
}

/** @param {number[]} numbers */
const median = (numbers) => {
  const sorted = Float64Array.from(numbers).sort(), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const NAME = "d\u2096", LINE_NAMES = ["not divided", `divided by √${NAME}`];
const WIDTH = 300, HEIGHT = 150, LEFT = 44, BOTTOM = 24, LETTER = 10;

/**
 * A panel with one solid and one dashed line over d_k = 1, 2, 4, ...
 * @param {string} title
 * @param {number[]} sizes
 * @param {number[][]} lines without and with the division
 * @param {number[]} ticks
 * @param {(number: number) => number} toY maps a number to 0..1
 */
function panel(title, sizes, lines, ticks, toY) {
  const x = (/** @type {number} */ i) => LEFT + 8 + i * (WIDTH - LEFT - 16) / Math.max(sizes.length - 1, 1);
  const y = (/** @type {number} */ number) => 8 + (1 - toY(number)) * (HEIGHT - BOTTOM - 16);
  /** Its name stands at the right, on the side of a line where the other line is not. @type {(line: number[], other: number[]) => {x: number, y: number}} */
  const besideLine = (line, other) => {
    const at = Math.max(line.length - 3, 0), isUpper = y(line[at]) <= y(other[at]);
    const above = Math.min(...line.slice(at).map(y)) - 5, below = Math.max(...line.slice(at).map(y)) + 12;
    const isFree = (/** @type {number} */ place) => place > LETTER && place < HEIGHT - BOTTOM && ticks.every((tick) => place + 3 < y(tick) || place - LETTER > y(tick));
    return { x: WIDTH - 10, y: (isUpper ? [above, below] : [below, above]).find(isFree) ?? above };
  };
  const marker = svg("line", { class: "cw-marker", y1: 2, y2: HEIGHT - BOTTOM });
  const dot = svg("circle", { r: 5, class: "cw-point" });
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "cw-panel", "aria-hidden": "true" }, marker,
    ...ticks.flatMap((tick) => [svg("line", { x1: LEFT, x2: WIDTH, y1: y(tick), y2: y(tick), class: "cw-grid" }),
      svg("text", { x: LEFT - 5, y: y(tick) + 4, class: "cw-end" }, tick < 0.01 && tick > 0 ? tick.toExponential(0) : String(tick))]),
    ...sizes.flatMap((size, i) => (i % 2 ? [] : [svg("text", { x: x(i), y: HEIGHT - 6 }, String(size))])),
    ...lines.map((line, scaled) => svg("polyline", {
      points: line.map((number, i) => `${x(i)},${y(number)}`).join(" "), class: scaled ? "cw-curve" : "cw-curve cw-dashed" })),
    ...lines.map((line, scaled) => svg("text", { ...besideLine(line, lines[1 - scaled]), class: "cw-line-name" }, LINE_NAMES[scaled])), dot);
  /** @type {(i: number, scaled: boolean) => void} */
  const mark = (i, scaled) => {
    setAll(marker, { x1: x(i), x2: x(i) });
    setAll(dot, { cx: x(i), cy: y(lines[+scaled][i]) });
  };
  return { node: make("div", {}, heading(title), drawing), mark };
}

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountScalingLab(el, model) {
  const { draws, n_keys: keyLen, scores: text } = model.get("_data");
  const sizes = /** @type {number[]} */ (model.get("_data").sizes);
  const all = floats(text), cells = draws * keyLen;
  // weights[i][+scaled] holds those of all draws at sizes[i], one after another.
  const weights = sizes.map((size, i) => [1, Math.sqrt(size)].map((temperature) =>
    attentionWeights(all.subarray(i * cells, (i + 1) * cells), draws, keyLen, false, temperature)));
  /** @type {(i: number, scaled: boolean, draw: number) => Float64Array} */
  const rowOf = (i, scaled, draw) => weights[i][+scaled].subarray(draw * keyLen, (draw + 1) * keyLen);
  /** @param {(row: Float64Array) => number} measure */
  const medians = (measure) => [false, true].map((scaled) => sizes.map((_, i) =>
    median(Array.from({ length: draws }, (_, draw) => measure(rowOf(i, scaled, draw))))));

  const root = widgetRoot(el, "Scaling lab");
  const size = slider(NAME, { min: 0, max: sizes.length - 1, step: 1 }, String, (i) => save(model, { d_k: sizes[i] }));
  const scaledBox = checkbox(`divide the scores by √${NAME}`, (scaled) => save(model, { scaled }));
  const another = button("another draw", () => save(model, { draw: (model.get("draw") + 1) % draws }));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const bars = Array.from({ length: keyLen }, (_, key) =>
    ({ name: make("span", {}, `key ${key}`), score: make("span"), fill: make("i"), value: make("span") }));
  const facts = make("p", { className: "cw-formula" });
  const logarithm = (/** @type {number} */ number) => 1 + Math.max(Math.log10(Math.max(number, 1e-6)), -6) / 6;
  const panels = [
    panel("largest weight (median of all draws)", sizes, medians((row) => Math.max(...row)), [0, 0.5, 1], (number) => number),
    panel("size of the slope (median of all draws)", sizes, medians(jacobianSize), [1, 0.001, 0.000001], logarithm),
  ];
  root.append(make("div", { className: "cw-bar" }, size.node, scaledBox.node, another), status,
    make("table", { className: "cw-wide" },
      make("thead", {}, make("tr", {}, ...["key", "score", "weight"].map((text) => make("th", { scope: "col", className: "cw-as-" + text }, text)), make("td"))),
      make("tbody", {}, ...bars.map(({ name, score, fill, value }) => make("tr", {}, make("th", { scope: "row" }, name),
        make("td", {}, score), make("td", {}, value),
        make("td", { className: "cw-cell" }, make("span", { className: "cw-track" }, fill)))))), facts,
    make("div", { className: "cw-main" }, ...panels.map(({ node }) => node)), make("p", {}, `Against ${NAME}. The dot is where you are.`),
    make("details", {}, make("summary", {}, "What do entropy and slope say?"),
      make("p", {}, "Entropy says how evenly the weights are spread: 0 where one key has all, at most log(number of keys) where all have the same. It is measured in nats, the units of the natural logarithm."),
      make("p", {}, "The size of the slope says how much of a gradient the softmax passes on to the scores. Near 0, nothing is learned from them.")));

  function update() {
    const i = sizes.indexOf(model.get("d_k")), scaled = model.get("scaled"), draw = model.get("draw");
    size.show(i, sizes[i]);
    scaledBox.input.checked = scaled;
    const row = rowOf(i, scaled, draw), largest = Math.max(...row), slope = jacobianSize(row);
    const spread = scaled ? Math.sqrt(sizes[i]) : 1;
    bars.forEach(({ score, fill, value }, key) => {
      score.textContent = (all[i * cells + draw * keyLen + key] / spread).toFixed(2);
      value.textContent = percent(row[key]);
      fill.style.width = 100 * row[key] + "%";
      shadeBar(fill, row[key]);
    });
    status.textContent = `${NAME} ${sizes[i]}, ${scaled ? "scaled" : "not scaled"}: the largest weight is ${percent(largest)}`;
    const gradient = slope >= 0.001 ? slope.toFixed(3) : slope >= 1e-6 ? slope.toExponential(0) : "below 1e-6";
    facts.textContent = `entropy ${entropy(row).toFixed(2)} of at most ${Math.log(keyLen).toFixed(2)} nats; size of the slope ${gradient}`;
    for (const { mark } of panels) mark(i, scaled);
  }
  const unfollow = followPage(root, update);
  update();
  for (const name of ["d_k", "scaled", "draw"]) model.on("change:" + name, update);
  return unfollow;
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountScalingLab(el, model);
