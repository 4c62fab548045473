// A GGUF file, the format of llama.cpp: settings by name, then where each tensor lies.

/** @typedef {{type: number, shape: number[], at: number}} Tensor its ggml type; (out, in); its first byte in the file */
/** @typedef {{settings: Record<string, any>, tensors: Record<string, Tensor>}} Gguf */

export const F32 = 0, Q4_1 = 3, Q8_0 = 8;
const STRING = 8, ARRAY = 9;
const ALIGNMENT = 32;
const CONTROL = 3; // the type of tokens that stand for no text

/**
 * @param {Uint8Array} bytes the file
 * @returns {Gguf}
 */
export function readGguf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), text = new TextDecoder();
  let at = 0;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const u64 = () => Number(view.getBigUint64((at += 8) - 8, true));
  const string = () => {
    const length = u64();
    return text.decode(bytes.subarray(at, (at += length)));
  };
  /** @type {Record<number, () => any>} by the format's number of a type */
  const read = {
    0: () => view.getUint8(at++),
    1: () => view.getInt8(at++),
    2: () => view.getUint16((at += 2) - 2, true),
    3: () => view.getInt16((at += 2) - 2, true),
    4: u32,
    5: () => view.getInt32((at += 4) - 4, true),
    6: () => view.getFloat32((at += 4) - 4, true),
    7: () => view.getUint8(at++) === 1,
    [STRING]: string,
    [ARRAY]: () => {
      const type = u32(), length = u64();
      return Array.from({ length }, () => read[type]());
    },
    10: u64,
  };
  if (u32() !== 0x46554747 || u32() !== 3) throw new Error("this is no GGUF file of version 3");
  const numTensors = u64(), numSettings = u64();
  /** @type {Record<string, any>} */
  const settings = {};
  for (let i = 0; i < numSettings; i++) {
    const name = string();
    settings[name] = read[u32()]();
  }
  /** @type {Record<string, Tensor>} */
  const tensors = {};
  for (let i = 0; i < numTensors; i++) {
    const name = string(), shape = Array.from({ length: u32() }, u64).reverse();
    tensors[name] = { shape, type: u32(), at: u64() };
  }
  const start = Math.ceil(at / ALIGNMENT) * ALIGNMENT;
  for (const tensor of Object.values(tensors)) tensor.at += start;
  return { settings, tensors };
}

const ofTokens = (/** @type {Record<string, any>} */ settings, /** @type {string} */ name) => settings[`tokenizer.ggml.${name}`];

/** @param {Record<string, any>} settings @returns {import("./tokenizer.js").Vocabulary} */
export function vocabularyOf(settings) {
  const tokens = ofTokens(settings, "tokens"), types = ofTokens(settings, "token_type");
  return { tokens, merges: ofTokens(settings, "merges"), special: tokens.filter((/** @type {string} */ _, /** @type {number} */ i) => types[i] === CONTROL) };
}

/** The tokens that end a text. @param {Record<string, any>} settings @returns {number[]} */
export const endsOf = (settings) => [ofTokens(settings, "eos_token_id"), ofTokens(settings, "tokens").indexOf("<|endoftext|>")];
