// The reshaping as data: what the tensor's axes are at each step, and where each number stands.

/** @typedef {(n: number) => [number, number, number]} Placed block, row and column of a number */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} code
 * @property {[number, string]} blocks how many there are, and what one is called
 * @property {[number, string]} rows
 * @property {number} columns
 * @property {Placed} place
 * @property {boolean} [mixed] whether attention has mixed the numbers
 */

/**
 * The tensor at each step. Number n was made for token floor(n / merged), feature n % merged.
 * @param {number} seqLen
 * @param {number} numHeads
 * @param {number} headDim
 * @param {boolean} wrong with the view that puts heads first, without a transpose
 * @returns {Step[]}
 */
export function reshapeSteps(seqLen, numHeads, headDim, wrong) {
  /** @type {[number, string]} */
  const tokens = [seqLen, "token"];
  /** @type {[number, string]} */
  const heads = [numHeads, "head"];
  const d = headDim, merged = numHeads * headDim;
  /** @type {Placed} */
  const split = wrong
    ? (n) => [Math.floor(n / (seqLen * d)), Math.floor(n / d) % seqLen, n % d] // in memory order
    : (n) => [Math.floor(n / merged), Math.floor(n / d) % numHeads, n % d];
  /** @type {Placed} */
  const swapped = wrong ? split : (n) => [split(n)[1], split(n)[0], n % d];
  /** @type {Placed} */
  const flat = (n) => [0, Math.floor(n / merged), n % merged];
  /** @type {[number, string]} */
  const one = [1, ""];
  const whole = { blocks: one, rows: tokens, columns: merged, place: flat };
  const byToken = { blocks: wrong ? heads : tokens, rows: wrong ? tokens : heads, columns: d, place: split };
  const byHead = { blocks: heads, rows: tokens, columns: d, place: swapped };
  const skipped = "left out";
  return [
    { ...whole, title: "projection", code: "x = tokens @ W.T" },
    { ...byToken, title: "view", code: wrong ? `x.view(${numHeads}, ${seqLen}, ${d})` : `x.view(${seqLen}, ${numHeads}, ${d})` },
    { ...byHead, title: "transpose", code: wrong ? skipped : "x.transpose(0, 1)" },
    { ...byHead, title: "attention", code: "attention(x, x, x)", mixed: true },
    { ...byToken, title: "transpose back", code: wrong ? skipped : "x.transpose(0, 1)", mixed: true },
    { ...whole, title: "view back", code: `x.reshape(${seqLen}, ${merged})`, mixed: true },
  ];
}

/**
 * The shape of the tensor at a step.
 * @param {Step} step
 */
export const shapeOf = ({ blocks, rows, columns }) => [...(blocks[1] ? [blocks[0]] : []), rows[0], columns];
