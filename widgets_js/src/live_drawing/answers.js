// Where a number comes from: the sum written out, what to frame, and lines as thick as weights.
import { make } from "../shared/elements.js";

/** @typedef {import("./tensors.js").Known} Known */
/** @typedef {import("./tensors.js").Rule} Rule */
/** @typedef {import("./tensors.js").Spot} Spot */
/** @typedef {(Node | string)[]} Words */
/** @typedef {[string, number, number | null]} Frame a number of a tensor, or its whole row */
/** @typedef {{from: Spot, weight: number, value: number | null}} Line */
/** @typedef {{words: Words, frames: Frame[], lines: Line[]}} Answer */

const MOST_TERMS = 4; // of a long sum, the largest
const SEEN = 0.05; // weights from which on a line is seen, where no sentence names it

/** A number as a sentence shows it. @param {number | null} number */
export function show(number, decimals = 2) {
  if (number === null) return "−∞";
  const thousands = Math.round(1000 * number);
  const isShort = decimals === 2 && Math.abs(1000 * number - thousands) < 1e-3;
  return (isShort ? String(thousands / 1000) : number.toFixed(decimals)).replace("-", "−");
}

/** A number that a sentence shows, as somebody who adds it up reads it. @param {string} text */
const read = (text) => Number(text.replace("−", "-"));

/**
 * The sign before a result: ≈ where the numbers as they are shown give another one, to its decimals.
 * @param {number} value what they give
 * @param {string} result
 */
function sign(value, result) {
  const decimals = Math.max(2, (result.split(".")[1] ?? "").length);
  return Math.abs(value - read(result)) <= 0.5 * 10 ** -decimals + 1e-9 ? " = " : " ≈ ";
}

/** Text where the letter behind a _ is set lower, as in W_Q. @param {string} text @returns {Words} */
const lowered = (text) => text.split(/_(.)/).map((part, i) => (i % 2 ? make("sub", {}, part) : part));

/** A name in its colour. @param {string} role @param {string} text */
const coloured = (role, text) => make("span", { className: `cw-as-${role}` }, ...lowered(text));

/** @param {string} token */
const quoted = (token) => make("bdi", {}, `“${token}”`);

/** A number behind a dot or a slash: in brackets where it is below 0. @param {string} text */
const factor = (text) => (text.startsWith("−") ? `(${text})` : text);

/** @typedef {{size: number, read: number, words: Words}} Term with what its numbers give as they are shown */

/** The terms that a sum names: all, or the largest of many. @param {Term[]} terms */
const namedOf = (terms) => (terms.length <= MOST_TERMS ? terms
  : [...terms].sort((a, b) => Math.abs(b.size) - Math.abs(a.size)).slice(0, MOST_TERMS).filter(({ size }) => Math.abs(size) >= 0.0005));

/** A sum: the terms that it names, and what the others come to. @param {Term[]} terms @returns {{words: Words, read: number}} */
function sumOf(terms) {
  const shown = namedOf(terms);
  /** @type {Words} */
  const words = shown.flatMap((term, i) => (i ? [" + ", ...term.words] : term.words));
  const left = terms.filter((term) => !shown.includes(term));
  const rest = left.reduce((sum, { size }) => sum + size, 0);
  const others = Math.abs(rest) >= 0.0005 ? show(rest) : "0";
  if (others !== "0") words.push(` + ${factor(others)} (the other ${left.length})`);
  return { words: words.length ? words : ["0"], read: shown.reduce((sum, term) => sum + term.read, read(others)) };
}

/**
 * @param {Known} known
 * @param {Spot} spot
 * @returns {Answer}
 */
export function answerOf(known, [name, row, column]) {
  const { tensors, tokens } = known, tensor = tensors[name], rule = tensor.rule;
  const result = tensor.numbers[row][column];
  const isOf = (/** @type {number} */ count) => count === tokens.length;
  const role = tensor.role ?? "input";
  /** @type {Words} */
  const start = isOf(tensor.numbers.length)
    ? isOf(tensor.numbers[0].length)
      ? [coloured(role, tensor.called), " of ", quoted(tokens[row]), " for ", quoted(tokens[column]), ": "]
      : [coloured(role, tensor.called), " of ", quoted(tokens[row]), `, number ${column}: `]
    : [coloured(role, tensor.called), `, row ${row}, number ${column}: `];
  const made = rule ? MADE[rule.kind](known, rule, row, column, result) : null;
  if (made) return { ...made, words: [...start, ...(known.toFind ? withoutNumbers(known, /** @type {Rule} */ (rule), made.frames) : made.words)] };
  const words = isOf(tensor.numbers[0].length) // a mask
    ? [quoted(tokens[row]), result ? " may attend to " : " may not attend to ", quoted(tokens[column])]
    : known.toFind ? start.slice(0, 3) : [...start, make("strong", {}, show(result))];
  return { words, frames: [], lines: [] };
}

/**
 * What a number is made of, where the numbers are to be found.
 * @param {Known} known
 * @param {Rule} rule
 * @param {Frame[]} frames
 * @returns {Words}
 */
function withoutNumbers(known, { kind, over_words: divisor, weights }, frames) {
  if (kind === "Softmax") return ["its share of the row, which the softmax makes of the scores"];
  if (kind === "Mix") {
    const shares = known.tensors[weights[0]].numbers[frames[0][1]].map(Number), largest = Math.max(...shares);
    const isOne = shares.filter((share) => share === largest).length === 1;
    return ["all values, mixed by the weights", ...(isOne ? [", most of all that of ", quoted(known.tokens[shares.indexOf(largest)])] : [])];
  }
  const [left, right] = frames.map(([name, row]) => {
    const { called, numbers } = known.tensors[name], isToken = numbers.length === known.tokens.length;
    return [...(isToken ? [] : [`row ${row} of `]), ofTensor(known, name, called), ...(isToken ? [" of ", quoted(known.tokens[row])] : [])];
  });
  return [...left, " times ", ...right, ...(divisor ? lowered(`, divided by ${divisor}`) : [])];
}

