// SmolLM2 on the bytes of its GGUF file: what DecoderLM computes, and no more of it anew than has changed.
import { ACTIVATIONS } from "../decoder/activation.js";
import { normalise } from "../decoder/norm.js";
import { turn } from "../decoder/positions.js";
import { half } from "../decoder/tensors.js";
import { F32, Q4_1, readGguf } from "./gguf.js";

/** @typedef {import("./engine.js").Head} Head */
/** @typedef {{round: (x: number, blocks: number, integers: number, scales: number, sums: number) => void, linear: (weights: number, bits: number, rows: number, blocks: number, integers: number, scales: number, sums: number, positions: number, y: number, row: number, factors: number) => void}} Kernel kernel/linear.ts */

const MOST_TOKENS = 128;
const BLOCK = 32; // numbers that are rounded together
const AT_ONCE = 16; // positions whose logits are computed in one go
const WORK_BYTES = 5_000_000; // beside the file
const PAGE = 2 ** 16;
const CONTROL = 3; // the type of tokens that stand for no text

/** The memory of a model: first its file, which the caller writes there, then room to compute. */
export class Room {
  /** @param {number} fileBytes */
  constructor(fileBytes) {
    const bytes = fileBytes + WORK_BYTES;
    try {
      this.memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    } catch {
      throw new Error(`this device has no ${Math.ceil(bytes / 1e6)} MB of memory to spare for the model; closing other pages may help`);
    }
    this.file = new Uint8Array(this.memory.buffer, 0, fileBytes);
    this.fileBytes = fileBytes;
    this.taken = Math.ceil(fileBytes / 16) * 16;
  }

  /**
   * Room for numbers of 4 bytes each; returns the first byte.
   * @param {number} numbers
   */
  take(numbers) {
    const start = this.taken;
    this.taken += Math.ceil(numbers / 4) * 16;
    if (this.taken > this.memory.buffer.byteLength) throw new Error("the model needs more room to compute than WORK_BYTES");
    return start;
  }
}

export class Model {
  /**
   * @param {Room} room whose file is complete
   * @param {WebAssembly.Module} module of kernel/linear.ts
   */
  constructor(room, module) {
    const { settings, tensors } = readGguf(room.file);
    const of = (/** @type {string} */ name) => settings[`llama.${name}`];
    this.layers = of("block_count");
    this.heads = of("attention.head_count");
    this.kvHeads = of("attention.head_count_kv");
    this.width = of("embedding_length");
    this.headDim = this.width / this.heads;
    this.words = of("vocab_size");
    this.eps = of("attention.layer_norm_rms_epsilon");
    this.rotary = { base: of("rope.freq_base"), pairing: /** @type {const} */ ("interleaved") };
    const { tokens, merges, token_type: types } = Object.fromEntries(
      ["tokens", "merges", "token_type"].map((name) => [name, settings[`tokenizer.ggml.${name}`]]));
    /** @type {import("./tokenizer.js").Vocabulary} */
    this.vocabulary = { tokens, merges, special: tokens.filter((/** @type {string} */ _, /** @type {number} */ i) => types[i] === CONTROL) };
    this.ends = [settings["tokenizer.ggml.eos_token_id"], tokens.indexOf("<|endoftext|>")];

    const widest = (this.widest = of("feed_forward_length")), most = MOST_TOKENS * widest, blocks = most / BLOCK;
    this.atOnce = AT_ONCE;
    this.fileBytes = room.fileBytes;
    /** @type {import("./gpu.js").Gpu | undefined} where the model computes, if that is not here */
    this.gpu = undefined;
    const of16 = (/** @type {number} */ numbers) => room.take(numbers / 2);
    this.at = {
      x: room.take(most), integers: of16(most), scales: room.take(blocks), sums: room.take(blocks),
      y: room.take(Math.max(most, AT_ONCE * this.words)), row: of16(widest), factors: room.take(widest / BLOCK * 2),
    };
    this.mostTokens = MOST_TOKENS;
    this.memory = room.memory;
    this.kernel = /** @type {Kernel} */ (/** @type {unknown} */ (new WebAssembly.Instance(module, { env: { memory: room.memory } }).exports));
    this.tensors = tensors;

    const make = (/** @type {number} */ size, layers = this.layers) => Array.from({ length: layers }, () => new Float32Array(size));
    // Of the last tokens: what enters each layer, and leaves the last; keys, values, weights.
    this.stream = make(MOST_TOKENS * this.width, this.layers + 1);
    this.keys = make(MOST_TOKENS * this.kvHeads * this.headDim);
    this.values = make(MOST_TOKENS * this.kvHeads * this.headDim);
    this.weights = make(this.heads * MOST_TOKENS ** 2);
    this.entered = 0; // how many numbers stand in `at.x`
    /** @type {number[]} the tokens that all this is of */
    this.ids = [];
    /** @type {Set<number>[]} the heads of each layer that were off */
    this.off = [];
  }

