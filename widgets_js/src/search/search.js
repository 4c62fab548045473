// What the search of the site finds: sections of pages, the best first, and in each the sentence that was meant.
import MiniSearch from "minisearch";

/** @typedef {{address: string, page: string, title: string, also: string, text: string, weight: number}} Section what tools/site/section_search.py writes */
/** @typedef {{section: Section, sentence: string, words: string[]}} Found `words` as they stand in the sentence */

const ASKED = new Set("a an and are as at be by can do does for from how i in is it me my of on or that the this to was what when where which who why with you your".split(" "));
const LETTERS = 220; // of a sentence

/** A word as it is looked up, or nothing for one that says nothing. @param {string} word */
function stem(word) {
  const lower = word.toLowerCase();
  return ASKED.has(lower) ? null : lower.length > 4 ? lower.replace(/(?<!s)s$/, "") : lower;
}

/** @param {Section[]} sections @returns {(words: string) => Found[]} */
export function searchIn(sections) {
  const index = new MiniSearch({ fields: ["title", "also", "page", "text"], processTerm: stem });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  const options = {
    boost: { also: 8, title: 6, page: 3 },
    boostDocument: (/** @type {number} */ id) => sections[id].weight,
    prefix: (/** @type {string} */ term) => term.length > 2,
    fuzzy: (/** @type {string} */ term) => (term.length > 5 ? 0.15 : false),
  };
  const called = sections.map(({ title, also }) => [title, ...also.split(", ")].map(stemsOf).filter(({ length }) => length));
  /** How many words of what is asked are a name of this section: all of them, or a name of several. @param {string[]} asked @param {number} id */
  const named = (asked, id) => Math.max(0, ...called[id].filter((name) => (name.length > 1 || asked.length === 1) && name.every((stem) => asked.includes(stem))).map(({ length }) => length));
  return (words) => {
    const asked = stemsOf(words);
    const all = index.search(words, { ...options, combineWith: "AND" }), ids = new Set(all.map(({ id }) => id));
    const some = index.search(words, options).filter(({ id }) => !ids.has(id));
    const found = [...all, ...some].map(({ id, match }) => ({ rank: named(asked, id), section: sections[id], ...sentenceOf(sections[id], Object.keys(match)) }));
    return found.sort((a, b) => b.rank - a.rank); // which keeps the order of equals
  };
}

/** @param {string} text */
const stemsOf = (text) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => stem(word) ?? []);

/** The sentence of a section that has most of these stems, shortened around the first. @param {Section} section @param {string[]} stems */
function sentenceOf({ text }, stems) {
  const held = (/** @type {string} */ sentence) => (sentence.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => stems.includes(stem(word) ?? ""));
  let sentence = "", words = /** @type {string[]} */ ([]), most = -1;
  for (const part of text.split(/(?<=[.?!])\s+/)) {
    const here = held(part), count = new Set(here.map(stem)).size;
    if (count > most) [sentence, words, most] = [part, here, count];
  }
  const at = Math.max(sentence.indexOf(words[0]) - LETTERS / 3, 0);
  if (sentence.length > LETTERS) {
    const start = at ? sentence.indexOf(" ", at) + 1 : 0;
    const part = sentence.slice(start, start + LETTERS);
    sentence = (start ? "… " : "") + (start + LETTERS < sentence.length ? part.replace(/\s\S*$/, " …") : part);
  }
  return { sentence, words: [...new Set(words)] };
}

const page = /** @type {{courseSections?: Section[], courseSearch?: (words: string) => Found[]}} */ (globalThis);
if (page.courseSections) page.courseSearch = searchIn(page.courseSections);
