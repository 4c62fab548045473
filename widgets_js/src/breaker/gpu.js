// The steps of model.js on a graphics processor, on the same bytes; only logits and maps come back.
import { Q4_1 } from "./gguf.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {Partial<Record<typeof FIELDS[number], number>>} Params offsets in numbers, but `at` in bytes of the file */

const FIELDS = /** @type {const} */ (["at", "bits", "blocks", "rows", "x", "y", "base", "start", "keys", "values", "weights", "gain"]);
const NONE = 2 ** 32 - 1; // as `base`: nothing is added
const SLOT = 256; // bytes between the parameters of two steps
const LANES = 64;

const shader = (/** @type {Model} */ { width, heads, kvHeads, headDim, mostTokens, eps }, /** @type {number} a table of cosines and sines */ turns) => `
struct P { ${FIELDS.map((name) => `${name}: u32`).join(", ")} }
@group(0) @binding(0) var<storage, read> file: array<u32>;
@group(0) @binding(1) var<storage, read_write> s: array<f32>;
@group(0) @binding(2) var<uniform> p: P;
var<workgroup> score: array<f32, ${mostTokens}>;

fn four(at: u32) -> vec4f { return vec4f(s[at], s[at + 1u], s[at + 2u], s[at + 3u]); }

// A row of weights times an input; a lane is a row.
@compute @workgroup_size(${LANES})
fn linear(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= p.rows) { return; }
  var sum = 0.0;
  for (var block = 0u; block < p.blocks; block++) {
    let x = p.x + (id.y * p.blocks + block) * 32u;
    var products = vec4f();
    var all = vec4f();
    if (p.bits == 4u) { // w = d * q + m
      let at = p.at / 4u + (row * p.blocks + block) * 5u;
      for (var i = 0u; i < 4u; i++) {
        let quants = (vec4u(file[at + 1u + i]) >> vec4u(0u, 8u, 16u, 24u));
        let first = four(x + 4u * i);
        let second = four(x + 4u * i + 16u);
        products += vec4f(quants & vec4u(15u)) * first + vec4f((quants >> vec4u(4u)) & vec4u(15u)) * second;
        all += first + second;
      }
      let factors = unpack2x16float(file[at]);
      sum += factors.x * dot(products, vec4f(1.0)) + factors.y * dot(all, vec4f(1.0));
    } else { // w = d * q; a block begins at half a word
      let at = p.at + (row * p.blocks + block) * 34u;
      let shift = 8u * (at % 4u);
      for (var i = 0u; i < 8u; i++) {
        let place = (at + 2u) / 4u + i;
        let word = select(file[place], (file[place] >> 16u) | (file[place + 1u] << 16u), shift == 0u);
        products += vec4f(vec4i(vec4u(word) << vec4u(24u, 16u, 8u, 0u)) >> vec4u(24u)) * four(x + 4u * i);
      }
      sum += unpack2x16float(file[at / 4u] >> shift).x * dot(products, vec4f(1.0));
    }
  }
  let place = id.y * p.rows + row;
  if (p.base == ${NONE}u) { s[p.y + place] = sum; } else { s[p.y + place] = s[p.base + place] + sum; }
}

@compute @workgroup_size(${LANES})
fn norm(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) lane: u32) {
  let from_ = w.x * ${width}u;
  var sum = 0.0;
  for (var i = 0u; i < ${width}u; i++) { sum += s[p.x + from_ + i] * s[p.x + from_ + i]; }
  let size = sqrt(sum / ${width}.0 + ${eps});
  for (var i = lane; i < ${width}u; i += ${LANES}u) { s[p.y + from_ + i] = s[p.x + from_ + i] / size * bitcast<f32>(file[p.at / 4u + i]); }
}

// Rotary positions: rows numbers a position, in pairs.
@compute @workgroup_size(${LANES})
fn rotate(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var i = lane; i < p.rows / 2u; i += ${LANES}u) {
    let angle = ${turns}u + ((p.start + w.x) * ${headDim / 2}u + i % ${headDim / 2}u) * 2u;
    let at = p.x + w.x * p.rows + 2u * i;
    let pair = vec2f(s[at], s[at + 1u]);
    s[at] = pair.x * s[angle] - pair.y * s[angle + 1u];
    s[at + 1u] = pair.x * s[angle + 1u] + pair.y * s[angle];
  }
}

// One head, one query; a lane is a feature of the head.
@compute @workgroup_size(${headDim})
fn attend(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) lane: u32) {
  let position = p.start + w.y;
  let query = p.x + w.y * ${width}u + w.x * ${headDim}u;
  let shared_ = w.x * ${kvHeads}u / ${heads}u * ${headDim}u;
  for (var key = lane; key <= position; key += ${headDim}u) {
    var dot = 0.0;
    for (var i = 0u; i < ${headDim}u; i++) { dot += s[query + i] * s[p.keys + key * ${kvHeads * headDim}u + shared_ + i]; }
    score[key] = dot / ${Math.sqrt(headDim).toFixed(9)};
  }
  workgroupBarrier();
  var largest = score[0];
  var sum = 0.0;
  var mixed = 0.0;
  for (var key = 1u; key <= position; key++) { largest = max(largest, score[key]); }
  for (var key = 0u; key <= position; key++) {
    let power = exp(score[key] - largest);
    sum += power;
    mixed += power * s[p.values + key * ${kvHeads * headDim}u + shared_ + lane];
  }
  for (var key = lane; key <= position; key += ${headDim}u) {
    s[p.weights + (w.x * ${mostTokens}u + position) * ${mostTokens}u + key] = exp(score[key] - largest) / sum;
  }
  s[p.y + w.y * ${width}u + w.x * ${headDim}u + lane] = mixed / sum;
}

// A head speaks gain times as loud, or says what it says elsewhere.
@compute @workgroup_size(${headDim})
fn change(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) lane: u32) {
  let at = w.x * ${width}u + lane;
  s[p.y + at] = bitcast<f32>(p.gain) * s[p.x + at];
}

@compute @workgroup_size(${LANES})
fn gate(@builtin(global_invocation_id) id: vec3u) {
  let x = s[p.x + id.x];
  s[p.x + id.x] = x / (1.0 + exp(-x)) * s[p.y + id.x];
}`;

