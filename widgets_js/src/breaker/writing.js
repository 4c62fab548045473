// Writing on with a model: what it takes for the next token, and the control by chance.
import { drawLike, matchedControls, numbersByLot } from "../sentence_lab/by_chance.js";

/** @typedef {import("./engine.js").Head} Head */
/** @typedef {import("./engine.js").Step} Step */

const SHOWN = 5; // the most probable tokens of a step

/**
 * Write on, token by token. What a draft says already is computed at once, and again only from where it differs.
 * @param {import("./model.js").Model} model
 * @param {import("./tokenizer.js").Tokenizer} tokenizer
 * @param {number[]} ids
 * @param {import("./engine.js").Writing} options
 * @param {import("./model.js").Source | null} [source] whose outputs the changed heads take
 * @returns {AsyncGenerator<Step>}
 */
export async function* write(model, tokenizer, ids, { changes = [], maxNew = 16, temperature = 0, seed = 0, draft = [] }, source = null) {
  const random = numbersByLot(seed), written = [...ids], end = Math.min(ids.length + maxNew, model.mostTokens);
  if (draft.length) model.forward([...ids, ...draft].slice(0, end), changes, source);
  while (written.length < end) {
    model.forward(written, changes, source);
    const logits = await model.logits(written.length - 1, written.length), p = softmax(logits);
    const likely = mostProbable(p, SHOWN);
    const id = temperature > 0 ? drawn(softmax(logits, temperature), random()) : likely[0];
    if (model.ends.includes(id)) return;
    written.push(id);
    const probabilities = likely.map((one) => ({ id: one, text: tokenizer.decode([one]), p: p[one] }));
    yield { id, text: tokenizer.decode([id]), probabilities };
  }
}

/**
 * As many other heads, by chance: sets of heads that hold none of these, of the same layers as far as there are any.
 * Each set once where there are fewer than were asked for.
 * @param {import("./engine.js").Change[]} changes
 * @param {number} layers
 * @param {number} heads in a layer
 * @param {number} draws
 * @param {number} seed
 * @returns {Head[][]}
 */
export function otherHeads(changes, layers, heads, draws, seed) {
  const off = changes.map(([layer, head]) => /** @type {Head} */ ([layer, head]));
  const { choices, isEvery } = matchedControls(off, layers, heads);
  if (isEvery && choices.length && choices.length < draws) return choices;
  const random = numbersByLot(seed), isOff = (/** @type {Head} */ [layer, head]) => off.some(([l, h]) => l === layer && h === head);
  const free = Array.from({ length: layers * heads }, (_, i) => /** @type {Head} */ ([Math.floor(i / heads), i % heads])).filter((one) => !isOff(one));
  if (free.length < off.length) throw new Error(`there are not as many other heads: ${off.length} are off, ${free.length} are left`);
  return Array.from({ length: draws }, () => drawLike(off, free, random).sort((a, b) => a[0] - b[0] || a[1] - b[1]));
}

/**
 * @param {Float32Array} logits
 * @param {number} temperature
 */
export function softmax(logits, temperature = 1) {
  const p = new Float32Array(logits.length);
  let largest = -Infinity, sum = 0;
  for (const logit of logits) largest = Math.max(largest, logit);
  for (let i = 0; i < p.length; i++) sum += p[i] = Math.exp((logits[i] - largest) / temperature);
  return p.map((power) => power / sum);
}

/** How much of the probability lies elsewhere: half the sum of all differences. @type {(p: Float32Array, q: Float32Array) => number} */
export const distance = (p, q) => p.reduce((sum, share, i) => sum + Math.abs(share - q[i]), 0) / 2;

/** The places of the largest numbers, largest first. @type {(p: Float32Array, count: number) => number[]} */
export function mostProbable(p, count) {
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < p.length; i++) {
    if (found.length === count && p[i] <= p[found[count - 1]]) continue;
    const place = found.findIndex((one) => p[i] > p[one]);
    found.splice(place < 0 ? found.length : place, 0, i);
    found.length = Math.min(found.length, count);
  }
  return found;
}

/** The place that a number from 0 to 1 falls on. @type {(p: Float32Array, lot: number) => number} */
function drawn(p, lot) {
  let sum = 0;
  const place = p.findIndex((one) => (sum += one) > lot);
  return place < 0 ? mostProbable(p, 1)[0] : place;
}
