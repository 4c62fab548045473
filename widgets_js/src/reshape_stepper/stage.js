// One way through the steps: the numbers in their places, the line of code, what attention mixes,
// and all of it as a table.
import { make } from "../shared/elements.js";
import { withRoom } from "./room.js";

const CELL = 40, ROW = 34, GAP = 22, TOP = 22, LEFT = 58;

/** @typedef {{seqLen: number, numHeads: number, headDim: number, colours: string[]}} Sizes */

/**
 * @param {Sizes} sizes
 * @param {import("./steps.js").Step[]} steps
 * @param {number} tallest how many rows there are at most
 */
export function makeStage({ seqLen, numHeads, headDim, colours }, steps, tallest) {
  const merged = numHeads * headDim, count = seqLen * merged;
  const letter = (/** @type {number} */ token) => String.fromCharCode(65 + token);
  const nameOf = (/** @type {number} */ n) => letter(Math.floor(n / merged)) + (n % merged);
  const headOf = (/** @type {number} */ n) => Math.floor((n % merged) / headDim);
  /** What a row or a block is called: token A, head 0. */
  const called = (/** @type {string} */ kind, /** @type {number} */ i) => `${kind} ${kind === "token" ? letter(i) : i}`;
  /** Which numbers attention mixes: those that stand in one block and one column when it comes. @type {Record<string, number[]>} */
  const groups = {};
  for (let n = 0; n < count; n++) {
    const [block, , column] = steps[3].place(n);
    (groups[`${block} ${column}`] ??= []).push(n);
  }
  const isMixed = Object.values(groups).some((group) => new Set(group.map(headOf)).size > 1);

  const names = make("div"), stage = make("div", { className: "cw-stage", "aria-hidden": "true" }, names);
  stage.style.height = TOP + tallest * ROW + "px";
  const cells = Array.from({ length: count }, (_, n) => {
    const cell = make("span", { className: "cw-number" });
    Object.assign(cell.style, { backgroundColor: colours[headOf(n)], color: "#000", width: CELL - 3 + "px", height: ROW - 3 + "px" });
    stage.append(cell);
    return cell;
  });
  const code = make("p"), note = make("p"), body = make("tbody");
  const table = make("div", { className: "cw-scroll cw-steps", tabIndex: 0, role: "region", "aria-label": isMixed ? "the tensor as a table, its heads mixed" : "the tensor as a table" }, make("table", {}, body));
  table.style.setProperty("--rows", String(Math.max(...steps.map(({ blocks, rows }) => blocks[0] * rows[0]))));

  /** The warning, if there is one, and the sentence on what head 0 mixes. @param {number} step @returns {(Node | string)[]} */
  function noteOf(step) {
    if (step < 1 || (step < 3 && !isMixed)) return [];
    return [...(isMixed ? [make("strong", { className: "cw-untrained" }, "mixed heads")] : []),
      (step < 3 ? " Head 0 will mix " : " Head 0 mixed ") + groups["0 0"].map(nameOf).join(", ") +
        (isMixed ? ": features of different heads, as if they were one." : ": the same feature of every token.")];
  }

  return {
    node: make("div", {}, code, make("div", { className: "cw-scroll cw-stage-box", tabIndex: 0, role: "region", "aria-label": isMixed ? "the tensor, its heads mixed" : "the tensor" }, stage),
      withRoom(note, steps.map((_, step) => noteOf(step))), make("details", {}, make("summary", {}, "As a table"), table)),
    /** @param {number} step */
    show(step) {
      const { blocks, rows, columns, place, mixed, code: line } = steps[step], width = columns * CELL + GAP;
      stage.style.width = blocks[0] * width - GAP + LEFT + "px";
      names.replaceChildren(
        ...Array.from({ length: blocks[1] ? blocks[0] : 0 }, (_, block) => label(called(blocks[1], block), LEFT + block * width, 0)),
        ...Array.from({ length: rows[0] }, (_, row) => label(called(rows[1], row), 0, TOP + row * ROW + 8)));
      cells.forEach((cell, n) => {
        const [block, row, column] = place(n), [group, , feature] = steps[3].place(n);
        cell.textContent = nameOf(n) + (mixed ? "′" : "");
        cell.title = mixed ? "mix of " + groups[`${group} ${feature}`].map(nameOf).join(", ") : "";
        cell.style.transform = `translate(${LEFT + block * width + column * CELL}px, ${TOP + row * ROW}px)`;
      });
      code.replaceChildren(make("code", {}, line));
      note.replaceChildren(...noteOf(step));
      /** @type {string[][]} */
      const grid = Array.from({ length: blocks[0] * rows[0] }, () => []);
      cells.forEach((cell, n) => {
        const [block, row, column] = place(n);
        grid[block * rows[0] + row][column] = cell.textContent ?? "";
      });
      body.replaceChildren(...grid.map((line, i) => make("tr", {},
        make("th", { scope: "row" }, (blocks[1] ? `${called(blocks[1], Math.floor(i / rows[0]))}, ` : "") + called(rows[1], i % rows[0])),
        ...line.map((text) => make("td", {}, text)))));
    },
  };
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function label(text, x, y) {
  const node = make("small", {}, text);
  node.style.transform = `translate(${x}px, ${y}px)`;
  return node;
}
