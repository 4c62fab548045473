// The small maps of all heads are painted in slices of time, when the browser has nothing better
// to do, so that no one waits for them. What numbers the order needs is computed on the way.
import { entropyScore, firstScore, offsetScore } from "./head_scores.js";
import { paintSmall } from "./paint.js";

const SLICE = 4; // milliseconds
const HEAD_START = 50; // milliseconds in which the large map comes first
const PATIENCE = 200; // then a slice comes even if the browser is never idle
const EDGE = 0xff808080; // grey, on either page
const PICTURE = 1, NUMBERS = 2; // what a head waits for

/** @type {(work: () => void) => number} */
const whenIdle = window.requestIdleCallback ? (work) => window.requestIdleCallback(work, { timeout: PATIENCE }) : (work) => window.setTimeout(work, 1);
const forget = window.cancelIdleCallback ?? window.clearTimeout;

/**
 * @param {import("./look.js").Look} look
 * @param {ReturnType<typeof import("./sheet.js").makeSheet>} sheet
 * @param {() => number[]} shown which heads are on the sheet
 * @param {() => boolean} needsNumbers whether the heads are ordered by what is computed here
 * @param {() => void} onNumbers all heads have their numbers
 */
export function makeTiles(look, sheet, shown, needsNumbers, onNumbers) {
  const { count, queryLen, keyLen } = look.data;
  const waits = new Uint8Array(count).fill(PICTURE | NUMBERS);
  /** @type {Record<string, number>[]} */
  const numbers = [];
  let turn = 0, timer = 0, delay = 0, missing = count;

  /** @param {number} index */
  function paintOne(index) {
    const { width, height } = sheet.size();
    if (!width || !height) return;
    const weights = look.compute(index);
    let most = 1;
    if (look.get("stretch")) most = weights.reduce((a, b) => Math.max(a, b), 1e-9);
    const picture = { weights, minus: null, scores: look.data.scores(index), causal: look.get("causal"), most, queryLen, keyLen };
    sheet.put(index, paintSmall(picture, width, height, EDGE));
  }

  /** @param {number} index */
  function computeOne(index) {
    const causal = look.get("causal"), raw = look.data.scores(index), weights = look.compute(index);
    /** @param {number} query @param {number} key */
    const allowed = (query, key) => {
      const score = raw[query * keyLen + key];
      return score === score && (!causal || key <= query + keyLen - queryLen);
    };
    numbers[index] = {
      entropy: entropyScore(weights, queryLen, keyLen, allowed),
      previous: offsetScore(weights, queryLen, keyLen, -1),
      diagonal: offsetScore(weights, queryLen, keyLen, 0),
      first: firstScore(weights, queryLen, keyLen),
    };
    if (waits[index] & NUMBERS) missing--;
  }

  /** Do one thing that waits; the heads come in turn, also while they change again and again. */
  function step() {
    const heads = shown();
    for (let n = 0; n < heads.length; n++) {
      const place = (turn + n) % heads.length, index = heads[place];
      if (!(waits[index] & PICTURE)) continue;
      paintOne(index);
      waits[index] &= ~PICTURE;
      turn = place + 1;
      return true;
    }
    const index = needsNumbers() && missing ? waits.findIndex((bits) => (bits & NUMBERS) > 0) : -1;
    if (index < 0) return false;
    computeOne(index);
    waits[index] &= ~NUMBERS;
    if (!missing) onNumbers();
    return true;
  }

  function slice() {
    timer = 0;
    const end = performance.now() + SLICE;
    while (performance.now() < end) if (!step()) return;
    go();
  }
  function go() {
    timer ||= whenIdle(slice);
  }

  return {
    go,
    /** Begin again: the mask, the temperature or the contrast is another. */
    restart() {
      waits.fill(PICTURE | NUMBERS);
      missing = count;
      delay ||= window.setTimeout(() => {
        delay = 0;
        go();
      }, HEAD_START);
    },
    /** The maps have another size, or others are shown. */
    repaint() {
      for (let i = 0; i < count; i++) waits[i] |= PICTURE;
      go();
    },
    isReady: () => missing === 0,
    /** @param {number} index @param {string} name */
    number: (index, name) => numbers[index]?.[name] ?? 0,
    stop() {
      window.clearTimeout(delay);
      forget(timer);
      timer = delay = 0;
    },
  };
}
