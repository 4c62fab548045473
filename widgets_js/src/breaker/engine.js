// SmolLM2 in the reader's browser: the page's side of it. A worker holds the model and computes.

/** @typedef {[number, number]} Head layer and head */
/** @typedef {{id: number, text: string, p: number}} Probable a token, and its probability */
/** @typedef {{id: number, text: string, probabilities: Probable[]}} Step the token that was written, and the five most probable at its place */
/** @typedef {{headsOff?: Head[], maxNew?: number, temperature?: number, seed?: number, draft?: number[]}} Writing temperature 0 takes the most probable token; `draft` is what was written before, see `write` */
/** @typedef {{logits: Float32Array, weights?: Float32Array, from: number, milliseconds: number}} Run logits after the last token; weights (layers, heads, T, T); the first layer that was computed anew */
/** @typedef {{index: number, heads: Head[], ids: number[], text: string}} Draw one draw of the control: its heads, and what the model wrote without them */
/** @typedef {{layers: number, heads: number, words: number, maxTokens: number, bytes: number}} Facts */
/** @typedef {(progress: {loaded: number, total: number}) => void} OnProgress */

/** Thrown by what `cancel` ended. */
export class Cancelled extends Error {}

/** One model in one worker. Calls may overlap: the worker takes them in turn, and a control waits for all others. */
export class Engine {
  /** @param {string} baseUrl the folder of worker.js, manifest.json and the parts, ending in "/" */
  constructor(baseUrl) { void baseUrl; }

  /**
   * Fetch what the browser does not keep yet, and prepare the model. After a break, call it again.
   * @param {OnProgress} [onProgress]
   * @returns {Promise<Facts>}
   */
  async load(onProgress) { void onProgress; throw new Error("to come"); }

  /** @param {string} text @returns {number[]} */
  encode(text) { void text; return []; }

  /** @param {number[]} ids @returns {string} the text without special tokens */
  decode(ids) { void ids; return ""; }

  /**
   * @param {number[]} ids 1 to maxTokens of them
   * @param {{headsOff?: Head[], maps?: boolean, all?: boolean}} [options] maps: with `weights`; all: with `allLogits` (T, words)
   * @returns {Promise<Run & {allLogits?: Float32Array}>}
   */
  async run(ids, options) { void ids; void options; throw new Error("to come"); }

  /**
   * Write on, token by token, until the end of the text or `maxNew` tokens.
   * @param {number[]} ids
   * @param {Writing} [options]
   * @returns {AsyncGenerator<Step>}
   */
  async *write(ids, options) { void ids; void options; }

  /**
   * Write without as many other heads, drawn by chance, once for each draw.
   * @param {number[]} ids
   * @param {Writing & {draws?: number}} options the heads that are never drawn, and how many a draw has: `headsOff`
   * @param {(draw: Draw) => void} [onDraw]
   * @returns {Promise<Draw[]>}
   */
  async control(ids, options, onDraw) { void ids; void options; void onDraw; return []; }

  /** End what `write` and `control` are doing: they throw `Cancelled`. */
  cancel() {}

  /** End the worker and free its memory. */
  close() {}
}