/** A number of 32 bits as an integer of the same bits. @param {number} number */
const bitsOf = (number) => new Uint32Array(Float32Array.of(number).buffer)[0];

/** Milliseconds for one token. @param {Model} model */
async function timed(model) {
  const start = performance.now();
  model.moveTo(model.gpu);
  model.forward([1]);
  await model.logits(0, 1);
  return performance.now() - start;
}

export class Gpu {
  /**
   * Let a model compute on a graphics processor that is faster. Returns why it does not, or nothing.
   * @param {Model} model @param {boolean} evenSoftware take one that is none and slow, for tests
   */
  static async join(model, evenSoftware) {
    const gpu = /** @type {any} */ (navigator).gpu;
    if (!gpu) return "this browser has no WebGPU";
    const adapter = await gpu.requestAdapter();
    if (!adapter) return "this device offers no graphics processor to WebGPU";
    if (adapter.info?.isFallbackAdapter && !evenSoftware) return "this device has WebGPU in software only";
    try {
      const device = await adapter.requestDevice(), here = await timed(model);
      model.moveTo(new Gpu(device, model));
      device.lost.then(() => model.moveTo(undefined));
      await timed(model); // the first time, the steps are compiled
      if (evenSoftware || (await timed(model)) < here) return "";
      device.destroy();
      return "its graphics processor is slower";
    } catch (error) {
      model.moveTo(undefined);
      return `WebGPU could not be started: ${error instanceof Error ? error.message : error}`;
    }
  }

