// All heads, small: a row for each layer, or ordered by a score, the largest first.
import { make } from "../shared/elements.js";
import { headName, shortName } from "./data.js";
import { select } from "./select.js";
import { makeTiles } from "./tiles.js";

const FEW = 8; // so few heads need no order
const OWN = ["entropy", "previous", "first", "diagonal"];
/** @type {Record<string, string>} */
const SAYS = {
  layer: "", entropy: "1 is the same weight everywhere", previous: "mean weight on the token before",
  first: "mean weight on the first key", diagonal: "mean weight on the token itself",
};

/** @param {import("./look.js").Look} look */
export function overview(look) {
  const { data } = look, { count, heads, layers, headScores } = data;
  const canvases = Array.from({ length: count }, () => make("canvas"));
  const names = canvases.map((_, i) => make("span", {}, shortName(data, i)));
  const tiles = canvases.map((canvas, i) => {
    const tile = make("button", { type: "button", role: "radio", "aria-label": headName(data, i), title: headName(data, i) }, canvas, names[i]);
    tile.addEventListener("click", () => look.set(look.headOf(i)));
    return tile;
  });
  const grid = make("div", { role: "radiogroup", "aria-label": "head", className: layers > 1 ? "cw-heads cw-layers" : "cw-heads" });
  grid.style.setProperty("--heads", String(heads));
  const ratio = Math.min(Math.max(data.keyLen / data.queryLen, 1 / 3), 3);
  for (const canvas of canvases) canvas.style.aspectRatio = String(ratio);

  // Which layer a row is and which head a column.
  const label = (/** @type {string} */ text) => make("span", { "aria-hidden": "true", className: "cw-axis-label" }, text);
  const topLabels = ["", ...Array.from({ length: heads }, (_, head) => String(head))].map(label);
  const layerLabels = Array.from({ length: layers }, (_, layer) => label(String(layer)));

  const orders = ["layer", ...(data.isSelf ? OWN : ["entropy", "first"]), ...Object.keys(headScores)];
  const order = select("order", orders, (name) => look.set({ order: name }));
  const bests = [0, 4, 8, 16, 32, 64].filter((n) => n < count);
  const best = select("show", bests.map((n) => (n ? `best ${n}` : "all")), (_, i) => look.set({ best: bests[i] }));
  const says = make("span", { className: "cw-says" });
  const bar = make("div", { className: "cw-bar cw-order" }, order.node, best.node, says);
  const node = make("div", { className: "cw-overview" }, ...(count > FEW ? [bar] : []), grid);
  node.hidden = count < 2;

  /** Which heads are shown, in which order. */
  let shown = [...canvases.keys()];
  const painter = makeTiles(look, canvases, arrange);

  function arrange() {
    const name = look.get("order"), limit = look.get("best") || count;
    const isOrdered = name !== "layer" && painter.isReady();
    shown = [...canvases.keys()];
    if (isOrdered) shown.sort((a, b) => painter.score(b, name) - painter.score(a, name) || a - b);
    if (isOrdered) shown = shown.slice(0, limit);
    order.choose(name);
    best.choose(bests.includes(look.get("best")) ? bests.indexOf(look.get("best")) : 0);
    best.node.hidden = name === "layer";
    says.textContent = SAYS[name] ?? "";
    grid.classList.toggle("cw-ordered", isOrdered);
    names.forEach((node, i) => {
      node.textContent = shortName(data, i) + (isOrdered ? ` ${painter.score(i, name).toFixed(2)}` : "");
    });
    /** @type {HTMLElement[]} */
    let wanted = shown.map((i) => tiles[i]);
    if (!isOrdered && layers > 1) wanted = [...topLabels, ...layerLabels.flatMap((label, layer) => [label, ...wanted.slice(layer * heads, (layer + 1) * heads)])];
    if (wanted.length !== grid.children.length || wanted.some((tile, i) => tile !== grid.children[i])) {
      const focused = document.activeElement;
      grid.replaceChildren(...wanted);
      if (focused instanceof HTMLElement && grid.contains(focused)) focused.focus();
    }
    mark();
  }

  /** @type {string[]} how each tile is marked */
  const marks = [];
  function mark() {
    const chosen = look.index(), stop = shown.includes(chosen) ? chosen : shown[0];
    const overlaid = look.overlaid(), pinned = look.pinnedAt();
    tiles.forEach((tile, i) => {
      const is = [i === chosen, i === stop, overlaid.includes(i), pinned?.index === i && pinned.variant === look.variant()];
      if (is.join() === marks[i]) return; // hundreds of tiles stay as they are
      marks[i] = is.join();
      tile.setAttribute("aria-checked", String(is[0]));
      tile.tabIndex = is[1] ? 0 : -1;
      tile.classList.toggle("cw-overlaid", is[2]);
      tile.classList.toggle("cw-pinned", is[3]);
    });
  }

  grid.addEventListener("keydown", (event) => {
    const place = shown.indexOf(look.index()), end = shown.length - 1;
    const isGrid = layers > 1 && look.get("order") === "layer";
    const down = isGrid ? heads : 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: place + 1, ArrowLeft: place - 1, ArrowDown: place + down, ArrowUp: place - down, Home: 0, End: end };
    if (!(event.key in moves)) return;
    event.preventDefault();
    let to = moves[event.key];
    if (!isGrid) to = (to + shown.length) % shown.length; // round and round
    if (to < 0 || to > end) return;
    tiles[shown[to]].focus();
    look.set(look.headOf(shown[to]));
    tiles[shown[to]].scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  return {
    node,
    /** @param {"maps" | "head" | "order" | "row"} level */
    update(level) {
      if (level === "maps") painter.restart();
      if (level === "order") arrange();
      else if (level !== "row") mark();
    },
    stop: painter.stop,
  };
}
