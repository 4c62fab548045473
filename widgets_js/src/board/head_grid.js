// A cell for each head of a model: a column for each layer, one tab stop. Arrow keys choose, Space
// or Enter switches, as a click does. On a narrow page the first half of many layers stands above the rest.
import { shade, shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";

/**
 * @param {number} layers
 * @param {number} heads in a layer
 * @param {object} actions
 * @param {() => number} actions.chosen head `layer * heads + head`
 * @param {(i: number) => void} actions.choose by the arrow keys
 * @param {(i: number) => void} actions.press by a click, Space or Enter
 */
export function headGrid(layers, heads, { chosen, choose, press }) {
  const cells = Array.from({ length: layers * heads }, (_, i) => {
    const cell = make("div", { role: "gridcell", tabIndex: -1, "aria-selected": "false" });
    cell.addEventListener("click", () => press(i));
    return cell;
  });
  const lines = Array.from({ length: layers }, (_, layer) => make("div", { role: "row" },
    make("span", { role: "rowheader", "aria-label": `layer ${layer}` }, String(layer)),
    ...cells.slice(layer * heads, (layer + 1) * heads)));
  const names = () => make("div", { className: "cw-head-names", "aria-hidden": "true" }, make("span", {}, make("bdi", {}, "layer")),
    ...Array.from({ length: heads }, (_, head) => make("span", {}, make("bdi", {}, head ? "" : "head "), String(head))));
  const half = layers > 16 ? Math.ceil(layers / 2) : layers;
  const node = make("div", { role: "grid", className: "cw-every", "aria-label": "heads, layer by layer" },
    names(), ...lines.slice(0, half), ...(half < layers ? [names(), ...lines.slice(half)] : []));
  node.style.setProperty("--layers", String(layers));
  node.style.setProperty("--half", String(half));
  node.addEventListener("keydown", (event) => {
    const i = chosen(), first = i - i % heads;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: i + heads, ArrowLeft: i - heads, ArrowDown: i + 1, ArrowUp: i - 1,
      Home: first, End: first + heads - 1, PageDown: i + 5 * heads, PageUp: i - 5 * heads };
    if (event.key === " " || event.key === "Enter") press(i);
    else if (!(event.key in moves)) return;
    else if (cells[moves[event.key]]) {
      choose(moves[event.key]);
      cells[chosen()].focus();
    }
    event.preventDefault();
  });

  let marked = 0;
  /** What each cell shows: a tap changes few of them. @type {string[]} */
  const shown = [];

  return {
    node,
    /**
     * @param {ArrayLike<number | null> | null} scores from 0 to 1; null is a head without one
     * @param {number[]} off
     * @param {string} manner what is done to those
     * @param {typeof shadeOf} shadeFor
     */
    show(scores, off, manner, shadeFor) {
      cells.forEach((cell, i) => {
        const isOff = off.includes(i), score = scores && scores[i], value = score?.toFixed(2) ?? "no score";
        const look = [value, isOff, manner, !scores, score === null || shadeFor(score).background].join();
        if (shown[i] === look) return;
        shown[i] = look;
        shade(cell, score, shadeFor);
        cell.classList.toggle("cw-unknown", score === null && scores !== null);
        cell.textContent = isOff ? "×" : "";
        cell.classList.toggle("cw-off", isOff);
        cell.title = `layer ${Math.floor(i / heads)}, head ${i % heads}: ${value}${isOff ? `, ${manner}` : ""}`;
        cell.setAttribute("aria-label", cell.title);
      });
    },
    says: (/** @type {number} */ i) => cells[i].title,
    mark() {
      const one = chosen();
      for (const i of [marked, one]) {
        cells[i].setAttribute("aria-selected", String(one === i));
        cells[i].tabIndex = one === i ? 0 : -1;
      }
      marked = one;
    },
  };
}
