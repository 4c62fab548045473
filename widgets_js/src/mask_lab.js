// A mask whose cells can be clicked, what it lets through, and what an empty row gives.
import { attend, distances, findLeaks } from "./mask_lab/leak_test.js";
import { buildMask, presetRules } from "./mask_lab/presets.js";
import { percent, shade } from "./shared/colours.js";
import { radioGroup } from "./shared/controls.js";
import { heading, make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { save } from "./shared/model.js";

const NAMED = 3; // leaks that the status names
/** @type {[string, number, number][]} the sides of a cell, and which cell lies there */
const SIDES = [["top", -1, 0], ["bottom", 1, 0], ["left", 0, -1], ["right", 0, 1]];

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountMaskLab(el, model) {
  /** @type {{tokens: string[], padding: number, window: number, vectors: import("./mask_lab/leak_test.js").Vectors, other: import("./mask_lab/leak_test.js").Vectors}} */
  const { tokens, padding, window: span, vectors, other } = model.get("_data");
  const count = tokens.length, rules = presetRules(count, padding, span), presets = Object.keys(rules);
  /** @returns {boolean[][]} */
  const mask = () => model.get("allowed");
  // A token that comes twice is named with its place.
  const isTwice = tokens.map((text) => tokens.filter((other) => other === text).length > 1);
  /** @param {number} i */
  const label = (i) => tokens[i] + (isTwice[i] ? ` at ${i}` : "");
  /** @param {number} i */
  const name = (i) => make("bdi", { title: label(i) }, tokens[i]);
  /** @param {number} i */
  const quoted = (i) => ["“", name(i), isTwice[i] ? `” at ${i}` : "”"];

  const root = widgetRoot(el, "Mask lab");
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const presetPicker = radioGroup("mask", "cw-chips", presets,
    (i) => save(model, { allowed: buildMask(count, rules[presets[i]]) }));

  // The cells: one tab stop, arrows move, Enter, Space or a click toggles.
  let stop = 0;
  const cells = tokens.map((_, query) => tokens.map((_, key) => {
    const cell = make("button", { type: "button", tabIndex: query + key ? -1 : 0 });
    cell.addEventListener("click", () => save(model, {
      query,
      allowed: mask().map((row, i) => row.map((may, j) => (i === query && j === key ? !may : may))),
    }));
    cell.addEventListener("focus", () => {
      cells[Math.floor(stop / count)][stop % count].tabIndex = -1;
      cell.tabIndex = 0;
      stop = query * count + key;
      if (model.get("query") !== query) save(model, { query });
    });
    cell.addEventListener("keydown", (event) => {
      /** @type {Record<string, [number, number]>} */
      const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      if (!(event.key in moves)) return;
      const [down, right] = moves[event.key];
      event.preventDefault();
      cells[(query + down + count) % count][(key + right + count) % count].focus();
    });
    return cell;
  }));
  const rowNames = tokens.map((_, query) => make("span", { className: "cw-row" }, name(query)));
  const grid = make("div", { role: "group", "aria-label": "mask: rows are queries, columns are keys", className: "cw-cells" },
    ...tokens.flatMap((_, query) => [rowNames[query], ...cells[query]]),
    make("span"), ...tokens.map((_, key) => make("span", { className: "cw-column" }, name(key))));
  grid.style.setProperty("--count", String(count));

  const tokenPicker = radioGroup("changed token", "cw-chips",
    tokens.map((text, i) => make("button", { type: "button", dir: "auto", title: label(i) }, text)), (changed) => save(model, { changed }));
  const moves = tokens.map((_, i) => ({ name: make("span", {}, name(i)), fill: make("i"), value: make("span") }));
  const movesTitle = heading(), movesText = make("p"), rowTitle = heading(), forms = make("tbody");
  const column = (/** @type {string} */ text) => make("th", { scope: "col" }, text);
  root.append(make("div", { className: "cw-bar" }, presetPicker.node), status,
    make("div", { className: "cw-main" },
      make("div", {}, heading("Who may attend to whom? Click a cell."), grid,
        make("p", {}, "Rows look, columns are looked at. The stronger the colour, the greater the weight; empty, outside the line, is forbidden; a red frame is a leak."),
        heading("Change one token"), tokenPicker.node),
      make("div", {}, movesTitle, movesText,
        make("div", { className: "cw-bars" }, ...moves.flatMap(({ name, fill, value }) =>
          [name, make("span", { className: "cw-track" }, fill), value])),
        rowTitle, make("table", { className: "cw-wide cw-ways" },
          make("thead", {}, make("tr", {}, ...["key", "-inf", "-1e9", "safe"].map(column))), forms))));

  function update() {
    const allowed = mask(), changed = model.get("changed"), query = model.get("query");
    const before = attend(vectors, other, allowed, -1);
    const text = JSON.stringify(allowed);
    const preset = presets.find((name) => JSON.stringify(buildMask(count, rules[name])) === text);
    presetPicker.choose(preset ? presets.indexOf(preset) : -1);
    if (!preset) presetPicker.items[0].tabIndex = 0;
    tokenPicker.choose(changed);
    const leaks = findLeaks(vectors, other, allowed);
    showLeaks(preset ?? "your own mask", leaks);
    cells.forEach((row, query) => row.forEach((cell, key) => {
      const may = allowed[query][key], weight = before.rowOf(query)[key];
      const leaky = leaks.some(([q, k]) => q === query && k === key);
      shade(cell, may ? weight : null);
      SIDES.forEach(([side, down, right]) => cell.classList.toggle("cw-edge-" + side, may && !allowed[query + down]?.[key + right]));
      cell.classList.toggle("cw-leaky", leaky);
      cell.setAttribute("aria-pressed", String(may));
      cell.setAttribute("aria-label", `“${label(query)}” ${may ? "attends to" : "may not attend to"} “${label(key)}”` +
        (may ? `${leaky ? ", which is later" : ""}, ${percent(weight)}` : ""));
      cell.title = may ? percent(weight) : "masked";
    }));
    showMoves(changed, distances(before, attend(vectors, other, allowed, changed)));
    showRow(query, before.rowOf(query), allowed[query].some(Boolean));
  }

  /** @type {(mask: string, leaks: [number, number][]) => void} */
  function showLeaks(mask, leaks) {
    const rest = leaks.length - NAMED;
    status.replaceChildren(`${mask}: `, ...(leaks.length
      ? [make("strong", { className: "cw-untrained" }, "the future leaks"), ": ",
        ...leaks.slice(0, NAMED).flatMap(([query, key], i) => [i ? ", " : "", ...quoted(query), " sees ", ...quoted(key)]),
        rest > 0 ? `, and ${rest} more` : ""]
      : ["nothing leaks; every token was changed, and no earlier output moved"]));
  }

  /** @type {(changed: number, distance: number[]) => void} */
  function showMoves(changed, distance) {
    const most = Math.max(...distance), moved = distance.filter((x) => x > 0).length;
    movesTitle.replaceChildren("Change ", ...quoted(changed), ": how far does each output move?");
    movesText.textContent = `${moved} of ${count} outputs move.`;
    moves.forEach(({ fill, value }, i) => {
      const leaks = distance[i] > 0 && i < changed;
      fill.style.width = (most ? 100 * distance[i] / most : 0) + "%";
      fill.className = leaks ? "cw-leak" : "";
      value.textContent = (distance[i] > 0 ? distance[i].toFixed(2) : "stays") + (leaks ? " ⚠" : "");
    });
  }

  /** @type {(query: number, row: Float64Array, any: boolean) => void} */
  function showRow(query, row, any) {
    rowNames.forEach((node, i) => node.setAttribute("aria-current", String(i === query)));
    rowTitle.replaceChildren("The row of ", ...quoted(query), any ? ": masked with -inf, with -1e9 or safely, it is the same"
      : ": nothing is allowed, and -inf, -1e9 and zeros differ");
    forms.replaceChildren(...Array.from(row, (weight, key) => make("tr", {}, make("th", { scope: "row" }, name(key)),
      ...[any ? percent(weight) : "nan", percent(any ? weight : 1 / count), percent(weight)].map((text) => make("td", {}, text)))));
  }

  const unfollow = followPage(root, update);
  update();
  for (const name of ["allowed", "changed", "query"]) model.on("change:" + name, update);
  return unfollow;
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountMaskLab(el, model);
