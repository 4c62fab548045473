// Every number keeps its name and colour on its way through view, transpose, attention and back.
import { withRoom } from "./reshape_stepper/room.js";
import { reshapeSteps, shapeOf } from "./reshape_stepper/steps.js";
import { checkbox, radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";
import { save } from "./shared/model.js";

const CELL = 44, ROW = 34, GAP = 26, TOP = 22, LEFT = 44;

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountReshapeStepper(el, model) {
  /** @type {{seq_len: number, num_heads: number, head_dim: number, colours: string[]}} */
  const { seq_len: seqLen, num_heads: numHeads, head_dim: headDim, colours } = model.get("_data");
  const merged = numHeads * headDim, count = seqLen * merged;
  const nameOf = (/** @type {number} */ n) => String.fromCharCode(65 + Math.floor(n / merged)) + (n % merged);
  const headOf = (/** @type {number} */ n) => Math.floor((n % merged) / headDim);
  const ways = [false, true].map((wrong) => reshapeSteps(seqLen, numHeads, headDim, wrong));
  const every = ways.flat();

  const root = widgetRoot(el, "Reshape stepper");
  const titles = ways[0].map(({ title }, i) => `${i} ${title}`);
  const stepPicker = radioGroup("step", "cw-chips", titles.map((title) => make("button", { type: "button" }, title)),
    (step) => save(model, { step }));
  const wrongBox = checkbox("the wrong view: straight to (heads, tokens, numbers)", (wrong) => save(model, { wrong }));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const code = make("p"), note = make("p");
  const names = make("div"), stage = make("div", { className: "cw-stage", "aria-hidden": "true" }, names);
  stage.style.height = TOP + Math.max(...every.map(({ rows }) => rows[0])) * ROW + "px";
  const cells = Array.from({ length: count }, (_, n) => {
    const cell = make("span", { className: "cw-number" });
    Object.assign(cell.style, { backgroundColor: colours[headOf(n)], color: "#000", width: CELL - 3 + "px", height: ROW - 3 + "px" });
    stage.append(cell);
    return cell;
  });
  const body = make("tbody");
  const table = make("div", { className: "cw-scroll cw-steps", tabIndex: 0, role: "region", "aria-label": "the tensor as a table" }, make("table", {}, body));
  table.style.setProperty("--rows", String(Math.max(...every.map(({ blocks, rows }) => blocks[0] * rows[0]))));
  const statusOf = (/** @type {number} */ step, wrong = false) => {
    const one = ways[+wrong][step];
    return `step ${step}, ${one.title}: shape (${shapeOf(one).join(", ")})`;
  };
  root.append(make("div", { className: "cw-bar" }, stepPicker.node, wrongBox.node),
    withRoom(status, titles.flatMap((_, step) => [[statusOf(step)], [statusOf(step, true)]])), code,
    make("div", { className: "cw-scroll cw-stage-box", tabIndex: 0, role: "region", "aria-label": "the tensor" }, stage),
    withRoom(note, titles.flatMap((_, step) => [noteOf(step, false), noteOf(step, true)])),
    make("p", {}, "A name says who made the number: token A, B, C …, feature 0, 1, 2 … The colour is the head that it belongs to."),
    make("details", {}, make("summary", {}, "As a table"), table));

  /**
   * Which numbers attention mixes: those that stand in one block and one column when it comes.
   * @param {boolean} wrong
   */
  function groupsOf(wrong) {
    /** @type {Record<string, number[]>} */
    const groups = {};
    for (let n = 0; n < count; n++) {
      const [block, , column] = ways[+wrong][3].place(n);
      (groups[`${block} ${column}`] ??= []).push(n);
    }
    return groups;
  }

  /**
   * The warning, if there is one, and the sentence on what head 0 mixes.
   * @param {number} step
   * @param {boolean} wrong
   */
  function noteOf(step, wrong) {
    const groups = groupsOf(wrong);
    const strangers = Object.values(groups).some((group) => new Set(group.map(headOf)).size > 1);
    if (step < 1 || (step < 3 && !strangers)) return [];
    return [...(strangers ? [make("strong", { className: "cw-untrained" }, "mixed heads")] : []),
      (step < 3 ? " Head 0 will mix " : " Head 0 mixed ") + groups["0 0"].map(nameOf).join(", ") +
        (strangers ? ": features of different heads, as if they were one." : ": the same feature of every token.")];
  }

  function update() {
    /** @type {number} */
    const step = model.get("step");
    /** @type {boolean} */
    const wrong = model.get("wrong");
    const { blocks, rows, columns, place, mixed, code: line } = ways[+wrong][step];
    stepPicker.choose(step);
    wrongBox.input.checked = wrong;

    const width = columns * CELL + GAP;
    stage.style.width = blocks[0] * width - GAP + LEFT + "px";
    names.replaceChildren(
      ...Array.from({ length: blocks[1] ? blocks[0] : 0 }, (_, block) => label(`${blocks[1]} ${block}`, LEFT + block * width, 0)),
      ...Array.from({ length: rows[0] }, (_, row) => label(`${rows[1]} ${row}`, 0, TOP + row * ROW + 8)));
    const groups = groupsOf(wrong), inHead = ways[+wrong][3].place;
    cells.forEach((cell, n) => {
      const [block, row, column] = place(n), [group, , feature] = inHead(n);
      cell.textContent = nameOf(n) + (mixed ? "′" : "");
      cell.title = mixed ? "mix of " + groups[`${group} ${feature}`].map(nameOf).join(", ") : "";
      cell.style.transform = `translate(${LEFT + block * width + column * CELL}px, ${TOP + row * ROW}px)`;
    });

    status.textContent = statusOf(step, wrong);
    code.replaceChildren(make("code", {}, line));
    note.replaceChildren(...noteOf(step, wrong));
    /** @type {string[][]} */
    const grid = Array.from({ length: blocks[0] * rows[0] }, () => []);
    cells.forEach((cell, n) => {
      const [block, row, column] = place(n);
      grid[block * rows[0] + row][column] = cell.textContent ?? "";
    });
    body.replaceChildren(...grid.map((line, i) => make("tr", {},
      make("th", { scope: "row" }, (blocks[1] ? `${blocks[1]} ${Math.floor(i / rows[0])}, ` : "") + `${rows[1]} ${i % rows[0]}`),
      ...line.map((text) => make("td", {}, text)))));
  }
  update();
  for (const name of ["step", "wrong"]) model.on("change:" + name, update);
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

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountReshapeStepper(el, model);
