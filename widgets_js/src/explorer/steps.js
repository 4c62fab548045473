// One row, step by step: from the dot products to the context vector, with all its numbers.
import { radioGroup } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { topPlaces } from "./bars.js";
import { token } from "./words.js";

const SHOWN = 3; // numbers of a value and of the context vector

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} role whose colour it has
 * @property {string[]} says
 */

/** @param {import("./look.js").Look} look */
export function steps(look) {
  const { headDim, ofWeights, keyLen, keys } = look.data;
  /** @type {Step[]} */
  const all = [
    { name: "scores", role: "scores", says: [ofWeights ? "Logarithms of the weights stand for the scores: a softmax gives the weights back."
      : "The scores as they were given: the dot products, already scaled."] },
    { name: "scale", role: "scores", says: ["Divided by the temperature."] },
    { name: "mask", role: "scores", says: ["What may not be looked at becomes −∞."] },
    { name: "softmax", role: "weights", says: ["e to each score less the largest one, divided by the sum of them all."] },
    { name: "sum", role: "output", says: [headDim ? "Each value times its weight; added up, they are the context vector."
      : "Each value is taken times its weight, and all are added. No values were given here."] },
  ];
  let step = 0;
  const tabs = radioGroup("step", "cw-chips cw-steps", all.map(({ name }, i) => `${i + 1} ${name}`), (i) => {
    step = i;
    update();
  });
  const says = make("p"), head = make("thead"), body = make("tbody"), foot = make("tfoot");
  const next = button("next step", () => {
    step = (step + 1) % all.length;
    update();
  });
  const node = make("div", { className: "cw-row-steps" }, make("div", { className: "cw-bar" }, tabs.node, next), says,
    make("div", { className: "cw-scroll", tabIndex: 0, role: "region", "aria-label": "one row, step by step" },
      make("table", { className: "cw-wide" }, head, body, foot)));

  /** @param {number} number */
  const show = (number) => (number === -Infinity ? "−∞" : number.toFixed(3).replace("-", "−"));
  /** @param {ArrayLike<number>} numbers */
  const vector = (numbers) => "[" + Array.from({ length: Math.min(SHOWN, numbers.length) }, (_, i) => numbers[i].toFixed(2).replace("-", "−")).join("  ") +
    (numbers.length > SHOWN ? " …" : "") + "]";

  function update() {
    const { query } = look.at(), temperature = look.get("temperature");
    const raw = look.data.scores(look.index()), weights = look.chosen();
    const values = look.data.values?.(look.index());
    const given = Array.from({ length: keyLen }, (_, key) => raw[query * keyLen + key]);
    const scaled = given.map((score) => score / temperature);
    const masked = scaled.map((score, key) => (look.allowed(query, key) ? score : -Infinity));
    const largest = Math.max(...masked);
    const powers = masked.map((score) => (score === -Infinity ? 0 : Math.exp(score - largest)));
    const sum = powers.reduce((a, b) => a + b, 0);
    const line = Array.from(weights.subarray(query * keyLen, (query + 1) * keyLen));
    const context = values && Array.from({ length: headDim }, (_, d) =>
      line.reduce((total, weight, key) => total + weight * values[key * headDim + d], 0));
    const never = (/** @type {number} */ number) => (Number.isNaN(number) ? "not given" : show(number));
    const columns = [
      { step: 0, name: "score", role: "scores", cell: (/** @type {number} */ k) => never(given[k]), foot: "" },
      { step: 1, name: "scaled", role: "scores", cell: (/** @type {number} */ k) => never(scaled[k]), foot: "" },
      { step: 2, name: "masked", role: "scores", cell: (/** @type {number} */ k) => show(masked[k]), foot: "" },
      { step: 3, name: "e^(…)", role: "scores", cell: (/** @type {number} */ k) => show(powers[k]), foot: show(sum) },
      { step: 3, name: "weight", role: "weights", cell: (/** @type {number} */ k) => show(line[k]), foot: show(line.reduce((a, b) => a + b, 0)) },
      ...(values && context ? [
        { step: 4, name: "weight · value", role: "value", cell: (/** @type {number} */ k) => vector(Array.from(values.subarray(k * headDim, (k + 1) * headDim), (v) => line[k] * v)), foot: vector(context) }] : []),
    ].filter((column) => column.step <= step && (step < 3 || column.step > 1 || column.step === 0));
    tabs.choose(step);
    const places = topPlaces(look.line(weights));
    says.replaceChildren(make("strong", { className: "cw-as-" + all[step].role }, all[step].name + ". "), ...all[step].says,
      places.length < keyLen ? ` The table has the ${places.length} largest weights of ${keyLen}; the sums are over all keys.` : "",
      sum === 0 ? " Nothing is allowed: all weights are 0." : "");
    head.replaceChildren(make("tr", {}, make("th", { scope: "col", className: "cw-as-key" }, "key"),
      ...columns.map(({ name, role, step: own }) => make("th", { scope: "col", className: `cw-as-${role}${own === step ? " cw-now" : ""}` }, name))));
    body.replaceChildren(...places.map((key) => make("tr", {}, make("th", { scope: "row" }, token(keys[key])),
      ...columns.map(({ cell, step: own }) => make("td", { className: own === step ? "cw-now" : "" }, cell(key))))));
    foot.replaceChildren(...(step < 3 ? [] : [make("tr", {}, make("th", { scope: "row" }, "sum"), ...columns.map((column) => make("td", { className: column.step === 4 ? "cw-as-output" : "" }, column.foot)))]));
  }
  return { node, update };
}
