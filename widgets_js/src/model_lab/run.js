// What is asked of the model, and the run that is shown: a stored one, or Python's last answer.
import { save } from "../shared/model.js";

/** @typedef {[number, number]} Pair layer and head */
/** @typedef {{text: string, off: Pair[]}} Question */

/**
 * @typedef {object} Run what Python computed for a text without the heads that are off
 * @property {string} text
 * @property {Pair[]} off
 * @property {string[]} pieces
 * @property {string} weights base64, a byte for each allowed cell
 * @property {Record<string, string | null>} scores base64, a byte for each head
 * @property {[string, number, number, number?, number?, number?][]} next token, probability with all heads on, and without; without as many others by chance: mean, lowest, highest
 */

/** @typedef {ReturnType<typeof makeLab>} Lab */

/** @param {import("../shared/model.js").Model} model */
export function makeLab(model) {
  const { layers, heads, scores } = model.get("_data");
  /** @type {Run[]} */
  const stored = model.get("_stored");
  /** @param {Question} run */
  const keyOf = (run) => JSON.stringify([run.text, run.off]);
  const lab = {
    layers: /** @type {number} */ (layers), heads: /** @type {number} */ (heads), stored,
    scores: /** @type {Record<string, string>} */ (scores), isPage: model.isPage,
    shown: stored[0], weights: new Uint8Array(),
    /** The scores of all heads; null where this text has none. @type {number[] | null} */
    grid: null,
    query: 0, key: 0,
    /** @param {string} name */
    get: (name) => model.get(name),
    /** @param {Record<string, unknown>} changes */
    set: (changes) => save(model, changes),
    /** Ask the model; the widget that is mounted does it. @type {(text: string, off: Pair[]) => void} */
    ask: () => {},
    length: () => lab.shown.pieces.length,
    /** @returns {number} */
    chosen: () => lab.get("layer") * lab.heads + lab.get("head"),
    /** @param {number} i */
    choose: (i) => lab.set({ layer: Math.floor(i / lab.heads), head: i % lab.heads }),
    /** @param {number} i */
    nameOf: (i) => `layer ${Math.floor(i / lab.heads)}, head ${i % lab.heads}`,
    /** @param {number} i @param {Pair[]} off */
    isIn: (i, off) => off.some(([layer, head]) => layer * lab.heads + head === i),
    /** @param {number} i */
    isOff: (i) => lab.isIn(i, lab.shown.off),
    /** @param {number} i @param {number} query @param {number} key */
    weightOf: (i, query, key) =>
      lab.weights[i * lab.length() * (lab.length() + 1) / 2 + query * (query + 1) / 2 + key] / 255,
    /** @param {number} i @param {number} query */
    rowOf: (i, query) => Array.from({ length: query + 1 }, (_, key) => lab.weightOf(i, query, key)),
    /** The key that the chosen head's last query looks at most, the first token aside. */
    keyLookedAt() {
      const row = lab.rowOf(lab.chosen(), lab.length() - 1).slice(1);
      return row.length ? 1 + row.indexOf(Math.max(...row)) : 0;
    },
    /** @returns {Question} */
    asked: () => ({ text: lab.get("text"), off: lab.get("off") }),
    answered: () => keyOf(lab.get("answer")) === keyOf(lab.asked()),
    /** @param {Question} run @returns {Run | undefined} */
    find: (run) => [...stored, lab.get("_live")].find((known) => known?.text !== undefined && keyOf(known) === keyOf(run)),
    /** What a switch changes. While an answer is on its way, that is what was asked for. */
    base: () => (lab.answered() && !lab.find(lab.asked()) ? lab.shown : lab.asked()),
    /** @param {Pair[]} off */
    setOff: (off) => lab.ask(lab.base().text, off.sort((a, b) => a[0] - b[0] || a[1] - b[1])),
    /** @param {number} i */
    toggle(i) {
      if (lab.isPage) return;
      const { off } = lab.base();
      /** @type {Pair} */
      const pair = [Math.floor(i / lab.heads), i % lab.heads];
      const others = off.filter(([layer, head]) => layer !== pair[0] || head !== pair[1]);
      lab.setOff(others.length < off.length ? others : [...off, pair]);
    },
    /** The head with the highest score of those that are on. @returns {number | undefined} */
    best() {
      const { grid } = lab, { off } = lab.base();
      if (!grid) return undefined;
      return [...grid.keys()].filter((i) => !lab.isIn(i, off)).sort((a, b) => grid[b] - grid[a])[0];
    },
  };
  return lab;
}
