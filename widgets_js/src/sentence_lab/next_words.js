// The likeliest next words, from the probabilities of all words.

const TOP = 8;

/** @typedef {{all: Float64Array, without: Float64Array, others: Float64Array[]}} Found probabilities of all words */

/**
 * @param {string[]} words
 * @param {Found} found
 * @returns {import("../board/view.js").Next[]}
 */
export function nextWords(words, { all, without, others }) {
  const likely = words.map((_, i) => i).sort((a, b) => Math.max(all[b], without[b]) - Math.max(all[a], without[a])).slice(0, TOP);
  return likely.sort((a, b) => all[b] - all[a]).map((i) => {
    const chance = others.map((one) => one[i]), mean = chance.reduce((sum, share) => sum + share, 0) / chance.length;
    return chance.length ? [words[i], all[i], without[i], mean, Math.min(...chance), Math.max(...chance)] : [words[i], all[i], without[i]];
  });
}