  constructor(/** @type {any} */ device, /** @type {Model} */ model) {
    const { layers, width, heads, kvHeads, headDim, mostTokens, words, widest, memory, fileBytes } = model;
    this.device = device;
    this.model = model;
    let taken = 0;
    const take = (/** @type {number} */ numbers) => (taken += numbers) - numbers;
    const kv = mostTokens * kvHeads * headDim, of = (/** @type {number} */ size, layers_ = layers) => Array.from({ length: layers_ }, () => take(size));
    this.stream = of(mostTokens * width, layers + 1);
    this.keys = of(kv);
    this.values = of(kv);
    this.weights = of(heads * mostTokens ** 2);
    this.outputs = of(mostTokens * width); // of the heads, joined
    this.elsewhere = of(mostTokens * width); // the same of another text
    /** @type {import("./model.js").Source | null} */
    this.source = null;
    /** @type {import("./model.js").Source | null} the last one that was put there */
    this.written = null;
    const [x, query] = of(mostTokens * width, 2), [hidden, up] = of(mostTokens * widest, 2);
    this.at = { x, query, hidden, up, found: take(model.atOnce * words) };
    const turns = take(mostTokens * headDim);
    const [READ, WRITE, UNIFORM, STORAGE] = [4, 8, 64, 128]; // of GPUBufferUsage
    const buffer = (/** @type {number} */ size, /** @type {number} */ usage) => device.createBuffer({ size, usage });
    this.file = buffer(Math.ceil(fileBytes / 4) * 4, STORAGE | WRITE);
    this.state = buffer(4 * taken, STORAGE | READ | WRITE);
    this.params = buffer(SLOT * (16 + heads) * layers, UNIFORM | WRITE);
    device.queue.writeBuffer(this.file, 0, memory.buffer, 0, Math.ceil(fileBytes / 4) * 4);
    const table = new Float32Array(mostTokens * headDim);
    for (let i = 0; i < table.length; i += 2) {
      const position = Math.floor(i / headDim), angle = position / model.rotary.base ** ((i % headDim) / headDim);
      [table[i], table[i + 1]] = [Math.cos(angle), Math.sin(angle)];
    }
    this.put(turns, table);
    const types = ["read-only-storage", "storage", "uniform"];
    const layout = device.createBindGroupLayout({ entries: types.map((type, binding) => ({ binding, visibility: 4, buffer: { type, hasDynamicOffset: binding === 2 } })) });
    this.group = device.createBindGroup({ layout, entries: [this.file, this.state, this.params].map((buffer, binding) =>
      ({ binding, resource: binding < 2 ? { buffer } : { buffer, size: 4 * FIELDS.length } })) });
    const module = device.createShaderModule({ code: shader(model, turns) });
    /** @type {Record<string, any>} */
    this.kernels = Object.fromEntries(["linear", "norm", "rotate", "attend", "change", "gate"].map((entryPoint) =>
      [entryPoint, device.createComputePipeline({ layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }), compute: { module, entryPoint } })]));
    /** @type {{kernel: string, params: Params, size: [number, number?]}[]} */
    this.steps = [];
  }

  put = (/** @type {number} */ at, /** @type {Float32Array} */ numbers) => this.device.queue.writeBuffer(this.state, 4 * at, numbers);

  /** From now on, changed heads take what they say there. @param {import("./model.js").Source | null} source */
  take(source) {
    this.source = source;
    if (!source || source === this.written) return;
    source.outputs.forEach((outputs, layer) => this.put(this.elsewhere[layer], outputs));
    this.written = source;
  }

  #step = (/** @type {string} */ kernel, /** @type {Params} */ params, /** @type {[number, number?]} */ ...size) => this.steps.push({ kernel, params, size });

  #linear(/** @type {string} */ name, /** @type {number} */ positions, /** @type {number} */ x, /** @type {number} */ y, base = NONE) {
    const { shape: [rows, ins], type, at } = this.model.tensors[name];
    this.#step("linear", { at, bits: type === Q4_1 ? 4 : 8, blocks: ins / 32, rows, x, y, base }, Math.ceil(rows / LANES), positions);
  }

  /** One block, on the positions from start to end. @param {number} layer @param {number} start @param {number} end @param {import("./model.js").Gains} gains */
  block(layer, start, end, gains) {
    const { width, heads, kvHeads, headDim, widest, tensors } = this.model, n = end - start, kv = kvHeads * headDim;
    const name = (/** @type {string} */ part) => `blk.${layer}.${part}.weight`;
    const from = this.stream[layer] + start * width, to = this.stream[layer + 1] + start * width;
    const keys = this.keys[layer], values = this.values[layer], { x, query, hidden, up } = this.at;
    this.#step("norm", { at: tensors[name("attn_norm")].at, x: from, y: x }, n);
    this.#linear(name("attn_q"), n, x, query);
    this.#linear(name("attn_k"), n, x, keys + start * kv);
    this.#linear(name("attn_v"), n, x, values + start * kv);
    this.#step("rotate", { x: query, rows: width, start }, n);
    this.#step("rotate", { x: keys + start * kv, rows: kv, start }, n);
    const said = this.outputs[layer] + start * width, instead = this.source ? this.elsewhere[layer] + start * width : said;
    this.#step("attend", { x: query, y: said, keys, values, weights: this.weights[layer], start }, heads, n);
    const reach = this.source ? Math.min(end, this.source.length) - start : n;
    for (const [head, gain] of gains) if (reach > 0) this.#step("change", { x: instead + head * headDim, y: said + head * headDim, gain: bitsOf(gain) }, reach);
    this.#linear(name("attn_output"), n, said, to, from);
    this.#step("norm", { at: tensors[name("ffn_norm")].at, x: to, y: x }, n);
    this.#linear(name("ffn_gate"), n, x, hidden);
    this.#linear(name("ffn_up"), n, x, up);
    this.#step("gate", { x: hidden, y: up }, n * widest / LANES);
    this.#linear(name("ffn_down"), n, hidden, to, to);
  }

  /** The logits after n tokens from start on. @param {number} start @param {number} n */
  logits(start, n) {
    const { layers, width, words, tensors } = this.model, { x, found } = this.at;
    this.#step("norm", { at: tensors["output_norm.weight"].at, x: this.stream[layers] + start * width, y: x }, n);
    this.#linear("token_embd.weight", n, x, found);
    return this.read(found, n * words);
  }

  /** Do the steps that wait. */
  run() {
    const { device, steps } = this, numbers = new Uint32Array(SLOT / 4 * steps.length);
    steps.forEach(({ params }, i) => FIELDS.forEach((name, k) => (numbers[SLOT / 4 * i + k] = params[name] ?? 0)));
    device.queue.writeBuffer(this.params, 0, numbers);
    const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
    steps.forEach(({ kernel, size }, i) => {
      pass.setPipeline(this.kernels[kernel]);
      pass.setBindGroup(0, this.group, [SLOT * i]);
      pass.dispatchWorkgroups(...size);
    });
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.steps = [];
  }

  /** Numbers of the state, once all steps are done. @param {number} at @param {number} count @returns {Promise<Float32Array>} */
  async read(at, count) {
    this.run();
    const size = 4 * count, out = this.device.createBuffer({ size, usage: 1 | 8 }); // MAP_READ, COPY_DST
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.state, 4 * at, out, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await out.mapAsync(1);
    const numbers = new Float32Array(out.getMappedRange()).slice();
    out.destroy();
    return numbers;
  }
}
