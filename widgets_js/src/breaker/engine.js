// SmolLM2 in the reader's browser: the page's side of it. A worker holds the model and computes.
import { Tokenizer } from "./tokenizer.js";

/** @typedef {[number, number]} Head layer and head */
/** @typedef {[number, number, number?]} Change layer, head, and how many times it speaks; 0, or nothing, is off */
/** @typedef {{head: Head, effect: number}} Effect how far the next token's probabilities move without this head: half the sum of all differences */
/** @typedef {{id: number, text: string, p: number}} Probable a token, and its probability */
/** @typedef {{id: number, text: string, probabilities: Probable[]}} Step the token that was written, and the five most probable at its place */
/** @typedef {{changes?: Change[], otherIds?: number[], maxNew?: number, temperature?: number, seed?: number, draft?: number[]}} Writing otherIds: another text of as many tokens, whose outputs the changed heads take; temperature 0 takes the most probable token; `draft` is what was written before: a guess that saves time where it is still right, and changes nothing */
/** @typedef {{logits: Float32Array, weights?: Float32Array, from: number, milliseconds: number}} Run logits after the last token, (words); weights (layers, heads, T, T); the first layer that was computed anew */
/** @typedef {{index: number, of: number, heads: Head[], ids: number[], text: string, changed: boolean, chances: number[]}} Draw one draw of the control: how many there are, its heads, what the model wrote without them, whether that is another text than with all heads, and the probabilities of the watched tokens after the text */
/** @typedef {{layers: number, heads: number, words: number, maxTokens: number, bytes: number, noGpu: string}} Facts bytes: of the memory that the model takes; noGpu: why it does not compute on a graphics processor, or nothing */
/** @typedef {(progress: {loaded: number, total: number}) => void} OnProgress */

/** Thrown by what `cancel` ended. */
export class Cancelled extends Error {}

/** One model in one worker. Calls may overlap: the worker takes them in turn; a control waits for what is written, and effects for all others. */
export class Engine {
  /** @param {string} baseUrl the folder of worker.js, kernel.wasm, manifest.json and the parts, ending in "/" */
  constructor(baseUrl) {
    this.baseUrl = new URL(baseUrl, document.baseURI).href;
    this.worker = new Worker(`${this.baseUrl}worker.js`);
    /** @type {Tokenizer | undefined} */
    this.tokenizer = undefined;
    this.maxTokens = 0;
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
    this.maxTokens = facts.maxTokens;
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

  /** One token's text, also of a special one. @param {number} id */
  token(id) {
    const { tokens, special } = this.#loaded();
    return special.has(tokens[id]) ? tokens[id] : this.decode([id]);
  }

  /**
   * @param {number[]} ids 1 to maxTokens of them
   * @param {{changes?: Change[], otherIds?: number[], maps?: boolean, all?: boolean}} [options] maps: with `weights`; all: with `allLogits` (T, words)
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
   * Write with as many other heads changed instead, drawn by chance, once for each draw.
   * @param {number[]} ids
   * @param {Writing & {draws?: number, watch?: number[]}} options the heads that are never drawn, how many a draw has, and how many times these speak: `changes`, where all say it as loud; tokens to `watch`
   * @param {(draw: Draw) => void} [onDraw]
   * @returns {Promise<Draw[]>}
   */
  control(ids, options, onDraw) {
    return this.#ask("control", [ids, options], onDraw).result;
  }

  /**
   * How far the next token's probabilities move without each of these heads alone; those that promise most come first.
   * @param {number[]} ids
   * @param {{heads: Head[]}} options
   * @param {(effect: Effect) => void} onEffect
   * @returns {Promise<void>}
   */
  effects(ids, options, onEffect) {
    return this.#ask("effects", [ids, options], onEffect).result;
  }

  /** End what `write`, `control` and, if that is wanted, `effects` are doing: they throw `Cancelled`. */
  cancel({ effects = true } = {}) {
    for (const [job, { name }] of this.jobs) if (name === "write" || name === "control" || (effects && name === "effects")) this.#end(job);
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