/** Words of a tensor in its colour, or plain where it is not drawn. @param {Known} known @param {string} name @param {string} text */
const ofTensor = (known, name, text) => (known.tensors[name].role ? coloured(String(known.tensors[name].role), text) : text);

/** @typedef {(known: Known, rule: Rule, row: number, column: number, result: number | null) => Answer} Maker */

/** @type {Record<Rule["kind"], Maker>} */
const MADE = {
  Dot(known, { rows, by, over, over_words: divisor, then }, row, column, result) {
    const left = known.tensors[rows].numbers[row], right = known.tensors[by].numbers[column];
    const terms = left.map((a, i) => ({
      size: Number(a) * Number(right[i]),
      read: read(show(a)) * read(show(right[i])),
      words: [ofTensor(known, rows, factor(show(a))), "·", ofTensor(known, by, factor(show(right[i])))],
    }));
    const total = terms.reduce((sum, { size }) => sum + size, 0);
    const sum = sumOf(terms), words = [...sum.words, sign(sum.read, show(total))], end = make("strong", {}, show(result, over === 1 ? 2 : 1));
    if (then) words.push(`${show(total)}, and ${then} makes of it `, end);
    else if (over !== 1) words.push(`${show(total)}, divided by ${divisor}: `, end);
    else words.push(end);
    return { words, frames: [[rows, row, null], [by, column, null]], lines: [] };
  },
  Masked(known, { scores, mask }, row, column, result) {
    const words = result === null ? ["the mask says False, so it becomes ", make("strong", {}, "−∞")]
      : ["the mask says True, so the score stays: ", make("strong", {}, show(result, 1))];
    return { words, frames: [[scores, row, column], [mask, row, column]], lines: [] };
  },
  Softmax(known, { scores }, row, column, result) {
    const numbers = known.tensors[scores].numbers[row], score = numbers[column];
    const parts = numbers.map((number) => (number === null ? 0 : Math.exp(number)));
    const part = show(parts[column], 1), sum = show(parts.reduce((total, part) => total + part, 0), 1);
    /** @type {Words} */
    const words = score === null ? ["e to −∞ is 0, so it is exactly ", make("strong", {}, "0")]
      : ["e", make("sup", {}, show(score)), " over the sum of its row, ", `${part} / ${sum}`, sign(read(part) / read(sum), show(result)), make("strong", {}, show(result))];
    return { words, frames: [[scores, row, null]], lines: [] };
  },
  Mix(known, { weights, values, seen }, row, column, result) {
    const shares = known.tensors[weights[column]].numbers[row];
    const terms = shares.map((weight, i) => {
      const value = known.tensors[values].numbers[i][column];
      /** @type {Words} */
      const words = [coloured("weights", show(weight)), "·", ofTensor(known, values, factor(show(value))), " ", quoted(known.tokens[i])];
      return { size: Number(weight) * Number(value), read: read(show(weight)) * read(show(value)), words };
    });
    const sum = sumOf(terms), named = namedOf(terms), largest = Math.max(...shares.map(Number));
    const meetsNothing = shares.filter((weight) => weight === largest).length === 1 && terms[shares.indexOf(largest)].size === 0;
    const words = terms.every(({ size }) => size === 0) ? ["all values that it attends to are ", make("strong", {}, "0")]
      : [...sum.words, sign(sum.read, show(result)), make("strong", {}, show(result)), ...(meetsNothing ? [`; the largest weight, ${show(largest)}, meets a 0`] : [])];
    const lines = shares.map((weight, i) => ({ from: /** @type {Spot} */ ([seen || values, i, column]), weight: Number(weight), value: known.tensors[values].numbers[i][column] }))
      .filter(({ weight }, i) => weight >= SEEN || (weight > 0 && named.includes(terms[i])));
    return { words, frames: [[weights[column], row, null]], lines };
  },
  Taken(known, { sources, start }, row, column, result) {
    const width = known.tensors[sources[0]].numbers[0].length, place = start + column;
    const source = sources[Math.floor(place / width)], from = place % width;
    const name = known.tensors[source].called;
    return { words: [`column ${from} of the `, ofTensor(known, source, name), ", ", make("strong", {}, show(result))], frames: [[source, row, from]], lines: [] };
  },
  Sum(known, { terms }, row, column, result) {
    const parts = terms.map((name) => show(known.tensors[name].numbers[row][column]));
    const sum = parts.reduce((sum, part) => sum + read(part), 0);
    return { words: [parts.map((part, i) => (i ? factor(part) : part)).join(" + "), sign(sum, show(result)), make("strong", {}, show(result))], frames: terms.map((name) => [name, row, column]), lines: [] };
  },
  Norm(known, { rows }, row, column, result) {
    const numbers = known.tensors[rows].numbers[row].map(Number), mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
    const spread = Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length + 1e-5);
    if (spread < 0.005) return { words: ["the numbers of its row are all alike: ", make("strong", {}, "0")], frames: [[rows, row, null]], lines: [] };
    const number = show(numbers[column]), value = (read(number) - read(show(mean))) / read(show(spread));
    const words = [`(${number} − ${factor(show(mean))}) / ${show(spread)}`, sign(value, show(result)), make("strong", {}, show(result)), ", less the mean of its row and divided by its spread"];
    return { words, frames: [[rows, row, null]], lines: [] };
  },
};
