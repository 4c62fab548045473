// What the page shows of one sentence, one set of heads.

/**
 * @typedef {object} Control by chance
 * @property {number} same draws that changed nothing
 * @property {number} done
 * @property {number} of
 * @property {string[]} others what the rest of them wrote
 */

/**
 * @typedef {object} View
 * @property {string} text
 * @property {number[]} off heads `layer * HEADS + head`, in order
 * @property {string[]} pieces of the text, one a token
 * @property {string} before what the model writes with all heads
 * @property {string | null} after without those that are off; null while that is not known
 * @property {Record<string, (number | null)[] | null>} scores of all heads, from 0 to 1; null where it is not known
 * @property {number} error the most by which a weight is rounded
 * @property {[string, number, number][]} next token, its probability with all heads and without
 * @property {(head: number, query: number, key: number) => number} weight
 * @property {Control | null} control
 */

/** What each score says. @type {Record<string, string>} */
export const SCORES = {
  "effect when off": "how much of the next word's probability moves when this head alone is off",
  induction: "mean weight on what came after an earlier token equal to the query's",
  "previous token": "mean weight on the token just before the query",
  "first token": "mean weight on the first token, over all later queries",
};
