// One head's map, and what one query of it looks at; and the switches.
import { drawMap } from "../shared/colours.js";
import { edgeLine } from "../shared/edge.js";
import { button, heading, make } from "../shared/elements.js";
import { quoted, select, token, whole } from "./words.js";

const TOP = 5; // so many keys are named in words
const LABELS = 32; // so many tokens are written beside the map

/** @param {import("./run.js").Lab} lab */
export function oneHead(lab) {
  const oneSwitch = button("", () => lab.toggle(lab.chosen()));
  const bestSwitch = button("switch off the best of this score", () => {
    const best = lab.best();
    if (best === undefined) return;
    lab.choose(best);
    lab.toggle(lab.chosen());
  });
  const title = heading(), map = make("canvas", { role: "img" }), mark = make("i", { className: "cw-mark" }), edge = edgeLine();
  const rowLabels = make("div", { className: "cw-rows", "aria-hidden": "true" });
  const columnLabels = make("div", { className: "cw-columns", "aria-hidden": "true" });
  const board = make("div", { className: "cw-board" }, map, edge.node, mark);
  board.style.aspectRatio = "1";
  const mapBox = make("div", { className: "cw-map" }, rowLabels, board, columnLabels);
  const readout = make("p", { "aria-hidden": "true" }), words = make("span");
  const querySelect = select("query", (value) => {
    lab.query = value;
    showRow();
  });
  const caption = make("caption"), body = make("tbody");
  const table = make("details", {}, make("summary", {}, "This query's weights as a table"), make("div", { className: "cw-scroll", tabIndex: 0 },
    make("table", {}, caption, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "key"), make("th", { scope: "col" }, "weight"))), body)));
  const node = make("div", { className: "cw-one" }, title, make("div", { className: "cw-chips" }, oneSwitch, bestSwitch),
    mapBox, readout, make("p", {}, make("label", {}, "query ", querySelect), " ", words), table);

  function showChoice() {
    const i = lab.chosen(), score = lab.grid ? `: ${lab.get("score")} ${lab.grid[i].toFixed(2)}` : "";
    oneSwitch.textContent = `switch ${lab.isOff(i) ? "on" : "off"} this head`;
    oneSwitch.disabled = Boolean(lab.isPage);
    bestSwitch.disabled = Boolean(lab.isPage) || lab.best() === undefined;
    title.textContent = lab.nameOf(i) + (lab.isOff(i) ? " (off)" : "") + score;
  }

  function showHead() {
    const i = lab.chosen(), n = lab.length(), full = new Float64Array(n * n);
    showChoice();
    for (let query = 0; query < n; query++) full.set(lab.rowOf(i, query), query * n);
    drawMap(map, full, n, n, (query, key) => key <= query);
    edge.show(n, n, (query, key) => key <= query);
    map.setAttribute("aria-label", `weights of ${lab.nameOf(i)}: a row for each query, a column for each key`);
    showRow();
  }

  function showRow() {
    const { query } = lab, { pieces } = lab.shown, row = lab.rowOf(lab.chosen(), query), n = lab.length();
    querySelect.value = String(query);
    mark.style.cssText = `top:${100 * query / n}%;height:${100 / n}%;left:0;right:0`;
    const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, TOP).filter((key) => row[key] >= 0.01);
    words.replaceChildren(quoted(pieces[query]), " looks at ",
      ...order.flatMap((key, i) => [i ? ", " : "", quoted(pieces[key], ` ${whole(row[key])}`)]));
    caption.replaceChildren(`${lab.nameOf(lab.chosen())}, query `, quoted(pieces[query]));
    body.replaceChildren(...row.map((weight, key) => make("tr", {},
      make("th", { scope: "row" }, token(pieces[key])), make("td", {}, whole(weight)))));
  }

  /** Another text: its tokens at the sides and in the list. @param {() => HTMLOptionElement[]} options */
  function showText(options) {
    const { pieces } = lab.shown, step = Math.ceil(pieces.length / LABELS);
    querySelect.replaceChildren(...options());
    const labels = () => pieces.filter((_, i) => i % step === 0).map((piece) => make("span", { dir: "auto" }, piece));
    rowLabels.replaceChildren(...labels());
    columnLabels.replaceChildren(...labels());
    mapBox.classList.toggle("cw-dense", pieces.length > 16);
    mapBox.style.setProperty("--board", Math.min(60 * pieces.length, 310) + "px");
  }

  /** @param {MouseEvent} event */
  const cellAt = (event) => {
    const box = map.getBoundingClientRect(), n = lab.length();
    return [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width]
      .map((part) => Math.min(Math.max(Math.floor(part * n), 0), n - 1));
  };
  const rest = () => {
    readout.textContent = "Point at a cell; click to choose its query.";
  };
  map.addEventListener("pointermove", (event) => {
    const [query, key] = cellAt(event);
    readout.replaceChildren(quoted(lab.shown.pieces[query]), " → ", quoted(lab.shown.pieces[key]), " ",
      key <= query ? whole(lab.weightOf(lab.chosen(), query, key)) : "masked");
  });
  map.addEventListener("pointerleave", rest);
  map.addEventListener("click", (event) => {
    [lab.query] = cellAt(event);
    showRow();
  });
  rest();
  return { node, showHead, showChoice, showText };
}
