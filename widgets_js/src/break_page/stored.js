// The sentence that was computed before (tools/site/broken.py): with all heads, without those of
// the opening, and without each head alone. Others, in which a search has found something, are
// fetched when first needed (tools/site/surprises.py). And what came of one, as an address says it.
import { EFFECT, unpacked } from "../board/view.js";
import { counted, namesOf, share } from "../board/words.js";
import { shares } from "../shared/base64.js";

/** @typedef {import("../board/view.js").View} View */
/** @typedef {import("../board/view.js").Next} Next */

/**
 * @typedef {object} Sent docs/broken.json
 * @property {string} text
 * @property {string[]} pieces
 * @property {[number, number][]} off
 * @property {string[]} words
 * @property {string[]} without
 * @property {(string[] | null)[]} alone
 * @property {(string[] | null)[]} pairs with the last of `off`
 * @property {[[number, number][], string[] | null][]} draws
 * @property {{alone: number[], pairs: number[], draws: number[]}} thousandths probability of the first of `words`, in the same ways
 * @property {[string, string, string][]} elsewhere
 * @property {Next[]} next
 * @property {Record<string, string | null>} scores
 * @property {string} weights
 * @property {{texts: number, least: number, all: Record<string, number>, heads: Record<string, Record<string, number>>}} habits docs/habits.json: by score, its mean over all heads, and over the texts of each head that has it on all
 */
/** @typedef {{effects: Record<string, string>, found: {text: string, off: [number, number][], before: string, after: string, same: number, of: number, next: Next[]}[]}} Surprises docs/surprises.json: of each text the effects of all heads, and what was found */

export const LAYERS = 30, HEADS = 9;
/** What was written, with a sign where it was cut (as `whole` in tools/site/break_page.py). @param {string} text */
export const withSign = (text) => (!text.trim() || /[.!?…]\s*$/.test(text) ? text : `${text.replace(/[ (,;:]+$/, "")} …`);
const HABITS = { "previous token": "looks one back", "first token": "looks at the first token", "own token": "looks at its own token",
  induction: "looks at what followed an earlier token like its own" };
/** @param {[number, number]} pair */
export const indexOf = ([layer, head]) => layer * HEADS + head;
/** A head as addresses and docs/habits.json name it. @param {number} i */
export const dotted = (i) => `${Math.floor(i / HEADS)}.${i % HEADS}`;
/** The likeliest tokens with all heads, as far as they are sure: one that is not stored is less likely than the least here, with all heads and without some. @param {Next[]} next */
function likeliestWithAll(next) {
  const least = Math.min(...next.map(([, all, without]) => Math.max(all, without)));
  return next.filter(([, all]) => all >= least);
}

