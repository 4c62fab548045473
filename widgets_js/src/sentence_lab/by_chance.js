// A matched control: as many other heads, of the same layers as far as there are any.

/** @typedef {import("../decoder/decoder.js").Head} Head */

const MOST = 20; // choices that are computed

/**
 * All choices of as many other heads of the same layers, or some of them by lot where there are
 * more than 20. None where there are not as many other heads.
 * @param {Head[]} off
 * @param {number} layers
 * @param {number} heads in a layer
 * @returns {{choices: Head[][], isEvery: boolean, sameLayers: boolean}}
 */
export function matchedControls(off, layers, heads) {
  const isOff = (/** @type {Head} */ [layer, head]) => off.some(([l, h]) => l === layer && h === head);
  const every = Array.from({ length: layers * heads }, (_, i) => /** @type {Head} */ ([Math.floor(i / heads), i % heads]));
  const free = every.filter((one) => !isOff(one));
  if (!off.length || free.length < off.length) return { choices: [], isEvery: true, sameLayers: true };
  const wanted = Array.from({ length: layers }, (_, layer) => off.filter(([l]) => l === layer).length);
  const left = wanted.map((_, layer) => free.filter(([l]) => l === layer));
  const sameLayers = wanted.every((count, layer) => count <= left[layer].length);
  const number = wanted.reduce((product, count, layer) => product * choose(left[layer].length, count), 1);
  if (sameLayers && number <= MOST) {
    const choices = wanted.reduce((found, count, layer) =>
      found.flatMap((one) => subsets(left[layer], count).map((more) => [...one, ...more])), /** @type {Head[][]} */ ([[]]));
    return { choices, isEvery: true, sameLayers };
  }
  const random = numbersByLot(off.length);
  return { choices: Array.from({ length: MOST }, () => drawLike(off, free, random)), isEvery: false, sameLayers };
}

/** @type {(n: number, k: number) => number} */
const choose = (n, k) => (k > n ? 0 : k === 0 ? 1 : (n / k) * choose(n - 1, k - 1));

/**
 * @param {Head[]} from
 * @param {number} count
 * @returns {Head[][]}
 */
function subsets(from, count) {
  if (count === 0) return [[]];
  return from.flatMap((first, i) => subsets(from.slice(i + 1), count - 1).map((rest) => [first, ...rest]));
}

/**
 * As many heads by lot, of the same layers as far as there are any.
 * @param {Head[]} off
 * @param {Head[]} free the heads that may be drawn
 * @param {() => number} random
 */
export function drawLike(off, free, random) {
  const left = [...free];
  return off.map(([layer]) => {
    const same = left.filter(([l]) => l === layer), among = same.length ? same : left;
    const drawn = among[Math.floor(random() * among.length)];
    left.splice(left.indexOf(drawn), 1);
    return drawn;
  });
}

/**
 * Numbers from 0 to 1 that are the same in every run (mulberry32).
 * @param {number} seed
 */
export function numbersByLot(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
