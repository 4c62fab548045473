// Every head as a small map: point at one to look at it, click it to switch it off or on.
import { drawMap } from "../shared/colours.js";
import { edgeLine } from "../shared/edge.js";
import { make } from "../shared/elements.js";

/**
 * @param {number} layers
 * @param {number} heads
 * @param {{look: (head: number) => void, leave: () => void, toggle: (head: number) => void}} actions on head `layer * heads + head`
 */
export function headBoard(layers, heads, { look, leave, toggle }) {
  const nameOf = (/** @type {number} */ i) => `${Math.floor(i / heads)}.${i % heads}`;
  const maps = Array.from({ length: layers * heads }, () => make("canvas")), edges = maps.map(edgeLine);
  const buttons = maps.map((map, i) => {
    const button = make("button", { type: "button", tabIndex: i ? -1 : 0 }, make("span", { className: "cw-thumb" }, map, edges[i].node), make("span", {}, nameOf(i)));
    button.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") look(i);
    });
    button.addEventListener("focus", () => {
      for (const other of buttons) other.tabIndex = -1;
      button.tabIndex = 0;
      look(i);
    });
    button.addEventListener("click", () => toggle(i));
    button.addEventListener("keydown", (event) => {
      const row = i - i % heads;
      /** @type {Record<string, number>} */
      const moves = { ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + heads, ArrowUp: i - heads, Home: row, End: row + heads - 1 };
      if (!(event.key in moves)) return;
      event.preventDefault();
      buttons[moves[event.key]]?.focus();
    });
    return button;
  });
  const node = make("div", { role: "group", "aria-label": "heads: a row for each layer", className: "cw-switches" }, ...buttons);
  node.style.setProperty("--heads", String(heads));
  // On a narrow page a layer takes two lines or more, so that its maps can be read.
  node.style.setProperty("--narrow", String(Math.ceil(heads / Math.ceil(heads / 4))));
  node.addEventListener("pointerleave", leave);

  return {
    node,
    /** @param {Float64Array[]} weights of each layer, heads * count * count */
    draw(weights) {
      const count = Math.sqrt(weights[0].length / heads);
      maps.forEach((map, i) => {
        const part = weights[Math.floor(i / heads)].subarray((i % heads) * count * count, (i % heads + 1) * count * count);
        drawMap(map, /** @type {any} */ (part), count, count, (query, key) => key <= query);
        edges[i].show(count, count, (query, key) => key <= query);
      });
    },
    /** @type {(isOff: (head: number) => boolean, shown: number) => void} */
    mark(isOff, shown) {
      buttons.forEach((button, i) => {
        button.setAttribute("aria-pressed", String(isOff(i)));
        button.setAttribute("aria-label", `${nameOf(i)}: switch off layer ${Math.floor(i / heads)}, head ${i % heads}`);
        button.classList.toggle("cw-off", isOff(i));
        button.classList.toggle("cw-shown", i === shown);
      });
    },
  };
}
