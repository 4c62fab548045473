// The tokenizer of SmolLM2: byte-pair encoding (Sennrich et al. 2016) of bytes, as in GPT-2, but each digit alone.

/** @typedef {{tokens: string[], merges: string[], special: string[]}} Vocabulary as the GGUF file has it */

const DIGIT = /(\p{N})/u;
// White space as Unicode has it: JavaScript's \s differs in two characters.
const SPACE = "\\p{White_Space}";
const PIECE = new RegExp(`'(?:s|t|re|ve|m|ll|d)| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|${SPACE}+(?![^${SPACE}])|${SPACE}+`, "gu");

/** The character that stands for each byte: itself where it can be seen, else one from 256 on. */
const LETTERS = (() => {
  let unseen = 256;
  const isSeen = (/** @type {number} */ byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : unseen++));
})();
const BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]));

export class Tokenizer {
  /** @param {Vocabulary} vocabulary */
  constructor({ tokens, merges, special }) {
    this.tokens = tokens;
    this.special = new Set(special);
    this.ids = new Map(tokens.map((token, id) => [token, id]));
    this.ranks = new Map(merges.map((merge, rank) => [merge, rank]));
    const longestFirst = [...special].sort((a, b) => b.length - a.length);
    this.between = new RegExp(`(${longestFirst.map((token) => token.replace(/[|\\{}()[\]^$+*?.]/g, "\\$&")).join("|")})`);
    /** @type {Map<string, number[]>} what was cut before */
    this.known = new Map();
  }

  /**
   * @param {string} text
   * @returns {number[]}
   */
  encode(text) {
    return text.split(this.between).flatMap((part) => {
      if (this.special.has(part)) return [/** @type {number} */ (this.ids.get(part))];
      return part.split(DIGIT).flatMap((piece) => piece.match(PIECE) ?? []).flatMap((piece) => this.#merge(piece));
    });
  }

  /**
   * The text of tokens, without the special ones. Bytes that are no whole character show as �.
   * @param {number[]} ids
   * @returns {string}
   */
  decode(ids) {
    const shown = ids.map((id) => this.tokens[id]).filter((token) => !this.special.has(token));
    const bytes = shown.flatMap((token) => Array.from(token, (letter) => /** @type {number} */ (BYTES.get(letter))));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  }

  /**
   * Join the pair that was learned first, until no pair of neighbours was learned.
   * @param {string} piece
   * @returns {number[]}
   */
  #merge(piece) {
    const before = this.known.get(piece);
    if (before) return before;
    // A byte that the vocabulary lacks is left out, as Python does.
    const parts = Array.from(new TextEncoder().encode(piece), (byte) => LETTERS[byte]).filter((one) => this.ids.has(one));
    for (;;) {
      let best = Infinity, where = -1;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = this.ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
        if (rank < best) [best, where] = [rank, i];
      }
      if (where < 0) break;
      parts.splice(where, 2, parts[where] + parts[where + 1]);
    }
    const ids = parts.map((part) => /** @type {number} */ (this.ids.get(part)));
    this.known.set(piece, ids);
    return ids;
  }
}
