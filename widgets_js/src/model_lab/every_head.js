// One score of every head: a row for each layer, a column for each head.
import { radioGroup } from "../shared/controls.js";
import { shade } from "../shared/colours.js";
import { heading, make } from "../shared/elements.js";
import { select } from "./words.js";

/** @param {import("./run.js").Lab} lab */
export function everyHead(lab) {
  const { layers, heads, scores } = lab;
  const names = Object.keys(scores), says = make("span");
  const scorePicker = radioGroup("score", "cw-chips", names.map((name) => make("button", { type: "button" }, name)),
    (i) => lab.set({ score: names[i] }));
  const keySelect = select("token looked at", (value) => {
    lab.key = value;
    show();
  });
  const cells = Array.from({ length: layers * heads }, (_, i) => {
    const cell = make("div", { role: "gridcell" });
    cell.addEventListener("click", () => lab.choose(i));
    cell.addEventListener("dblclick", () => lab.toggle(i));
    return cell;
  });
  const lines = Array.from({ length: layers }, (_, layer) => make("div", { role: "row" },
    make("span", { role: "rowheader", "aria-label": `layer ${layer}` }, String(layer)),
    ...cells.slice(layer * heads, (layer + 1) * heads)));
  const headerLine = make("div", { role: "row" }, make("span", { role: "columnheader", "aria-label": "layer" }),
    ...Array.from({ length: heads }, (_, head) => make("span", { role: "columnheader", "aria-label": `head ${head}` }, String(head))));
  const board = make("div", { role: "grid", className: "cw-every", "aria-label": "heads: a row for each layer, a column for each head" },
    headerLine, ...lines);
  board.style.setProperty("--heads", String(heads));
  board.addEventListener("keydown", (event) => {
    const i = lab.chosen(), row = i - i % heads;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + heads, ArrowUp: i - heads,
      Home: row, End: row + heads - 1, PageDown: i + 5 * heads, PageUp: i - 5 * heads };
    if (event.key === " " || event.key === "Enter") lab.toggle(i);
    else if (!(event.key in moves)) return;
    else if (cells[moves[event.key]]) {
      lab.choose(moves[event.key]);
      cells[lab.chosen()].focus();
    }
    event.preventDefault();
  });

  /** What follows from the scores is drawn by the widget that is mounted. */
  let onScores = () => {};
  function show() {
    const name = lab.get("score"), sent = lab.shown.scores[name];
    scorePicker.choose(names.indexOf(name));
    keySelect.hidden = name in lab.shown.scores;
    if (sent) lab.grid = Array.from(atob(sent), (c) => c.charCodeAt(0) / 255);
    else lab.grid = sent === null ? null : cells.map((_, i) => lab.weightOf(i, lab.length() - 1, lab.key));
    const { grid } = lab;
    says.textContent = scores[name] + (grid ? " " : ": this text has no such pair of tokens");
    cells.forEach((cell, i) => {
      shade(cell, grid && grid[i]);
      const off = lab.isOff(i), value = grid ? grid[i].toFixed(2) : "no score";
      cell.textContent = off ? "×" : "";
      cell.classList.toggle("cw-off", off);
      cell.title = `${lab.nameOf(i)}: ${value}${off ? ", off" : ""}`;
      cell.setAttribute("aria-label", cell.title);
    });
    onScores();
  }

  return {
    scoreBox: make("div", { className: "cw-score" },
      make("div", { className: "cw-chips" }, heading("every head"), scorePicker.node),
      make("p", {}, "colour: ", says, keySelect, make("span", { className: "cw-scale" }, "  0 ", make("i"), " 1"))),
    gridBox: make("div", { className: "cw-grid-box" }, board, make("p", {}, "Arrow keys choose a head, Space switches it.")),
    keySelect, show,
    /** @param {() => void} listener */
    onScores(listener) {
      onScores = listener;
    },
    mark() {
      const chosen = lab.chosen();
      cells.forEach((cell, j) => {
        cell.setAttribute("aria-selected", String(chosen === j));
        cell.tabIndex = chosen === j ? 0 : -1;
      });
    },
  };
}