/** @param {Sent} sent @param {string} base where the surprises lie */
export function makeStored(sent, base) {
  const opening = sent.off.map(indexOf), before = withSign(sent.words.join("")), computed = unpacked(sent);
  const main = opening[opening.length - 1];
  /** @type {View[]} */
  let surprises = [];
  const isOpening = (/** @type {number[]} */ off) => String(off) === String(opening);
  /** What is written without these heads; undefined where nobody computed it. @param {number[]} off @returns {string | undefined} */
  function written(off) {
    if (!off.length) return before;
    const other = off.find((i) => i !== main) ?? main;
    if (off.length > 2 || (off.length === 2 && !off.includes(main))) return undefined;
    const words = off.length === 2 ? sent.pairs[other] : sent.alone[other];
    return words ? withSign(words.join("")) : before;
  }
  /** What is known of these heads in a sentence of a surprise, or null. @param {string} text @param {number[]} off @returns {View | null} */
  function surprising(text, off) {
    const all = surprises.filter((one) => one.text === text), [any] = all;
    if (any && !off.length) return { ...any, off, after: any.before, next: likeliestWithAll(any.next), control: null };
    return all.find((one) => String(one.off) === String(off)) ?? null;
  }
  return {
    text: sent.text, opening, main,
    /** Fetch the surprises, unless they are here. @returns {Promise<boolean>} whether this call brought them */
    async fetchSurprises() {
      if (surprises.length) return false;
      const answer = await fetch(`${base}surprises.json`);
      if (!answer.ok) throw new Error(answer.statusText);
      const /** @type {Surprises} */ { effects, found } = await answer.json();
      surprises = found.map(({ off, same, of, before, after, ...rest }) => ({ ...rest, before: withSign(before), after: withSign(after), off: off.map(indexOf), pieces: [], weight: () => 0, error: 0,
        scores: { [EFFECT]: shares(effects[rest.text]) }, control: { same, done: of, of, others: [] } }));
      return true;
    },
    /** One of those that were fetched. */
    surprise: () => surprises[Math.floor(Math.random() * surprises.length)],
    /** What is known of these heads, or null. @param {string} text @param {number[]} off */
    view(text, off) {
      if (text !== sent.text) return surprising(text, off);
      const after = written(off);
      if (after === undefined) return null;
      const [token, all] = sent.next[0];
      const { alone, pairs } = sent.thousandths, other = off.find((i) => i !== main) ?? main;
      /** @type {View} */
      const view = { text, off, before, after, ...computed, next: isOpening(off) ? sent.next : !off.length ? likeliestWithAll(sent.next) : [[token, all, (off.length > 1 ? pairs : alone)[other] / 1000]],
        control: isOpening(off) ? { same: sent.draws.filter(([, words]) => !words).length, done: sent.draws.length, of: sent.draws.length,
          others: [...new Set(sent.draws.flatMap(([, words]) => (words ? [withSign(words.join(""))] : [])))] } : null };
      return view;
    },
    /** What a click makes of the heads that are off: in the stored sentence one alone, or one beside the main one; elsewhere null where nobody computed it. @param {string} text @param {number[]} off @param {number} i */
    pressed(text, off, i) {
      const isOff = off.includes(i), rest = off.filter((one) => one !== i);
      if (text !== sent.text) {
        const wish = isOff ? rest : [...off, i].sort((a, b) => a - b);
        return surprising(text, wish) && wish;
      }
      return isOff ? rest : i === main ? [...off.slice(0, 1), i] : off.includes(main) ? [i, main] : [i];
    },
    /** What a head does on texts that were kept for it, in words; nothing where nothing was found. @param {number} i */
    habits(i) {
      const { texts, least, all, heads } = sent.habits, { long } = namesOf(HEADS);
      const found = Object.entries(HABITS).flatMap(([name, does]) => {
        const mean = heads[name][dotted(i)];
        return mean ? [`${does}: ${mean.toFixed(2)} on ${counted(texts, "kept text")}, at least ${least} on each; all heads ${all[name].toFixed(2)}.`] : [];
      });
      return found.length ? `A habit of ${long(i)}: it ${found.join(" It ")}` : "";
    },
    /** How many others change a word beside the main one, where that and one other are off. @param {number[]} off */
    beside: (off) => (off.length === 2 && off.includes(main)
      ? `Once ${namesOf(HEADS).long(main)} is off, ${sent.pairs.filter(Boolean).length} of the ${sent.pairs.length - 1} others change a word.` : ""),
    /** The longest of what is written in place of `before`. */
    longest: [sent.without, ...sent.pairs, ...sent.alone].reduce((most, words) => {
      const text = withSign((words ?? []).join(""));
      return text.length > most.length ? text : most;
    }, ""),
    /** What stands in place of draws by chance where one head is off, or one beside the main one: each other was tried. @param {number[]} off @returns {[string, string] | null} in words, the first of them strong */
    each(off) {
      const isAlone = off.length === 1, way = isAlone ? "alone" : "pairs";
      if (!isAlone && !(off.length === 2 && off.includes(main)) || isOpening(off)) return null;
      const left = sent.thousandths[way].filter((_, i) => isAlone || i !== main).sort((a, b) => a - b), { long } = namesOf(HEADS);
      const most = `leaves “${sent.words[0].trim()}” ${share(left[left.length >> 1] / 1000)}, the strongest ${share(left[0] / 1000)}.`;
      if (isAlone) return [`Alone, ${sent.alone.filter(Boolean).length || "none"} of the ${left.length}`, ` changes a word: the median ${most} Try ${long(main)} and another.`];
      return [`In place of ${long(off.find((i) => i !== main) ?? main)}`, `, the median of the ${left.length} others ${most}`];
    },
  };
}

/**
 * A view of what an address says.
 * @param {import("./link.js").Kept} kept
 * @param {import("./link.js").Result} result
 * @returns {View}
 */
export function told({ text, off, ...how }, { before, after, same, done, next }) {
  return { text, off, before, after, pieces: [], scores: {}, error: 0, weight: () => 0, ...mannerOf(how),
    next: next ? [next] : [], control: done ? { same, done, of: done, others: [] } : null };
}

/** What is done to the heads, and at which temperature. @param {Pick<import("./link.js").Kept, "gain" | "other" | "temperature">} how */
export const mannerOf = ({ gain, other, temperature }) => ({ temperature: temperature || 1,
  manner: other ? "patched" : gain ? `at ${gain} times` : "off" });
