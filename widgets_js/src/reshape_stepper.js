// @ts-nocheck
// Every number keeps its name and colour on its way through view, transpose, attention and back.
import { cividis } from "./shared/colours.js";
import { checkbox, radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";

const CELL = 44, ROW = 34, GAP = 26, TOP = 22;

/** The tensor at each step: its shape, the names of its axes, and where each number stands. */
export function reshapeSteps(seqLen, numHeads, headDim, wrong) {
  const tokens = [seqLen, "token"], heads = [numHeads, "head"];
  const d = headDim, merged = numHeads * headDim;
  // Number n was made for token floor(n / merged), feature n % merged.
  const split = wrong
    ? (n) => [Math.floor(n / (seqLen * d)), Math.floor(n / d) % seqLen, n % d] // in memory order
    : (n) => [Math.floor(n / merged), Math.floor(n / d) % numHeads, n % d];
  const swapped = wrong ? split : (n) => [split(n)[1], split(n)[0], n % d];
  const flat = (n) => [0, Math.floor(n / merged), n % merged];
  const whole = { blocks: [1, ""], rows: tokens, columns: merged, place: flat };
  const byToken = { blocks: wrong ? heads : tokens, rows: wrong ? tokens : heads, columns: d, place: split };
  const byHead = { blocks: heads, rows: tokens, columns: d, place: swapped };
  const skipped = "left out";
  return [
    { ...whole, title: "projection", code: `x = tokens @ W.T` },
    { ...byToken, title: "view", code: wrong ? `x.view(${numHeads}, ${seqLen}, ${d})` : `x.view(${seqLen}, ${numHeads}, ${d})` },
    { ...byHead, title: "transpose", code: wrong ? skipped : "x.transpose(0, 1)" },
    { ...byHead, title: "attention", code: "attention(x, x, x)", mixed: true },
    { ...byToken, title: "transpose back", code: wrong ? skipped : "x.transpose(0, 1)", mixed: true },
    { ...whole, title: "view back", code: `x.reshape(${seqLen}, ${merged})`, mixed: true },
  ];
}

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountReshapeStepper(el, model) {
  const { seq_len: seqLen, num_heads: numHeads, head_dim: headDim } = model.get("_data");
  const merged = numHeads * headDim, count = seqLen * merged;
  const nameOf = (n) => String.fromCharCode(65 + Math.floor(n / merged)) + (n % merged);
  const headOf = (n) => Math.floor((n % merged) / headDim);
  const save = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };

  const root = widgetRoot(el, "Reshape stepper");
  const titles = reshapeSteps(seqLen, numHeads, headDim, false).map(({ title }, i) => `${i} ${title}`);
  const stepPicker = radioGroup("step", "cw-chips", titles.map((title) => make("button", { type: "button" }, title)),
    (step) => save("step", step));
  const wrongBox = checkbox("the wrong view: straight to (heads, tokens, numbers)", (wrong) => save("wrong", wrong));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const code = make("p"), note = make("p");
  const names = make("div"), stage = make("div", { className: "cw-stage", "aria-hidden": "true" }, names);
  const cells = Array.from({ length: count }, (_, n) => {
    const share = numHeads > 1 ? headOf(n) / (numHeads - 1) : 0;
    const cell = make("span", { className: "cw-number" });
    Object.assign(cell.style, { backgroundColor: `rgb(${cividis(0.2 + 0.75 * share)})`, color: share < 0.35 ? "#fff" : "#000", width: CELL - 3 + "px", height: ROW - 3 + "px" });
    stage.append(cell);
    return cell;
  });
  const body = make("tbody");
  const details = make("details", {}, make("summary", {}, "As a table"),
    make("div", { className: "cw-scroll", tabIndex: 0, role: "region", "aria-label": "the tensor as a table" }, make("table", {}, body)));
  root.append(make("div", { className: "cw-bar" }, stepPicker.node, wrongBox.node), status, code,
    make("div", { className: "cw-scroll", tabIndex: 0, role: "region", "aria-label": "the tensor" }, stage), note,
    make("p", {}, "A name says who made the number: token A, B, C …, feature 0, 1, 2 … The colour is the head that it belongs to."),
    details);

  function update() {
    const step = model.get("step"), wrong = model.get("wrong");
    const steps = reshapeSteps(seqLen, numHeads, headDim, wrong);
    const { blocks, rows, columns, place, mixed, title, code: line } = steps[step];
    stepPicker.choose(step);
    wrongBox.input.checked = wrong;

    const width = columns * CELL + GAP;
    stage.style.width = blocks[0] * width - GAP + 44 + "px";
    stage.style.height = TOP + rows[0] * ROW + "px";
    names.replaceChildren(
      ...Array.from({ length: blocks[1] ? blocks[0] : 0 }, (_, block) => label(`${blocks[1]} ${block}`, 44 + block * width, 0)),
      ...Array.from({ length: rows[0] }, (_, row) => label(`${rows[1]} ${row}`, 0, TOP + row * ROW + 8)));
    // Attention mixes the numbers that stand in the same block and the same column.
    const inHead = steps[3].place, groups = {};
    for (let n = 0; n < count; n++) {
      const [block, , column] = inHead(n);
      (groups[`${block} ${column}`] ??= []).push(n);
    }
    cells.forEach((cell, n) => {
      const [block, row, column] = place(n);
      const group = groups[`${inHead(n)[0]} ${inHead(n)[2]}`];
      cell.textContent = nameOf(n) + (mixed ? "′" : "");
      cell.title = mixed ? "mix of " + group.map(nameOf).join(", ") : "";
      cell.style.transform = `translate(${44 + block * width + column * CELL}px, ${TOP + row * ROW}px)`;
    });

    const shape = [...(blocks[1] ? [blocks[0]] : []), rows[0], columns];
    status.textContent = `step ${step}, ${title}: shape (${shape.join(", ")})`;
    code.replaceChildren(make("code", {}, line));
    const first = groups["0 0"], strangers = Object.values(groups).some((group) => new Set(group.map(headOf)).size > 1);
    note.replaceChildren(...(step < 1 || (step < 3 && !strangers) ? [] : [
      ...(strangers ? [make("strong", { className: "cw-untrained" }, "mixed heads"), " "] : []),
      step < 3 ? "Head 0 will mix " : "Head 0 mixed ", first.map(nameOf).join(", "),
      strangers ? ": features of different heads, as if they were one." : ": the same feature of every token."]));
    const grid = Array.from({ length: blocks[0] * rows[0] }, () => []);
    cells.forEach((cell, n) => {
      const [block, row, column] = place(n);
      grid[block * rows[0] + row][column] = cell.textContent;
    });
    body.replaceChildren(...grid.map((line, i) => make("tr", {},
      make("th", { scope: "row" }, (blocks[1] ? `${blocks[1]} ${Math.floor(i / rows[0])}, ` : "") + `${rows[1]} ${i % rows[0]}`),
      ...line.map((text) => make("td", {}, text)))));
  }
  const label = (text, x, y) => {
    const node = make("small", {}, text);
    node.style.transform = `translate(${x}px, ${y}px)`;
    return node;
  };
  update();
  for (const name of ["step", "wrong"]) model.on("change:" + name, update);
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountReshapeStepper(el, model);
