// The worker's side of the engine: it holds the model, and takes one job after the other.
import { Gpu } from "./gpu.js";
import { Model } from "./model.js";
import { fetchModel } from "./parts.js";
import { Tokenizer } from "./tokenizer.js";
import { distance, otherHeads, softmax, write } from "./writing.js";

/** @typedef {import("./engine.js").Head} Head */
/** @typedef {import("./engine.js").Change} Change */
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

const ROWS = 32; // that effects are computed of in one go: enough to be quick, and few enough that a click does not wait

/** Who waits for whom: a job waits while there is one of a kind that stands before its own. */
const ORDER = ["control", "effects"];

/** Let messages come in; then end if this job was cancelled. What nobody is waiting for waits for all the rest. */
async function pause(/** @type {number} */ job) {
  const rank = ORDER.indexOf(jobs.get(job)?.name ?? "");
  do {
    await new Promise((go) => setTimeout(go));
    if (jobs.get(job)?.ended) throw new Ended();
  } while ([...jobs.values()].some(({ name }) => ORDER.indexOf(name) < rank));
}

/** @param {string} url */
async function compiled(url) {
  const code = await (await fetch(url)).arrayBuffer();
  return WebAssembly.compile(code).catch(() => {
    throw new Error("this browser cannot run the model: it needs WebAssembly with SIMD, as browsers have had it since 2023");
  });
}

/** @type {(ids: number[]) => void} */
function checkTokens(ids) {
  if (!model) throw new Error("load the model first");
  if (!ids.length || ids.length > model.mostTokens) throw new Error(`there must be 1 to ${model.mostTokens} tokens, got ${ids.length}`);
  const wrong = ids.find((id) => !(id in model.vocabulary.tokens));
  if (wrong !== undefined) throw new Error(`there is no token ${wrong}`);
}

/**
 * What there is to compute: checked, and with what the heads say on the other text, if they take that.
 * @param {number[]} ids
 * @param {Change[]} [changes]
 * @param {number[]} [otherIds]
 */
async function prepared(ids, changes = [], otherIds) {
  checkTokens(ids);
  for (const [layer, head] of changes) {
    const isThere = layer >= 0 && layer < model.layers && head >= 0 && head < model.heads;
    if (!isThere) throw new Error(`there is no head ${head} in layer ${layer}`);
  }
  if (!otherIds) return null;
  checkTokens(otherIds);
  if (otherIds.length !== ids.length) throw new Error(`both texts must have as many tokens, got ${ids.length} and ${otherIds.length}`);
  return model.listen(otherIds);
}

/** @type {Record<"load" | "run" | "write" | "control" | "effects", (job: number, tell: Tell, ...args: any[]) => Promise<any>>} */
const JOBS = {
  async load(_, tell, /** @type {string} */ baseUrl, evenSoftware = false) {
    const kernel = await compiled(`${baseUrl}kernel.wasm`); // before much is fetched
    model = new Model(await fetchModel(baseUrl, tell), kernel);
    tokenizer = new Tokenizer(model.vocabulary);
    const noGpu = await Gpu.join(model, evenSoftware);
    const { layers, heads, words, mostTokens: maxTokens, vocabulary } = model;
    return { vocabulary, facts: { layers, heads, words, maxTokens, bytes: model.memory.buffer.byteLength, noGpu } };
  },

  async run(_, tell, /** @type {number[]} */ ids, { changes = [], otherIds = undefined, maps = false, all = false } = {}) {
    const source = await prepared(ids, changes, otherIds);
    const start = performance.now(), from = model.forward(ids, changes, source), last = ids.length - 1;
    const allLogits = all ? await model.logits(0, ids.length) : undefined;
    const logits = allLogits?.slice(last * model.words) ?? (await model.logits(last, ids.length));
    const weights = maps ? await model.maps(ids.length) : undefined;
    return { logits, allLogits, weights, from, milliseconds: performance.now() - start };
  },

  async write(job, tell, /** @type {number[]} */ ids, /** @type {import("./engine.js").Writing} */ options = {}) {
    const source = await prepared(ids, options.changes, options.otherIds);
    for await (const step of write(model, tokenizer, ids, options, source)) {
      tell(step);
      await pause(job);
    }
  },

  async control(job, tell, /** @type {number[]} */ ids, { changes = [], otherIds, draws = 20, seed = 0, watch = [], ...writing }) {
    const gain = changes[0]?.[2] ?? 0;
    const written = async (/** @type {Change[]} */ drawn, /** @type {number[]} */ draft) => {
      const source = await prepared(ids, changes, otherIds), found = [];
      for await (const { id } of write(model, tokenizer, ids, { ...writing, seed, changes: drawn, draft }, source)) {
        found.push(id);
        await pause(job);
      }
      return found;
    };
    const whole = await written([], []), found = [], drawn = otherHeads(changes, model.layers, model.heads, draws, seed);
    for (const [index, heads] of drawn.entries()) {
      /** @type {Change[]} */
      const others = heads.map(([layer, head]) => [layer, head, gain]);
      model.forward(ids, others, await prepared(ids, others, otherIds));
      const p = softmax(await model.logits(ids.length - 1, ids.length), writing.temperature || 1), wrote = await written(others, whole);
      found.push({ index, of: drawn.length, heads, ids: wrote, text: tokenizer.decode(wrote), changed: String(wrote) !== String(whole),
        chances: watch.map((/** @type {number} */ id) => p[id]) });
      tell(found.at(-1));
    }
    return found;
  },

  /** How far the next token's probabilities move when each head alone is off; those that promise most first. */
  async effects(job, tell, /** @type {number[]} */ ids, { heads = [] } = {}) {
    await prepared(ids, heads);
    model.forward(ids);
    const whole = softmax(await model.logits(ids.length - 1, ids.length));
    /** @type {(heads: Head[], start: number) => Promise<number[]>} */
    const moved = async (some, start) => {
      if (!model.gpu) {
        const logits = model.logitsWithoutEach(ids, some, start);
        return some.map((_, i) => distance(whole, softmax(logits.subarray(i * model.words, (i + 1) * model.words))));
      }
      const found = [];
      for (const head of some) {
        model.forward(ids, [head]);
        found.push(distance(whole, softmax(await model.logits(ids.length - 1, ids.length))));
      }
      return found;
    };
    // A first look: each head is off at the last token only, which is one row instead of all.
    /** @type {Map<Head, number>} */
    const promise = new Map();
    for (const some of model.gpu ? [] : portions(heads, ROWS)) {
      (await moved(some, ids.length - 1)).forEach((far, i) => promise.set(some[i], far));
      await pause(job);
    }
    const order = [...heads].sort((a, b) => (promise.get(b) ?? b[0]) - (promise.get(a) ?? a[0]));
    for (const some of portions(order, Math.max(1, Math.floor(ROWS / ids.length)))) {
      (await moved(some, 0)).forEach((effect, i) => tell({ head: some[i], effect }));
      await pause(job);
    }
  },
};

/** @template T @param {T[]} all @param {number} size @returns {T[][]} */
const portions = (all, size) => Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

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
