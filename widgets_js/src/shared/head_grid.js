// A cell for each head of a model: one tab stop, arrow keys choose, Space or Enter switches.
import { shade } from "./colours.js";
import { make } from "./elements.js";

/**
 * @param {number} layers
 * @param {number} heads in a layer
 * @param {object} actions
 * @param {boolean} [actions.across] a layer is a column of the picture, else a row
 * @param {() => number} actions.chosen head `layer * heads + head`
 * @param {(i: number) => void} actions.choose by the arrow keys
 * @param {(i: number) => void} [actions.press] by a click, else as the arrow keys
 * @param {(i: number) => void} actions.toggle
 */
export function headGrid(layers, heads, { across = false, chosen, choose, toggle, press = choose }) {
  const cells = Array.from({ length: layers * heads }, (_, i) => {
    const cell = make("div", { role: "gridcell" });
    cell.addEventListener("click", () => press(i));
    return cell;
  });
  const lines = Array.from({ length: layers }, (_, layer) => make("div", { role: "row" },
    make("span", { role: "rowheader", "aria-label": `layer ${layer}` }, String(layer)),
    ...cells.slice(layer * heads, (layer + 1) * heads)));
  const node = make("div", { role: "grid", className: across ? "cw-every cw-across" : "cw-every",
    "aria-label": "heads: a row for each layer, a column for each head" }, ...lines);
  if (!across) {
    node.prepend(make("div", { role: "row" }, make("span", { role: "columnheader", "aria-label": "layer" }),
      ...Array.from({ length: heads }, (_, head) => make("span", { role: "columnheader", "aria-label": `head ${head}` }, String(head)))));
  }
  node.style.setProperty("--heads", String(heads));
  const [layerStep, headStep] = across ? ["Right Left", "Down Up"] : ["Down Up", "Right Left"];
  node.addEventListener("keydown", (event) => {
    const i = chosen(), row = i - i % heads;
    /** @type {Record<string, number>} */
    const moves = { Home: row, End: row + heads - 1, PageDown: i + 5 * heads, PageUp: i - 5 * heads };
    for (const [keys, step] of /** @type {[string, number][]} */ ([[layerStep, heads], [headStep, 1]])) {
      keys.split(" ").forEach((key, k) => (moves["Arrow" + key] = k ? i - step : i + step));
    }
    if (event.key === " " || event.key === "Enter") toggle(i);
    else if (!(event.key in moves)) return;
    else if (cells[moves[event.key]]) {
      choose(moves[event.key]);
      cells[chosen()].focus();
    }
    event.preventDefault();
  });

  return {
    node, cells,
    /**
     * @param {ArrayLike<number | null> | null} scores from 0 to 1; null is a head without one
     * @param {(i: number) => boolean} isOff
     * @param {(i: number) => string} nameOf
     */
    show(scores, isOff, nameOf) {
      cells.forEach((cell, i) => {
        const off = isOff(i), score = scores && scores[i], value = score?.toFixed(2) ?? "no score";
        shade(cell, score);
        cell.textContent = off ? "×" : "";
        cell.classList.toggle("cw-off", off);
        cell.title = `${nameOf(i)}: ${value}${off ? ", off" : ""}`;
        cell.setAttribute("aria-label", cell.title);
      });
    },
    mark() {
      const one = chosen();
      cells.forEach((cell, i) => {
        cell.setAttribute("aria-selected", String(one === i));
        cell.tabIndex = one === i ? 0 : -1;
      });
    },
  };
}
