// All heads, small: a row for each layer, or ordered by a score, the largest first.
import { button, make } from "../shared/elements.js";
import { FEW, headName, shortName } from "./data.js";
import { cellScore } from "./head_scores.js";
import { select } from "./select.js";
import { makeSheet } from "./sheet.js";
import { makeTiles } from "./tiles.js";
import { EXTRA } from "./toolbar.js";
import { quoted } from "./words.js";

export const CELL = "this cell";
const OWN = ["entropy", "previous", "first", "diagonal", CELL];
/** @type {Record<string, string>} */
const SAYS = {
  layer: "", entropy: "1 is the same weight everywhere", previous: "mean weight on the token before",
  first: "mean weight on the first key", diagonal: "mean weight on the token itself",
};

/** @param {import("./look.js").Look} look */
export function overview(look) {
  const { data } = look, { count, heads, layers, queryLen, keyLen } = data;
  const boxes = Array.from({ length: count }, () => make("i", { className: "cw-tile" }));
  const names = boxes.map((_, i) => make("span", {}, shortName(data, i)));
  const tiles = boxes.map((box, i) => button([box, names[i]], () => look.set(look.headOf(i)),
    { role: "radio", "aria-label": headName(data, i), title: headName(data, i) }));
  const grid = make("div", { role: "radiogroup", "aria-label": "head", className: layers > 1 ? "cw-heads cw-layers" : "cw-heads" });
  grid.style.setProperty("--heads", String(heads));
  grid.style.setProperty("--shape", String(Math.min(Math.max(keyLen / queryLen, 1 / 3), 3)));
  const sheet = makeSheet(grid, boxes), painter = makeTiles(look, sheet, () => shown, needsNumbers, arrange);

  // Which layer a row is and which head a column.
  const label = (/** @type {string} */ text) => make("span", { "aria-hidden": "true", className: "cw-axis-label" }, text);
  const topLabels = ["", ...Array.from({ length: heads }, (_, head) => String(head))].map(label);
  const layerLabels = Array.from({ length: layers }, (_, layer) => label(String(layer)));

  const orders = ["layer", ...(data.isSelf ? OWN : ["entropy", "first", CELL])];
  const order = select("order", orders, (name) => look.set({ order: name }));
  const bests = [0, 4, 8, 16, 32, 64].filter((n) => n < count);
  const best = select("show", bests.map((n) => (n ? `best ${n}` : "all")), (_, i) => look.set({ best: bests[i] }));
  const says = make("span", { className: "cw-says" });
  const bar = make("div", { className: `cw-bar cw-order ${EXTRA}` }, order.node, best.node, says);
  const more = make("p", { className: "cw-more", "aria-hidden": "true" });
  const node = make("div", { className: "cw-overview" }, ...(count > FEW ? [bar] : []), grid, ...(count > FEW ? [more] : []));
  node.hidden = count < 2;

  /** Which heads are shown, in which order. */
  let shown = [...boxes.keys()];
  /** Whether the order comes from numbers that are computed in slices of time. */
  function needsNumbers() {
    return look.get("order") !== "layer" && look.get("order") !== CELL;
  }

  let ordered = "";
  function arrange() {
    const name = look.get("order"), limit = look.get("best") || count;
    const isOrdered = name === CELL || (name !== "layer" && painter.isReady());
    if (needsNumbers() && !painter.isReady()) painter.go();
    const scores = boxes.map((_, i) => (!isOrdered ? 0 : name === CELL ? cellScore(look, i) : painter.number(i, name)));
    shown = [...boxes.keys()];
    if (isOrdered) shown = shown.sort((a, b) => scores[b] - scores[a] || a - b).slice(0, limit);
    order.choose(name);
    best.choose(bests.includes(look.get("best")) ? bests.indexOf(look.get("best")) : 0);
    best.node.hidden = name === "layer";
    const { queries, keys } = look.data;
    says.replaceChildren(...(name === CELL ? ["weight from ", quoted(queries[look.get("query")]), " on ", quoted(keys[look.get("key")])] : [SAYS[name] ?? ""]));
    grid.classList.toggle("cw-ordered", isOrdered);
    names.forEach((node, i) => {
      const text = shortName(data, i) + (isOrdered ? ` ${scores[i].toFixed(2)}` : "");
      if (node.textContent !== text) node.textContent = text;
    });
    /** @type {HTMLElement[]} */
    let wanted = shown.map((i) => tiles[i]);
    if (!isOrdered && layers > 1) wanted = [...topLabels, ...layerLabels.flatMap((label, layer) => [label, ...wanted.slice(layer * heads, (layer + 1) * heads)])];
    wanted.push(sheet.canvas);
    if (wanted.length !== grid.children.length || wanted.some((tile, i) => tile !== grid.children[i])) {
      const focused = document.activeElement;
      grid.replaceChildren(...wanted);
      if (focused instanceof HTMLElement && grid.contains(focused)) focused.focus({ preventScroll: true });
      const now = [isOrdered ? name : "", isOrdered && name === CELL ? [look.get("query"), look.get("key")] : ""].join();
      if (!isFirst) place();
      // Another order begins at its top; in the order of layers the chosen head is in sight.
      if (!isOrdered) sheet.reveal(look.index());
      else if (now !== ordered) grid.scrollTop = 0;
      ordered = now;
    }
    mark();
  }

  /** The tiles lie elsewhere: so do their pictures. */
  function place() {
    if (sheet.measure(shown)) painter.repaint();
    else painter.go();
    cue();
  }
  let cued = "", isFirst = true;
  function cue() {
    const { above, below, isWide } = sheet.outOfSight();
    const text = [isWide ? "more at the right ▸" : "", below ? `${below} more below ▾` : "", above ? `${above} above ▴` : ""].filter(Boolean).join("   ");
    if (text !== cued) more.textContent = cued = text;
    grid.classList.toggle("cw-cut", below > 0);
  }
  grid.addEventListener("scroll", cue);
  const watcher = new ResizeObserver(() => {
    place();
    if (isFirst) sheet.reveal(look.index());
    isFirst = false;
  });
  watcher.observe(grid);

  /** @type {string[]} how each tile is marked */
  const marks = [];
  function mark() {
    const chosen = look.index(), stop = shown.includes(chosen) ? chosen : shown[0];
    const overlaid = look.overlaid(), pinned = look.pinnedIndex();
    tiles.forEach((tile, i) => {
      const is = [i === chosen, i === stop, overlaid.includes(i), pinned === i];
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
  });

  return {
    node,
    /** @param {"maps" | "head" | "order" | "row"} level */
    update(level) {
      if (level === "maps") painter.restart();
      if (level === "order" || look.get("order") === CELL) arrange();
      else if (level !== "row") mark();
      if (level === "head" && shown.includes(look.index())) sheet.reveal(look.index());
    },
    stop() {
      watcher.disconnect();
      painter.stop();
    },
  };
}
