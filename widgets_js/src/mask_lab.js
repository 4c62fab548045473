// @ts-nocheck
// A mask whose cells can be clicked, what it lets through, and what an empty row gives.
import { attentionWeights, contextVector } from "./shared/attention_math.js";
import { percent, shade } from "./shared/colours.js";
import { radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountMaskLab(el, model) {
  const { tokens, padding, window: span, vectors, other } = model.get("_data");
  const count = tokens.length, size = vectors.query[0].length;
  const PRESETS = {
    "no mask": () => true,
    causal: (query, key) => key <= query,
    padding: (query, key) => key < count - padding,
    "causal and padding": (query, key) => key <= query && key < count - padding,
    "sliding window": (query, key) => key <= query && key > query - span,
  };
  const build = (rule) => tokens.map((_, query) => tokens.map((_, key) => rule(query, key)));
  const name = (i) => make("bdi", { title: tokens[i] }, tokens[i]);
  const save = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };

  const root = widgetRoot(el, "Mask lab");
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const presets = Object.keys(PRESETS);
  const presetPicker = radioGroup("mask", "cw-chips",
    presets.map((text) => make("button", { type: "button" }, text)),
    (i) => save({ allowed: build(PRESETS[presets[i]]) }));

  // The cells: one tab stop, arrows move, Enter, Space or a click toggles.
  const cells = tokens.map((_, query) => tokens.map((_, key) => {
    const cell = make("button", { type: "button", tabIndex: query + key ? -1 : 0 });
    cell.addEventListener("click", () => save({
      query,
      allowed: model.get("allowed").map((row, i) => row.map((may, j) => (i === query && j === key ? !may : may))),
    }));
    cell.addEventListener("focus", () => {
      root.querySelector('.cw-cells [tabindex="0"]').tabIndex = -1;
      cell.tabIndex = 0;
      if (model.get("query") !== query) save({ query });
    });
    cell.addEventListener("keydown", (event) => {
      const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
      if (!down && !right) return;
      event.preventDefault();
      cells[(query + down + count) % count][(key + right + count) % count].focus();
    });
    return cell;
  }));
  const rowNames = tokens.map((_, query) => make("span", { className: "cw-row" }, name(query)));
  const grid = make("div", { role: "group", "aria-label": "mask: rows are queries, columns are keys", className: "cw-cells" },
    ...tokens.flatMap((_, query) => [rowNames[query], ...cells[query]]),
    make("span"), ...tokens.map((_, key) => make("span", { className: "cw-column" }, name(key))));
  grid.style.setProperty("--count", count);

  const tokenPicker = radioGroup("changed token", "cw-chips",
    tokens.map((text) => make("button", { type: "button", dir: "auto", title: text }, text)), (changed) => save({ changed }));
  const moves = tokens.map((_, i) => ({ name: make("span", {}, name(i)), fill: make("i"), value: make("span") }));
  const rowTitle = make("h4"), forms = make("tbody");
  root.append(make("div", { className: "cw-bar" }, presetPicker.node), status,
    make("div", { className: "cw-main" },
      make("div", {}, make("h4", {}, "Who may attend to whom? Click a cell."), grid,
        make("p", {}, "Colour is weight, from 0 (dark) to 1 (bright); hatched is forbidden.")),
      make("div", {}, make("h4", {}, "Change one token"), tokenPicker.node,
        make("h4", {}, "How far does each output move?"),
        make("div", { className: "cw-bars" }, ...moves.flatMap(({ name, fill, value }) =>
          [name, make("span", { className: "cw-track" }, fill), value])))),
    rowTitle, make("div", { className: "cw-scroll", tabIndex: 0, role: "region", "aria-label": "three ways to mask a row" },
      make("table", { className: "cw-wide" }, make("thead", {}, make("tr", {},
        make("th", { scope: "col" }, "mask"),
        ...tokens.map((_, key) => make("th", { scope: "col" }, name(key))))), forms)));

  /** Weights and outputs when the token `changed` (or none, at -1) has its other vector. */
  function attend(allowed, changed) {
    const pick = (part) => vectors[part].map((row, i) => (i === changed ? other[part][i] : row));
    const query = pick("query"), key = pick("key"), value = pick("value").flat();
    const scores = Float64Array.from(allowed.flat(), (may, i) => may
      ? query[Math.floor(i / count)].reduce((sum, x, d) => sum + x * key[i % count][d], 0) / Math.sqrt(size) : NaN);
    const weights = attentionWeights(scores, count, count, false, 1);
    const rowOf = (i) => weights.subarray(i * count, (i + 1) * count);
    return { weights, rowOf, outputs: tokens.map((_, i) => contextVector(rowOf(i), value, size)) };
  }

  function update() {
    const allowed = model.get("allowed"), changed = model.get("changed"), chosen = model.get("query");
    const before = attend(allowed, -1), after = attend(allowed, changed);
    const text = JSON.stringify(allowed);
    const preset = presets.find((name) => JSON.stringify(build(PRESETS[name])) === text);
    presetPicker.choose(presets.indexOf(preset));
    if (!preset) presetPicker.items[0].tabIndex = 0;
    tokenPicker.choose(changed);
    cells.forEach((row, query) => row.forEach((cell, key) => {
      const may = allowed[query][key], weight = before.rowOf(query)[key];
      shade(cell, may ? weight : null);
      cell.setAttribute("aria-pressed", may);
      cell.setAttribute("aria-label", `'${tokens[query]}' ${may ? "attends to" : "may not attend to"} '${tokens[key]}'` +
        (may ? `, ${percent(weight)}` : ""));
    }));

    const distance = tokens.map((_, i) => Math.hypot(...after.outputs[i].map((x, d) => x - before.outputs[i][d])));
    const most = Math.max(...distance);
    moves.forEach(({ fill, value }, i) => {
      const leaks = distance[i] > 0 && i < changed;
      fill.style.width = (most ? 100 * distance[i] / most : 0) + "%";
      fill.className = leaks ? "cw-leak" : "";
      value.textContent = (distance[i] > 0 ? distance[i].toFixed(2) : "stays") + (leaks ? " ⚠" : "");
    });
    const leaking = tokens.map((_, i) => i).filter((i) => i < changed && distance[i] > 0);
    const moved = distance.filter((x) => x > 0).length;
    status.replaceChildren(`${preset ?? "your own mask"}: changing '`, name(changed), `' moves ${moved} of ${count} outputs; `,
      ...(leaking.length ? [make("strong", { className: "cw-untrained" }, "the future leaks"), " into '", name(leaking[0]), "'"]
        : ["nothing leaks from it into the past"]));

    rowNames.forEach((node, i) => node.setAttribute("aria-current", i === chosen));
    const row = before.rowOf(chosen), any = allowed[chosen].some(Boolean);
    rowTitle.replaceChildren("The row of '", name(chosen), any ? "': masked with -inf, with -1e9 or safely, it is the same" : "': nothing is allowed, and -inf, -1e9 and zeros differ");
    const show = (how, weights) => make("tr", {}, make("th", { scope: "row" }, how),
      ...weights.map((weight) => make("td", {}, Number.isNaN(weight) ? "nan" : percent(weight))));
    forms.replaceChildren(
      show("-inf", [...row].map((weight) => (any ? weight : NaN))),
      show("-1e9", [...row].map((weight) => (any ? weight : 1 / count))),
      show("safe", [...row]));
  }
  update();
  for (const name of ["allowed", "changed", "query"]) model.on("change:" + name, update);
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountMaskLab(el, model);
