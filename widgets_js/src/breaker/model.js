// SmolLM2 on the bytes of its GGUF file: what DecoderLM computes, and no more of it anew than has changed.
import { ACTIVATIONS } from "../decoder/activation.js";
import { normalise } from "../decoder/norm.js";
import { turn } from "../decoder/positions.js";
import { half } from "../decoder/tensors.js";
import { endsOf, F32, Q4_1, readGguf, vocabularyOf } from "./gguf.js";
import { attend, change, cropped, gainsOf } from "./heads.js";

/** @typedef {import("./engine.js").Head} Head */
/** @typedef {import("./engine.js").Change} Change */
/** @typedef {import("./heads.js").Gains} Gains */
/** @typedef {import("./heads.js").Source} Source */
/** @typedef {import("./heads.js").Lane} Lane */
/** @typedef {{round: (x: number, positions: number, blocks: number, integers: number, scales: number, sums: number) => void, linear: (weights: number, bits: number, rows: number, blocks: number, integers: number, scales: number, sums: number, positions: number, y: number, row: number, factors: number) => void}} Kernel kernel/linear.ts */

const MOST_TOKENS = 128;
const BLOCK = 32; // numbers that are rounded together
const AT_ONCE = 16; // positions whose logits are computed in one go

export class Model {
  /**
   * @param {import("./room.js").Room} room whose file is complete
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
    this.vocabulary = vocabularyOf(settings);
    this.ends = endsOf(settings);
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
    this.scratch = new Float32Array(this.heads * MOST_TOKENS ** 2); // weights that nobody asks for
    this.positions = this.ins = 0; // of the numbers in `at.x`
    /** @type {number[]} the tokens that all this is of */
    this.ids = [];
    /** @type {string[]} what was changed in each layer */
    this.changed = [];
    /** @type {Source | null} the text whose outputs changed heads take, if they do */
    this.source = null;
    /** @type {Float32Array[] | null} where the outputs of the heads are written down, layer by layer */
    this.heard = null;
    /** @type {Source | null} the text that was listened to */
    this.lastSource = null;
  }

  /**
   * What all heads say on a text, for others to take; it is known until another one is asked for.
   * @param {number[]} ids
   * @returns {Promise<Source>}
   */
  async listen(ids) {
    const key = ids.join();
    if (this.lastSource?.key !== key) {
      this.moveTo(this.gpu); // all of it anew
      this.heard = Array.from({ length: this.layers }, () => new Float32Array(ids.length * this.width));
      this.forward(ids);
      if (this.gpu) for (const [layer, at] of this.gpu.outputs.entries()) this.heard[layer].set(await this.gpu.read(at, ids.length * this.width));
      this.lastSource = { key, length: ids.length, outputs: this.heard };
      this.heard = null;
    }
    return this.lastSource;
  }

  /**
   * Compute what is not known yet: new tokens in each layer, and all tokens from the first layer on
   * whose heads are changed otherwise than last time.
   * @param {number[]} ids
   * @param {Change[]} changes
   * @param {Source | null} [source] whose outputs the changed heads take, on as many tokens
   * @returns {number} that layer, or the number of layers
   */
  forward(ids, changes = [], source = null) {
    const gains = gainsOf(changes, this.layers), from = source?.key ?? "";
    const changed = gains.map((layer) => (layer.size ? [...layer, from].join() : ""));
    const differ = changed.findIndex((key, i) => key !== this.changed[i]), first = differ < 0 ? this.layers : differ;
    const other = ids.findIndex((id, i) => id !== this.ids[i]), known = other < 0 ? ids.length : other;
    if (known === ids.length && first === this.layers) return first; // also where more tokens are known
    this.ids = [];
    this.source = source;
    this.gpu?.take(source);
    this.#embed(ids, known);
    this.gpu?.put(this.gpu.stream[0] + known * this.width, this.stream[0].subarray(known * this.width, ids.length * this.width));
    for (let layer = 0; layer < this.layers; layer++) {
      const start = layer < first ? known : 0;
      if (start === ids.length) continue;
      if (this.gpu) {
        this.gpu.block(layer, start, ids.length, gains[layer]);
        continue;
      }
      const x = this.stream[layer].slice(start * this.width, ids.length * this.width);
      this.#block(layer, x, start, [{ keys: this.keys[layer], values: this.values[layer], weights: this.weights[layer], gains: gains[layer] }]);
      this.stream[layer + 1].set(x, start * this.width);
    }
    this.gpu?.run();
    this.ids = [...ids];
    this.changed = changed;
    return first;
  }

  /**
   * The logits after the last token when each of these heads alone is off, all in one go through the layers.
   * Inputs are rounded once: that moves a probability by less than a thousandth.
   * @param {number[]} ids
   * @param {Head[]} heads as many as all their tokens from `start` on are at most `mostTokens`
   * @param {number} start a head is off at this token and those after it
   * @returns {Float32Array} (heads, words)
   */
  logitsWithoutEach(ids, heads, start) {
    this.forward(ids);
    const { width } = this, rows = ids.length - start, kv = this.kvHeads * this.headDim;
    /** @type {{layer: number, x: Float32Array, keys: Float32Array, values: Float32Array, head: number, at: number}[]} */
    const begun = [];
    const { scratch } = this, none = new Map();
    for (let layer = 0; layer < this.layers; layer++) {
      heads.forEach(([first, head], at) => {
        if (first !== layer) return;
        begun.push({ layer, head, at, x: this.stream[layer].slice(start * width, ids.length * width), keys: new Float32Array(ids.length * kv), values: new Float32Array(ids.length * kv) });
      });
      if (!begun.length) continue;
      const x = new Float32Array(begun.length * rows * width);
      const lanes = begun.map((lane, i) => {
        x.set(lane.x, i * rows * width);
        lane.keys.set(this.keys[layer].subarray(0, start * kv));
        lane.values.set(this.values[layer].subarray(0, start * kv));
        return { keys: lane.keys, values: lane.values, weights: scratch, gains: lane.layer === layer ? new Map([[lane.head, 0]]) : none };
      });
      const after = this.#block(layer, x, start, lanes, (name) => this.#linear(name), layer === this.layers - 1), size = after.length / begun.length;
      begun.forEach((lane, i) => (lane.x = after.slice(i * size, (i + 1) * size)));
    }
    const logits = new Float32Array(heads.length * this.words), ends = new Float32Array(heads.length * width);
    for (const { at, x } of begun) ends.set(x, at * width);
    for (let at = 0; at < heads.length; at += AT_ONCE) logits.set(this.#read(ends.subarray(at * width, (at + AT_ONCE) * width)), at * this.words);
    return logits;
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
      logits.set(this.#read(this.stream[this.layers].subarray(at * width, Math.min(at + AT_ONCE, end) * width)), (at - start) * this.words);
    }
    return logits;
  }

  /** The logits of at most AT_ONCE positions; they are gone with the next call. @param {Float32Array} x */
  #read(x) {
    this.#enter(this.#norm(x, "output_norm.weight"));
    return this.#linear("token_embd.weight");
  }

  /**
   * The weights of all heads on the first tokens.
   * @param {number} length
   * @returns {Promise<Float32Array>} (layers, heads, length, length)
   */
  async maps(length) {
    const size = this.heads * MOST_TOKENS ** 2;
    const read = await this.gpu?.read(this.gpu.weights[0], this.layers * size);
    if (read) this.weights.forEach((weights, layer) => weights.set(read.subarray(layer * size, (layer + 1) * size)));
    return cropped(this.weights, MOST_TOKENS, length);
  }

  /** Compute there from now on, or here, and from the first token. @param {import("./gpu.js").Gpu | undefined} gpu */
  moveTo(gpu) {
    this.gpu = gpu;
    this.ids = [];
  }

  /** @param {number[]} ids @param {number} start */
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
   * One block, in place but where `isLast`, on the positions of each lane from start on.
   * @param {number} layer
   * @param {Float32Array} x (lanes, positions, width)
   * @param {number} start
   * @param {Lane[]} lanes
   * @param {(name: string) => Float32Array} [exact] the linear maps that need most of their inputs
   * @param {boolean} [isLast] nothing is read of it but the last position of each lane
   * @returns {Float32Array} x, or the last positions (lanes, width)
   */
  #block(layer, x, start, lanes, exact = (name) => this.#exactLinear(name), isLast = false) {
    const { width, heads, kvHeads, headDim, rotary } = this, name = (/** @type {string} */ part) => `blk.${layer}.${part}.weight`;
    const add = (/** @type {Float32Array} */ update) => {
      for (let i = 0; i < x.length; i++) x[i] += update[i];
    };
    const of = (/** @type {Float32Array} */ all, /** @type {number} */ lane) => all.subarray(lane * all.length / lanes.length, (lane + 1) * all.length / lanes.length);

    this.#enter(this.#norm(x, name("attn_norm")));
    const query = this.#linear(name("attn_q")).slice(), key = this.#linear(name("attn_k")).slice();
    const value = exact(name("attn_v"));
    let joined = new Float32Array(query.length);
    lanes.forEach((lane, i) => {
      turn(of(query, i), heads, headDim, rotary, start);
      turn(of(key, i), kvHeads, headDim, rotary, start);
      lane.keys.set(of(key, i), start * kvHeads * headDim);
      lane.values.set(of(value, i), start * kvHeads * headDim);
      attend(this, lane, of(query, i), start, of(joined, i));
    });
    this.heard?.[layer].set(joined, start * width);
    lanes.forEach(({ gains }, i) => gains.size && change(this, this.source?.outputs[layer], of(joined, i), start, gains));
    if (isLast) [x, joined] = [x, joined].map((all) => Float32Array.from(lanes.flatMap((_, i) => [...of(all, i).subarray(-width)])));
    this.#enter(joined);
    add(this.#linear(name("attn_output")));

    this.#enter(this.#norm(x, name("ffn_norm")));
    const hidden = this.#linear(name("ffn_gate")).slice(), up = this.#linear(name("ffn_up"));
    for (let i = 0; i < hidden.length; i++) hidden[i] = ACTIVATIONS.silu(hidden[i]) * up[i];
    this.#enter(hidden, this.widest);
    add(exact(name("ffn_down")));
    return x;
  }

  /** @type {(x: Float32Array, name: string) => Float64Array} */
  #norm(x, name) {
    const { at, shape, type } = this.tensors[name];
    if (type !== F32) throw new Error(`${name} must be of 32 bits`);
    return normalise(x, "rms", this.eps, { data: new Float32Array(this.memory.buffer, at, shape[0]), shape });
  }

  /** Take the inputs of the next linear maps. @param {import("../shared/attention_math.js").Floats} x (positions, ins) @param {number} [ins] */
  #enter(x, ins = this.width) {
    new Float32Array(this.memory.buffer, this.at.x, x.length).set(x);
    this.positions = x.length / ins;
    this.ins = ins;
    this.#round();
  }

  #round() {
    const { x, integers, scales, sums } = this.at;
    this.kernel.round(x, this.positions, this.ins / BLOCK, integers, scales, sums);
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
    const { shape: [rows], type, at: weights } = this.tensors[name], { positions } = this;
    const { integers, scales, sums, y, row, factors } = this.at;
    this.kernel.linear(weights, type === Q4_1 ? 4 : 8, rows, this.ins / BLOCK, integers, scales, sums, positions, y, row, factors);
    return new Float32Array(this.memory.buffer, y, positions * rows);
  }
}
