// Every number keeps its name and colour on its way through view, transpose, attention and back: the
// right way beside the wrong one.
import { withRoom } from "./reshape_stepper/room.js";
import { makeStage } from "./reshape_stepper/stage.js";
import { reshapeSteps, shapeOf } from "./reshape_stepper/steps.js";
import { radioGroup } from "./shared/controls.js";
import { heading, make, widgetRoot } from "./shared/elements.js";
import { save } from "./shared/model.js";

/** @typedef {import("./reshape_stepper/stage.js").Sizes} Sizes */

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountReshapeStepper(el, model) {
  const { seq_len: seqLen, num_heads: numHeads, head_dim: headDim, colours } = model.get("_data");
  /** @type {Sizes} */
  const sizes = { seqLen, numHeads, headDim, colours };
  const ways = [false, true].map((wrong) => reshapeSteps(seqLen, numHeads, headDim, wrong));
  const root = widgetRoot(el, "Reshape stepper");
  const titles = ways[0].map(({ title }, i) => `${i} ${title}`);
  const stepPicker = radioGroup("step", "cw-chips", titles,
    (step) => save(model, { step }));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const shape = (/** @type {number} */ wrong, /** @type {number} */ step) => `(${shapeOf(ways[wrong][step]).join(", ")})`;
  const statusOf = (/** @type {number} */ step) => `step ${step}, ${ways[0][step].title}: shape ${shape(0, step)}` +
    (shape(0, step) === shape(1, step) ? " on both ways" : `, on the wrong way ${shape(1, step)}`);
  const tallest = Math.max(...ways.flat().map(({ rows }) => rows[0]));
  const stages = ways.map((steps) => makeStage(sizes, steps, tallest));
  const sides = ["Right: view, then transpose", "Wrong: view straight to (heads, tokens, numbers)"].map((title, wrong) =>
    make("div", { className: "cw-way", role: "group", "aria-label": title }, heading(title), stages[wrong].node));
  root.append(make("div", { className: "cw-bar" }, stepPicker.node),
    withRoom(status, titles.map((_, step) => [statusOf(step)])), make("div", { className: "cw-ways-of" }, ...sides),
    make("p", {}, "A name says who made the number: token A, B, C …, feature 0, 1, 2 … The colour is the head that it belongs to."));

  function update() {
    /** @type {number} */
    const step = model.get("step");
    stepPicker.choose(step);
    status.textContent = statusOf(step);
    for (const stage of stages) stage.show(step);
  }
  update();
  model.on("change:step", update);
  return () => model.off("change:step", update);
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountReshapeStepper(el, model);
