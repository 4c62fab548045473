// The worker's side of the engine: it holds the model, and takes one job after the other.
import { Gpu } from "./gpu.js";
import { Model } from "./model.js";
import { fetchModel } from "./parts.js";
import { Tokenizer } from "./tokenizer.js";
import { otherHeads, softmax, write } from "./writing.js";

/** @typedef {import("./engine.js").Head} Head */
/** @typedef {{job: number, name?: keyof typeof JOBS, args?: any[]}} Question without a name: end this job */
/** @typedef {{job: number, step?: any, result?: any, error?: string, cancelled?: boolean}} Answer */
/** @typedef {(step: any) => void} Tell */

/** @type {Model} */
let model;
/** @type {Tokenizer} */
let tokenizer;
/** @type {Map<number, {name: string, ended: boolean}>} */
const jobs = new Map();

class Ended extends Error {}

/** Let messages come in; then end if this job was cancelled. A control also waits until it is alone. */
async function pause(/** @type {number} */ job) {
  do {
    await new Promise((go) => setTimeout(go));
    if (jobs.get(job)?.ended) throw new Ended();
  } while (jobs.get(job)?.name === "control" && [...jobs.values()].some(({ name }) => name !== "control"));
}

/** @param {string} url */
async function compiled(url) {
  const code = await (await fetch(url)).arrayBuffer();
  return WebAssembly.compile(code).catch(() => {
    throw new Error("this browser cannot run the model: it needs WebAssembly with SIMD, as browsers have had it since 2023");
  });
}

/** @type {(ids: number[], headsOff?: Head[]) => void} */
function check(ids, headsOff = []) {
  if (!model) throw new Error("load the model first");
  if (!ids.length || ids.length > model.mostTokens) throw new Error(`there must be 1 to ${model.mostTokens} tokens, got ${ids.length}`);
  const wrong = ids.find((id) => !(id in model.vocabulary.tokens));
  if (wrong !== undefined) throw new Error(`there is no token ${wrong}`);
  for (const [layer, head] of headsOff) {
    const isThere = layer >= 0 && layer < model.layers && head >= 0 && head < model.heads;
    if (!isThere) throw new Error(`there is no head ${head} in layer ${layer}`);
  }
}

/** @type {Record<"load" | "run" | "write" | "control", (job: number, tell: Tell, ...args: any[]) => Promise<any>>} */
const JOBS = {
  async load(_, tell, /** @type {string} */ baseUrl, evenSoftware = false) {
    const kernel = await compiled(`${baseUrl}kernel.wasm`); // before much is fetched
    model = new Model(await fetchModel(baseUrl, tell), kernel);
    tokenizer = new Tokenizer(model.vocabulary);
    const noGpu = await Gpu.join(model, evenSoftware);
    const { layers, heads, words, mostTokens: maxTokens, vocabulary } = model;
    return { vocabulary, facts: { layers, heads, words, maxTokens, bytes: model.memory.buffer.byteLength, noGpu } };
  },

  async run(_, tell, /** @type {number[]} */ ids, { headsOff = [], maps = false, all = false } = {}) {
    check(ids, headsOff);
    const start = performance.now(), from = model.forward(ids, headsOff), last = ids.length - 1;
    const allLogits = all ? await model.logits(0, ids.length) : undefined;
    const logits = allLogits?.slice(last * model.words) ?? (await model.logits(last, ids.length));
    const weights = maps ? await model.maps(ids.length) : undefined;
    return { logits, allLogits, weights, from, milliseconds: performance.now() - start };
  },

  async write(job, tell, /** @type {number[]} */ ids, /** @type {import("./engine.js").Writing} */ options = {}) {
    check(ids, options.headsOff);
    for await (const step of write(model, tokenizer, ids, options)) {
      tell(step);
      await pause(job);
    }
  },

  async control(job, tell, /** @type {number[]} */ ids, { headsOff = [], draws = 20, seed = 0, watch = [], ...writing }) {
    check(ids, headsOff);
    const written = async (/** @type {Head[]} */ off, /** @type {number[]} */ draft) => {
      const found = [];
      for await (const { id } of write(model, tokenizer, ids, { ...writing, seed, headsOff: off, draft })) {
        found.push(id);
        await pause(job);
      }
      return found;
    };
    const whole = await written([], []), found = [], drawn = otherHeads(headsOff, model.layers, model.heads, draws, seed);
    for (const [index, heads] of drawn.entries()) {
      model.forward(ids, heads);
      const p = softmax(await model.logits(ids.length - 1, ids.length)), wrote = await written(heads, whole);
      found.push({ index, of: drawn.length, heads, ids: wrote, text: tokenizer.decode(wrote), changed: String(wrote) !== String(whole),
        chances: watch.map((/** @type {number} */ id) => p[id]) });
      tell(found.at(-1));
    }
    return found;
  },
};

onmessage = async (/** @type {MessageEvent<Question>} */ { data: { job, name, args = [] } }) => {
  const answer = (/** @type {Omit<Answer, "job">} */ more) => postMessage({ job, ...more });
  if (!name) {
    const ended = jobs.get(job);
    if (ended) ended.ended = true;
    return;
  }
  jobs.set(job, { name, ended: false });
  try {
    answer({ result: await JOBS[name](job, (step) => answer({ step }), ...args) });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error), cancelled: error instanceof Ended });
  }
  jobs.delete(job);
};
