// What the board shows of one text and one set of heads.
import { bytes, shares } from "../shared/base64.js";
import { shadeOf, shadeOfEffect } from "../shared/colours.js";

/**
 * @typedef {object} Control by chance
 * @property {number} same draws that changed nothing
 * @property {number} done
 * @property {number} of
 * @property {boolean} [isEvery] whether there are no other draws
 * @property {string[]} others what the rest of them wrote
 */

/** @typedef {[string, number, number, number?, number?, number?]} Next a token; its probability with all heads, and without those that are off; without as many others by chance: mean, lowest, highest */

/**
 * @typedef {object} View
 * @property {string} text
 * @property {number[]} off heads `layer * heads + head`, in order
 * @property {string[]} pieces of the text, one a token
 * @property {string} before what the model writes with all heads
 * @property {string | null} after without those that are off; null while that is not known
 * @property {Record<string, (number | null)[] | null>} scores of all heads, from 0 to 1; null where the text has no such pair of tokens
 * @property {number} error the most by which a weight is rounded
 * @property {Next[]} next
 * @property {(head: number, query: number, key: number) => number} weight
 * @property {Control | null} control
 * @property {string} [manner] what is done to the heads in `off`, if that is another thing
 * @property {number} [temperature] of the probabilities in `next`, if it is not 1
 */

/** The score that needs no computing: it is read off the maps. */
export const LAST = "from the last token";
/** The one score that is no weight. */
export const EFFECT = "effect when off";
/** How the heads are shaded by a score: most effects are small, and the colour of their root tells these apart. @param {string} name */
export const shadesOf = (name) => (name === EFFECT ? (/** @type {number} */ effect) => shadeOfEffect(-(effect ** 0.5)) : shadeOf);

/** What each score says. @type {Record<string, string>} */
export const SCORES = {
  [EFFECT]: "how far the next word’s probability moves without this head",
  induction: "mean weight on what came after an earlier token equal to the query's",
  "previous token": "mean weight on the token just before the query",
  "first token": "mean weight on the first token, over all later queries",
  "own token": "mean weight on the query's own token; the first token has no other",
  [LAST]: "weight that the last token, which predicts the next one, gives to",
};

/**
 * The maps and scores that Python sends: a byte for each cell that may be seen, and for each head.
 * @param {{pieces: string[], weights: string, scores: Record<string, string | null>}} sent
 * @returns {Pick<View, "pieces" | "scores" | "weight" | "error">}
 */
export function unpacked({ pieces, weights, scores }) {
  const cells = pieces.length * (pieces.length + 1) / 2, maps = bytes(weights);
  return { pieces, error: 1 / 510,
    scores: Object.fromEntries(Object.entries(scores).map(([name, text]) => [name, text === null ? null : shares(text)])),
    weight: (head, query, key) => maps[head * cells + query * (query + 1) / 2 + key] / 255 };
}
