// One query and a few keys that can be dragged, and what the query finds: scores, weights, output.
import { attentionWeights, contextVector } from "./shared/attention_math.js";
import { percent, shadeBar, shadeOf } from "./shared/colours.js";
import { slider } from "./shared/controls.js";
import { convexHull, setAll, svg } from "./shared/drawing.js";
import { make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { save } from "./shared/model.js";
import { boxOf, dotBox, placeLabels } from "./soft_lookup/place_labels.js";

const NEAR = 9; // hundredths of the plane's half width: so near, a point is taken hold of

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountSoftLookup(el, model) {
  /** @type {{names: string[], axes: string[]}} */
  const { names, axes } = model.get("_data");
  /** @returns {number[][]} */
  const keysNow = () => model.get("points");
  const reach = 1.3 * Math.max(1, ...keysNow().flat().map(Math.abs));
  const clip = (/** @type {number} */ x) => Math.min(Math.max(+x.toFixed(2), -reach), reach);
  const QUERY = -1;
  let held = QUERY; // which point the sliders and the pointer move: the query, or a key
  const placeOf = (/** @type {number} */ point) => (point === QUERY ? model.get("query") : keysNow()[point]);
  /** @param {number} x @param {number} y */
  function moveTo(x, y) {
    const place = [clip(x), clip(y)];
    save(model, held === QUERY ? { query: place } : { points: keysNow().map((key, i) => (i === held ? place : key)) });
  }

  const root = widgetRoot(el, "Soft look-up");
  const range = { min: -reach, max: reach, step: 0.05 };
  const show = (/** @type {number} */ number) => number.toFixed(2);
  const sliders = [
    slider(`query: ${axes[0]}`, range, show, (x) => moveTo(x, placeOf(held)[1])),
    slider(`query: ${axes[1]}`, range, show, (y) => moveTo(placeOf(held)[0], y)),
  ];
  const points = ["query", ...names].map((name, i) => make("option", { value: i - 1 }, name));
  const pick = make("select", { "aria-label": "what the sliders move" }, ...points);
  pick.addEventListener("change", () => hold(+pick.value));
  const temperature = slider("temperature", { min: -2, max: 1.5, step: 0.02 },
    (value) => value.toPrecision(3), (position) => save(model, { temperature: +(10 ** position).toPrecision(3) }));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });

  // The plane: y points up, so every y is drawn at -y. A hundredth of its half width is the unit.
  const unitSize = reach / 100, fontSize = 7.5 * unitSize;
  const place = (/** @type {number[]} */ [x, y]) => ({ cx: x, cy: -y });
  const lines = names.map(() => svg("line"));
  const dots = names.map(() => svg("circle", { class: "cw-dot" }));
  const write = (/** @type {string} */ text, look = "") => svg("text", { "font-size": fontSize, class: look }, text);
  const handle = svg("circle", { r: 5 * unitSize, class: "cw-query" });
  const arrow = svg("line", { class: "cw-arrow" });
  const handleText = write("query", "cw-bold cw-as-query");
  const output = svg("rect", { width: 8 * unitSize, height: 8 * unitSize, class: "cw-output" });
  const outputText = write("output", "cw-bold cw-as-output");
  const plane = svg("svg", { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, class: "cw-plane", "aria-hidden": "true" });
  const hull = svg("polygon", { class: "cw-hull" });
  plane.append(hull);

  // The names of the axes have their places; the keys' names, and then those of query and output, avoid them.
  /** @type {import("./soft_lookup/place_labels.js").Label[]} */
  const axisPlaces = [{ x: reach - unitSize, y: -2 * unitSize, anchor: "end" }, { x: 2 * unitSize, y: -reach + 7 * unitSize, anchor: "start" }];
  const axisTexts = [axes[0] + " →", "↑ " + axes[1]].map((text) => write(text));
  axisTexts.forEach((node, i) => putLabel(node, axisPlaces[i]));
  const axisBoxes = axisTexts.map((node, i) => boxOf(axisPlaces[i], node.textContent ?? "", fontSize));
  const frame = { left: -reach, right: reach, top: -reach, bottom: reach };
  const radius = 8 * unitSize, texts = names.map((name) => write(name));
  /** @type {import("./soft_lookup/place_labels.js").Box[]} what the names of query and output avoid */
  let fixed = [];
  /** @type {number[][] | null} */
  let placed = null;
  /** @param {number[][]} keys */
  function placeKeys(keys) {
    if (keys === placed) return;
    placed = keys;
    keys.forEach((key, i) => setAll(dots[i], place(key)));
    const dotBoxes = keys.map(([x, y]) => dotBox(x, -y, radius));
    const keyPlaces = placeLabels(keys.map(([x, y], i) => ({ x, y: -y, radius, text: names[i] })), [...axisBoxes, ...dotBoxes], frame, fontSize);
    texts.forEach((node, i) => putLabel(node, keyPlaces[i]));
    fixed = [...axisBoxes, ...dotBoxes, ...keyPlaces.map((place, i) => boxOf(place, names[i], fontSize))];
    setAll(hull, { points: convexHull(keys).map(([x, y]) => `${x},${-y}`).join(" ") });
    keys.forEach((key, i) => {
      rows[i].of.textContent = key.map(show).join(", ");
    });
  }
  plane.append(svg("path", { d: `M${-reach} 0H${reach}M0 ${-reach}V${reach}`, class: "cw-axis" }), ...axisTexts,
    ...lines, ...dots, arrow, handle, output, ...texts, handleText, outputText);
  /** @param {PointerEvent} event */
  const atPointer = (event) => {
    const box = plane.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width * 2 - 1) * reach, (1 - (event.clientY - box.top) / box.height * 2) * reach];
  };
  plane.addEventListener("pointerdown", (event) => {
    plane.setPointerCapture(event.pointerId);
    const [x, y] = atPointer(event);
    // The query where it is near; else a key that is hit; else the query comes here.
    const distance = (/** @type {number} */ point) => Math.hypot(placeOf(point)[0] - x, placeOf(point)[1] - y);
    const near = [QUERY, ...names.keys()].filter((point) => distance(point) < NEAR * unitSize).sort((a, b) => distance(a) - distance(b));
    hold(near.includes(QUERY) ? QUERY : near[0] ?? QUERY);
    if (!near.length) moveTo(x, y);
  });
  plane.addEventListener("pointermove", (event) => {
    const [x, y] = atPointer(event);
    if (event.buttons) moveTo(x, y);
  });

  const rows = names.map((text) => ({
    name: make("bdi", { title: text }, text), score: make("span"), fill: make("i"), value: make("span"), of: make("td"),
  }));
  const table = make("table", { className: "cw-wide" },
    make("thead", {}, make("tr", {}, ...["key", "score", "weight", "", "value"]
      .map((text) => make(text ? "th" : "td", text ? { scope: "col", className: "cw-as-" + text } : {}, text)))),
    make("tbody", {}, ...rows.map(({ name, score, fill, value, of }) => make("tr", {},
      make("th", { scope: "row" }, name), make("td", {}, score), make("td", {}, value),
      make("td", { className: "cw-cell" }, make("span", { className: "cw-track" }, fill)),
      of))));
  const sum = make("p", { className: "cw-formula" });
  root.append(make("div", { className: "cw-bar" }, make("label", {}, "move ", pick), ...sliders.map(({ node }) => node), temperature.node), status,
    make("div", { className: "cw-main cw-lookup" }, make("div", {}, plane, make("p", {}, "Drag the query, or a key.")),
      make("div", {}, table, sum)));

  /** @param {number} point */
  function hold(point) {
    held = point;
    pick.value = String(point);
    sliders.forEach(({ node, input }, i) => {
      const label = `${point === QUERY ? "query" : [...names[point]].slice(0, 20).join("")}: ${axes[i]}`;
      input.setAttribute("aria-label", label);
      if (node.firstChild) node.firstChild.textContent = label + " ";
    });
    update();
  }

  function update() {
    const query = model.get("query"), keys = keysNow();
    placeKeys(keys);
    const scores = Float64Array.from(keys, ([x, y]) => x * query[0] + y * query[1]);
    const weights = attentionWeights(scores, 1, keys.length, false, model.get("temperature"));
    const mix = Array.from(contextVector(weights, keys.flat(), 2));
    sliders.forEach(({ show }, i) => show(placeOf(held)[i], placeOf(held)[i]));
    temperature.show(Math.log10(model.get("temperature")), model.get("temperature"));
    const [x, y] = query;
    setAll(handle, place(query));
    setAll(arrow, { x1: 0, y1: 0, x2: x, y2: -y });
    rows.forEach((row, i) => {
      const weight = weights[i];
      row.score.textContent = show(scores[i]);
      row.value.textContent = percent(weight);
      row.fill.style.width = 100 * weight + "%";
      shadeBar(row.fill, weight);
      setAll(dots[i], { r: (3 + 5 * Math.sqrt(weight)) * unitSize, fill: shadeOf(weight).background });
      setAll(lines[i], { x1: x, y1: -y, x2: keys[i][0], y2: -keys[i][1], "stroke-width": 5 * weight * unitSize, stroke: shadeOf(weight).background, class: "cw-link" });
    });
    const moving = [{ x, y: -y, radius: 5 * unitSize, text: "query" }];
    const [u, v] = mix;
    setAll(output, { x: u - 4 * unitSize, y: -v - 4 * unitSize, transform: `rotate(45 ${u} ${-v})` });
    moving.push({ x: u, y: -v, radius: 6 * unitSize, text: "output" });
    const places = placeLabels(moving, [...fixed, ...moving.map(({ x, y, radius }) => dotBox(x, y, radius))], frame, fontSize);
    putLabel(handleText, places[0]);
    putLabel(outputText, places[1]);
    const best = weights.indexOf(Math.max(...weights));
    status.replaceChildren("most weight on “", make("bdi", {}, names[best]), `”, ${percent(weights[best])}; output (${mix.map(show).join(", ")})`);
    sum.textContent = "output = " + keys.map((key, i) => `${weights[i].toFixed(2)} · (${key.map(show).join(", ")})`).join(" + ");
  }
  const unfollow = followPage(root, update);
  update();
  model.on("change:query", update);
  model.on("change:points", update);
  model.on("change:temperature", update);
  return unfollow;
}

/**
 * @param {SVGTextElement} node
 * @param {import("./soft_lookup/place_labels.js").Label} label
 */
const putLabel = (node, { x, y, anchor }) => setAll(node, { x, y, style: `text-anchor: ${anchor}` });

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountSoftLookup(el, model);
