// One score of every head: a row for each layer, a column for each head.
import { shares } from "../shared/base64.js";
import { radioGroup } from "../shared/controls.js";
import { heading, make } from "../shared/elements.js";
import { headGrid } from "../shared/head_grid.js";
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
  const board = headGrid(layers, heads, { chosen: lab.chosen, choose: lab.choose, toggle: lab.toggle });
  board.cells.forEach((cell, i) => cell.addEventListener("dblclick", () => lab.toggle(i)));

  /** What follows from the scores is drawn by the widget that is mounted. */
  let onScores = () => {};
  function show() {
    const name = lab.get("score"), sent = lab.shown.scores[name];
    scorePicker.choose(names.indexOf(name));
    keySelect.hidden = name in lab.shown.scores;
    if (sent) lab.grid = shares(sent);
    else lab.grid = sent === null ? null : board.cells.map((_, i) => lab.weightOf(i, lab.length() - 1, lab.key));
    const { grid } = lab;
    says.textContent = scores[name] + (grid ? " " : ": this text has no such pair of tokens");
    board.show(grid, lab.isOff, lab.nameOf);
    onScores();
  }

  return {
    scoreBox: make("div", { className: "cw-score" },
      make("div", { className: "cw-chips" }, heading("every head"), scorePicker.node),
      make("p", {}, "colour: ", says, keySelect, make("span", { className: "cw-scale" }, "  0 ", make("i"), " 1"))),
    gridBox: make("div", { className: "cw-grid-box" }, board.node, make("p", {}, "Arrow keys choose a head, Space switches it.")),
    keySelect, show,
    /** @param {() => void} listener */
    onScores(listener) {
      onScores = listener;
    },
    mark: board.mark,
  };
}