  /**
   * Compute what is not known yet: new tokens in each layer, and all tokens from the first layer on
   * whose heads are switched otherwise than last time.
   * @param {number[]} ids
   * @param {Head[]} headsOff
   * @returns {number} that layer, or the number of layers
   */
  forward(ids, headsOff = []) {
    const off = Array.from({ length: this.layers }, () => /** @type {Set<number>} */ (new Set()));
    for (const [layer, head] of headsOff) off[layer].add(head);
    const changed = off.findIndex((heads, i) => !this.off[i] || heads.size !== this.off[i].size || [...heads].some((one) => !this.off[i].has(one)));
    const first = changed < 0 ? this.layers : changed;
    const differs = ids.findIndex((id, i) => id !== this.ids[i]), known = differs < 0 ? ids.length : differs;
    if (known === ids.length && first === this.layers) return first; // also where more tokens are known
    this.ids = [];
    this.#embed(ids, known);
    this.gpu?.put(this.gpu.stream[0] + known * this.width, this.stream[0].subarray(known * this.width, ids.length * this.width));
    for (let layer = 0; layer < this.layers; layer++) {
      const start = layer < first ? known : 0;
      if (start === ids.length) continue;
      if (this.gpu) this.gpu.block(layer, start, ids.length, off[layer]);
      else this.#block(layer, start, ids.length, off[layer]);
    }
    this.gpu?.run();
    this.ids = [...ids];
    this.off = off;
    return first;
  }

  /**
   * The logits after some of the last tokens.
   * @param {number} start
   * @param {number} end
   * @returns {Promise<Float32Array>} (end - start, words)
   */
  async logits(start, end) {
    const logits = new Float32Array((end - start) * this.words), { width } = this;
    for (let at = start; at < end; at += AT_ONCE) {
      if (this.gpu) {
        logits.set(await this.gpu.logits(at, Math.min(AT_ONCE, end - at)), (at - start) * this.words);
        continue;
      }
      this.#enter(this.#norm(this.stream[this.layers].subarray(at * width, Math.min(at + AT_ONCE, end) * width), "output_norm.weight"));
      logits.set(this.#linear("token_embd.weight"), (at - start) * this.words);
    }
    return logits;
  }

  /**
   * The weights of all heads on the first tokens.
   * @param {number} length
   * @returns {Promise<Float32Array>} (layers, heads, length, length)
   */
  async maps(length) {
    const maps = new Float32Array(this.layers * this.heads * length ** 2);
    const size = this.heads * MOST_TOKENS ** 2;
    const read = await this.gpu?.read(this.gpu.weights[0], this.layers * size);
    if (read) this.weights.forEach((weights, layer) => weights.set(read.subarray(layer * size, (layer + 1) * size)));
    let to = 0;
    for (const weights of this.weights) {
      for (let row = 0; row < this.heads * MOST_TOKENS; row++) {
        if (row % MOST_TOKENS >= length) continue;
        maps.set(weights.subarray(row * MOST_TOKENS, row * MOST_TOKENS + length), to);
        to += length;
      }
    }
    return maps;
  }

  /** Compute there from now on, or here, and from the first token. @param {import("./gpu.js").Gpu | undefined} gpu */
  moveTo(gpu) {
    this.gpu = gpu;
    this.ids = [];
  }

  /**
   * @param {number[]} ids
   * @param {number} start
   */
  #embed(ids, start) {
    const { at } = this.tensors["token_embd.weight"], view = new DataView(this.memory.buffer), blocks = this.width / BLOCK;
    for (let position = start; position < ids.length; position++) {
      for (let block = 0; block < blocks; block++) {
        const from = at + (ids[position] * blocks + block) * (BLOCK + 2), scale = half(view.getUint16(from, true));
        for (let i = 0; i < BLOCK; i++) this.stream[0][position * this.width + block * BLOCK + i] = scale * view.getInt8(from + 2 + i);
      }
    }
  }

