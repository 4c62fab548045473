// SmolLM2 in the reader's browser: the page's side of it. A worker holds the model and computes.
import { Tokenizer } from "./tokenizer.js";

/** @typedef {[number, number]} Head layer and head */
/** @typedef {{id: number, text: string, p: number}} Probable a token, and its probability */
/** @typedef {{id: number, text: string, probabilities: Probable[]}} Step the token that was written, and the five most probable at its place */
/** @typedef {{headsOff?: Head[], maxNew?: number, temperature?: number, seed?: number, draft?: number[]}} Writing temperature 0 takes the most probable token; `draft` is what was written before: a guess that saves time where it is still right, and changes nothing */
/** @typedef {{logits: Float32Array, weights?: Float32Array, from: number, milliseconds: number}} Run logits after the last token, (words); weights (layers, heads, T, T); the first layer that was computed anew */
/** @typedef {{index: number, of: number, heads: Head[], ids: number[], text: string, changed: boolean, chances: number[]}} Draw one draw of the control: how many there are, its heads, what the model wrote without them, whether that is another text than with all heads, and the probabilities of the watched tokens after the text */
/** @typedef {{layers: number, heads: number, words: number, maxTokens: number, bytes: number, noGpu: string}} Facts bytes: of the memory that the model takes; noGpu: why it does not compute on a graphics processor, or nothing */
/** @typedef {(progress: {loaded: number, total: number}) => void} OnProgress */

/** Thrown by what `cancel` ended. */
export class Cancelled extends Error {}

/** One model in one worker. Calls may overlap: the worker takes them in turn, and a control waits for all others. */
export class Engine {
  /** @param {string} baseUrl the folder of worker.js, kernel.wasm, manifest.json and the parts, ending in "/" */
  constructor(baseUrl) {
    this.baseUrl = new URL(baseUrl, document.baseURI).href;
    this.worker = new Worker(`${this.baseUrl}worker.js`);
    /** @type {Tokenizer | undefined} */
    this.tokenizer = undefined;
    this.asked = 0;
    /** @type {Map<number, {name: string, onStep: (step: any) => void, resolve: (result: any) => void, reject: (error: Error) => void}>} */
    this.jobs = new Map();
    this.worker.onmessage = (/** @type {MessageEvent<import("./worker.js").Answer>} */ { data }) => this.#answered(data);
    this.worker.onerror = (event) => {
      for (const job of this.jobs.keys()) this.#answered({ job, error: event.message || "the worker could not be started" });
    };
  }

  /**
   * Fetch what the browser does not keep yet, and prepare the model. After a break, call it again.
   * @param {OnProgress} [onProgress]
   * @param {boolean} [evenSoftware] take a graphics processor that is none, for tests
   * @returns {Promise<Facts>}
   */
  async load(onProgress, evenSoftware) {
    const { vocabulary, facts } = await this.#ask("load", [this.baseUrl, evenSoftware], onProgress).result;
    this.tokenizer = new Tokenizer(vocabulary);
    return facts;
  }

  /** @param {string} text @returns {number[]} */
  encode(text) {
    return this.#loaded().encode(text);
  }

  /** @param {number[]} ids @returns {string} the text without special tokens */
  decode(ids) {
    return this.#loaded().decode(ids);
  }

  /**
   * @param {number[]} ids 1 to maxTokens of them
   * @param {{headsOff?: Head[], maps?: boolean, all?: boolean}} [options] maps: with `weights`; all: with `allLogits` (T, words)
   * @returns {Promise<Run & {allLogits?: Float32Array}>}
   */
  run(ids, options) {
    return this.#ask("run", [ids, options]).result;
  }

  /**
   * Write on, token by token, until the end of the text or `maxNew` tokens.
   * @param {number[]} ids
   * @param {Writing} [options]
   * @returns {AsyncGenerator<Step>}
   */
  async *write(ids, options) {
    /** @type {Step[]} */
    const steps = [];
    let wake = () => {}, isOver = false;
    const { job, result } = this.#ask("write", [ids, options], (step) => (steps.push(step), wake()));
    const end = () => ((isOver = true), wake());
    result.then(end, end);
    try {
      while (steps.length || !isOver) {
        const step = steps.shift();
        if (step) yield step;
        else await new Promise((/** @type {(nothing: void) => void} */ go) => (wake = go));
      }
      await result;
    } finally {
      this.#end(job); // whoever asks for no more steps needs none
    }
  }

  /**
   * Write without as many other heads, drawn by chance, once for each draw.
   * @param {number[]} ids
   * @param {Writing & {draws?: number, watch?: number[]}} options the heads that are never drawn, and how many a draw has: `headsOff`; tokens to `watch`
   * @param {(draw: Draw) => void} [onDraw]
   * @returns {Promise<Draw[]>}
   */
  control(ids, options, onDraw) {
    return this.#ask("control", [ids, options], onDraw).result;
  }

  /** End what `write` and `control` are doing: they throw `Cancelled`. */
  cancel() {
    for (const [job, { name }] of this.jobs) if (name === "write" || name === "control") this.#end(job);
  }

  /** End the worker and free its memory. */
  close() {
    this.worker.terminate();
    for (const job of this.jobs.keys()) this.#answered({ job, error: "the engine was closed", cancelled: true });
  }

  #loaded() {
    if (!this.tokenizer) throw new Error("load the model first");
    return this.tokenizer;
  }

  /**
   * @param {import("./worker.js").Question["name"] & string} name
   * @param {any[]} args
   * @param {(step: any) => void} [onStep]
   * @returns {{job: number, result: Promise<any>}}
   */
  #ask(name, args, onStep = () => {}) {
    const job = this.asked++;
    const result = new Promise((resolve, reject) => this.jobs.set(job, { name, onStep, resolve, reject }));
    this.worker.postMessage({ job, name, args });
    return { job, result };
  }

  /** @param {number} job */
  #end(job) {
    if (this.jobs.has(job)) this.worker.postMessage({ job });
  }

  /** @param {import("./worker.js").Answer} answer */
  #answered({ job, step, result, error, cancelled }) {
    const asked = this.jobs.get(job);
    if (step) return asked?.onStep(step);
    this.jobs.delete(job);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(cancelled ? new Cancelled("cancelled") : new Error(error));
  }
}
