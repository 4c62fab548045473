// From a typed sentence to tokens, or to what is wrong with it, in words.

/**
 * @param {string} text words with spaces between them
 * @param {string[]} words of the model; the place of a word is its token
 * @param {number} most words in a sentence
 * @returns {{tokens: number[], message: string}} a message, or none
 */
export function readSentence(text, words, most) {
  const typed = text.split(/\s+/).filter(Boolean), tokens = typed.map((word) => words.indexOf(word));
  const unknown = [...new Set(typed.filter((_, i) => tokens[i] < 0))];
  let message = "";
  if (!typed.length) message = "The sentence is empty. Type a word, or click one.";
  else if (unknown.length) message = unknown.map((word) => notAWord(word, words)).join(" ");
  else if (typed.length > most) message = `The model reads at most ${most} words, and this sentence has ${typed.length}.`;
  return { tokens, message };
}

/**
 * @param {string} word
 * @param {string[]} words
 */
function notAWord(word, words) {
  const distances = words.map((other) => edits(word.toLowerCase(), other.toLowerCase()));
  const near = words[distances.indexOf(Math.min(...distances))];
  const meant = Math.min(...distances) <= Math.min(2, near.length - 2) ? ` Did you mean '${near}'?` : "";
  return `The model has no word '${word}'.${meant}`;
}

/**
 * How many letters must be put in, taken out or changed to make one word of the other.
 * @param {string} a
 * @param {string} b
 */
export function edits(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j] + (a[i] === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[b.length];
}