  /**
   * One block, on the positions from start to end.
   * @param {number} layer
   * @param {number} start
   * @param {number} end
   * @param {Set<number>} off
   */
  #block(layer, start, end, off) {
    const { width, heads, kvHeads, headDim, rotary } = this, name = (/** @type {string} */ part) => `blk.${layer}.${part}.weight`;
    const x = this.stream[layer].slice(start * width, end * width);
    const add = (/** @type {Float32Array} */ update) => update.forEach((number, i) => (x[i] += number));

    this.#enter(this.#norm(x, name("attn_norm")));
    const query = this.#linear(name("attn_q")).slice(), key = this.#linear(name("attn_k")).slice();
    turn(query, heads, headDim, rotary, start);
    turn(key, kvHeads, headDim, rotary, start);
    this.keys[layer].set(key, start * kvHeads * headDim);
    this.values[layer].set(this.#exactLinear(name("attn_v")), start * kvHeads * headDim);
    this.#enter(this.#attend(layer, query, start, off));
    add(this.#linear(name("attn_output")));

    this.#enter(this.#norm(x, name("ffn_norm")));
    const hidden = this.#linear(name("ffn_gate")).slice();
    this.#linear(name("ffn_up")).forEach((number, i) => (hidden[i] = ACTIVATIONS.silu(hidden[i]) * number));
    this.#enter(hidden);
    add(this.#exactLinear(name("ffn_down")));
    this.stream[layer + 1].set(x, start * width);
  }

  /**
   * The heads' outputs, joined. A head that is off gives zeros; its weights are kept all the same.
   * @param {number} layer
   * @param {Float32Array} query of the positions from start on
   * @param {number} start
   * @param {Set<number>} off
   */
  #attend(layer, query, start, off) {
    const { heads, kvHeads, headDim, width } = this, kvWidth = kvHeads * headDim;
    const keys = this.keys[layer], values = this.values[layer], joined = new Float32Array(query.length);
    for (let i = 0; i < query.length; i += headDim) {
      const position = start + Math.floor(i / width), head = (i % width) / headDim;
      const shared = Math.floor(head * kvHeads / heads) * headDim;
      const row = (head * MOST_TOKENS + position) * MOST_TOKENS;
      const weights = this.weights[layer].subarray(row, row + position + 1);
      let largest = -Infinity, sum = 0;
      for (let k = 0; k <= position; k++) {
        let score = 0;
        for (let j = 0, at = k * kvWidth + shared; j < headDim; j++) score += query[i + j] * keys[at + j];
        weights[k] = score / Math.sqrt(headDim);
        largest = Math.max(largest, weights[k]);
      }
      for (let k = 0; k <= position; k++) sum += weights[k] = Math.exp(weights[k] - largest);
      for (let k = 0; k <= position; k++) {
        const weight = (weights[k] /= sum);
        if (!off.has(head)) for (let j = 0, at = k * kvWidth + shared; j < headDim; j++) joined[i + j] += weight * values[at + j];
      }
    }
    return joined;
  }

  /** @type {(x: Float32Array, name: string) => Float64Array} */
  #norm(x, name) {
    const { at, shape, type } = this.tensors[name];
    if (type !== F32) throw new Error(`${name} must be of 32 bits`);
    return normalise(new Float64Array(x), "rms", this.eps, { data: new Float32Array(this.memory.buffer, at, shape[0]), shape });
  }

  /**
   * Take the inputs of the next linear maps.
   * @param {import("../shared/attention_math.js").Floats} x positions * ins
   */
  #enter(x) {
    new Float32Array(this.memory.buffer, this.at.x, x.length).set(x);
    this.entered = x.length;
    this.#round();
  }

  #round() {
    const { x, integers, scales, sums } = this.at;
    this.kernel.round(x, this.entered / BLOCK, integers, scales, sums);
  }

  /**
   * A linear map also of what rounding has cut off: the last one of what was entered. It is for maps
   * whose inputs are of such different sizes that 16 bits for each are too few.
   * @param {string} name
   */
  #exactLinear(name) {
    const sum = this.#linear(name).slice();
    this.#round();
    this.#linear(name).forEach((number, i) => (sum[i] += number));
    return sum;
  }

  /**
   * A linear map of what was entered; what it returns is gone with the next call.
   * @param {string} name
   */
  #linear(name) {
    const { shape: [rows, ins], type, at: weights } = this.tensors[name], positions = this.entered / ins;
    const { integers, scales, sums, y, row, factors } = this.at;
    this.kernel.linear(weights, type === Q4_1 ? 4 : 8, rows, ins / BLOCK, integers, scales, sums, positions, y, row, factors);
    return new Float32Array(this.memory.buffer, y, positions * rows);
  }
}
