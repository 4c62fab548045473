// The small maps of all heads are painted in slices of time, so that nothing waits for them.
import { entropyScore, firstScore, offsetScore } from "./head_scores.js";
import { paint } from "./paint.js";

const SLICE = 6; // milliseconds
const POINTS = 48; // along a side of a small map

/** @typedef {Record<string, number>} Scores */

/**
 * @param {import("./look.js").Look} look
 * @param {HTMLCanvasElement[]} canvases one for each head
 * @param {() => void} onScores all heads have their scores
 */
export function makeTiles(look, canvases, onScores) {
  const { queryLen, keyLen, headScores } = look.data;
  /** @type {Scores[]} */
  let scores = [];
  let next = 0, timer = 0;

  /** @param {number} index */
  function one(index) {
    const variant = look.variant(), causal = look.get("causal");
    const raw = look.tokens().scores(index), weights = look.compute(variant, index);
    /** @param {number} query @param {number} key */
    const allowed = (query, key) => {
      const score = raw[query * keyLen + key];
      return score === score && (!causal || key <= query + keyLen - queryLen);
    };
    let most = 1;
    if (look.get("stretch")) most = weights.reduce((a, b) => Math.max(a, b), 1e-9);
    paint(canvases[index], { weights, minus: null, scores: raw, causal, most }, queryLen, keyLen, POINTS);
    scores[index] = {
      entropy: entropyScore(weights, queryLen, keyLen, allowed),
      previous: offsetScore(weights, queryLen, keyLen, -1),
      diagonal: offsetScore(weights, queryLen, keyLen, 0),
      first: firstScore(weights, queryLen, keyLen),
    };
    for (const name in headScores) scores[index][name] = headScores[name][index];
  }

  function slice() {
    const end = performance.now() + SLICE;
    while (next < canvases.length && performance.now() < end) one(next++);
    if (next < canvases.length) timer = window.setTimeout(slice);
    else onScores();
  }

  return {
    /** Begin again: the mask, the temperature, the variant or the contrast is another. */
    restart() {
      window.clearTimeout(timer);
      next = 0;
      timer = window.setTimeout(slice);
    },
    isReady: () => next >= canvases.length,
    /** @param {number} index @param {string} name */
    score: (index, name) => scores[index]?.[name] ?? 0,
    stop: () => window.clearTimeout(timer),
  };
}
