// The same from the model itself, in this browser: what the engine says, in the shape of a view.
import { oneLine } from "../board/story.js";
import { spelt } from "../board/words.js";
import { Cancelled } from "../breaker/engine.js";
import { mostProbable, softmax } from "../breaker/writing.js";
import { HEADS, LAYERS } from "./stored.js";

/** @typedef {import("../board/view.js").View} View */
/** @typedef {import("./link.js").Kept} Kept */

export const WRITING = "The model is writing …";
const NEW = 16, TOP = 8, DRAWS = 20, COUNT = LAYERS * HEADS;

/**
 * @param {import("../breaker/engine.js").Engine} engine
 * @param {(view: View, doing: string) => void} onView a view, as far as it is known; what is still being computed
 */
export function makeLive(engine, onView) {
  /** The sentence with all its heads. */
  let whole = { key: "", ids: /** @type {number[]} */ ([]), before: "", written: /** @type {number[]} */ ([]),
    chances: new Float32Array(), scores: /** @type {View["scores"]} */ ({}) };
  let turn = 0;
  /** @param {number} i @returns {[number, number]} */
  const pair = (i) => [Math.floor(i / HEADS), i % HEADS];

  /** @param {number[]} ids @param {Kept} kept @param {number[]} off @param {number[]} [draft] @param {(text: string) => void} [onText] */
  async function write(ids, { temperature, seed }, off, draft, onText) {
    /** @type {number[]} */
    const written = [];
    for await (const { id } of engine.write(ids, { maxNew: NEW, headsOff: off.map(pair), temperature, seed, draft })) {
      written.push(id);
      const text = engine.decode(written);
      onText?.(oneLine(text));
      if (text.includes("\n")) break;
    }
    return { written, text: oneLine(engine.decode(written)) };
  }

  /**
   * Compute a view, part by part; a later call ends this one.
   * @param {Kept} kept
   * @param {{effects: boolean, known: (number | null)[] | null}} wanted whether to try each head alone; what is known of that
   */
  async function show(kept, { effects, known }) {
    const mine = ++turn, { text, off, temperature, seed } = kept;
    engine.cancel();
    try {
      const ids = engine.encode(text), key = JSON.stringify([text, temperature, seed]);
      const pieces = ids.map((id) => spelt(engine.decode([id])));
      /** @type {View} */
      const view = { text, off, pieces, before: "", after: null, scores: {}, error: 0, next: [], weight: () => 0, control: null };
      const say = (/** @type {string} */ doing) => mine === turn && onView({ ...view }, doing);
      const size = ids.length;
      /** @param {Float32Array} maps */
      const take = (maps) => {
        view.weight = (head, query, at) => maps[(head * size + query) * size + at];
      };
      if (whole.key !== key) {
        const { logits, weights = new Float32Array() } = await engine.run(ids, { maps: true });
        if (mine !== turn) return;
        take(weights);
        view.scores = { ...scoresOf(weights, ids), ...(known && { "effect when off": known }) };
        view.off = []; // so far
        const { written, text: before } = await write(ids, kept, [], undefined, (so) => {
          view.before = view.after = so;
          say(WRITING);
        });
        if (mine !== turn) return;
        view.off = off;
        whole = { key, ids, before, written, chances: softmax(logits), scores: view.scores };
      }
      Object.assign(view, { before: whole.before, after: off.length ? null : whole.before, scores: whole.scores });
      const run = await engine.run(ids, { headsOff: off.map(pair), maps: true });
      if (mine !== turn) return;
      if (run.weights) take(run.weights);
      const chances = softmax(run.logits), most = chances.map((p, i) => Math.max(p, whole.chances[i]));
      const watch = mostProbable(most, TOP).sort((a, b) => whole.chances[b] - whole.chances[a]);
      view.next = watch.map((id) => [spelt(engine.decode([id])), whole.chances[id], chances[id]]);
      if (off.length) {
        const { text: after } = await write(ids, kept, off, whole.written, (so) => {
          view.after = so;
          say(WRITING);
        });
        view.after = after;
      }
      say("");
      if (off.length && off.length < COUNT - off.length) {
        const control = { same: 0, done: 0, of: DRAWS, others: /** @type {string[]} */ ([]) };
        /** @type {number[][]} */
        const draws = [];
        view.control = control;
        say("Drawing other heads …");
        await engine.control(ids, { headsOff: off.map(pair), draws: DRAWS, seed, maxNew: NEW, temperature, watch }, ({ text: drawn, chances, of }) => {
          Object.assign(control, { of, isEvery: of < DRAWS });
          control.done = draws.push(chances);
          view.next = view.next.map(([token, all, without], i) => {
            const found = draws.map((draw) => draw[i]);
            return [token, all, without, found.reduce((sum, p) => sum + p) / found.length, Math.min(...found), Math.max(...found)];
          });
          const line = oneLine(drawn);
          if (line === view.before) control.same++;
          else if (!control.others.includes(line)) control.others.push(line);
          say("Drawing other heads …");
        });
        say("");
      }
      if (effects && whole.scores["effect when off"]?.includes(null) !== false) await addEffects(ids, mine, view, say);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  /** @param {number[]} ids @param {number} mine @param {View} view @param {(doing: string) => void} say */
  async function addEffects(ids, mine, view, say) {
    /** @type {(number | null)[]} */
    const effects = whole.scores["effect when off"] ?? new Array(COUNT).fill(null);
    view.scores = whole.scores = { ...whole.scores, "effect when off": effects }; // what is known stays known
    for (let i = COUNT - 1; i >= 0; i--) { // the last layers are quick: only what follows is computed anew
      if (effects[i] !== null) continue;
      const { logits } = await engine.run(ids, { headsOff: [pair(i)] });
      if (mine !== turn) return;
      const chances = softmax(logits);
      effects[i] = chances.reduce((sum, p, id) => sum + Math.abs(p - whole.chances[id]), 0) / 2;
      if (i % HEADS === 0) say(i ? `Each head is taken away alone: ${COUNT - i} of ${COUNT} …` : "");
    }
  }

  return {
    show,
    /** Stop what is being computed in the background. */
    stop() {
      turn++;
      engine.cancel();
    },
  };
}

/**
 * The scores of all heads, as course_lib.study.heads defines them; null where a text has no such pair.
 * @param {Float32Array} maps (LAYERS, HEADS, size, size)
 * @param {number[]} ids
 * @returns {View["scores"]}
 */
export function scoresOf(maps, ids) {
  const size = ids.length;
  /** @type {[number, number][]} query and key */
  const repeats = [];
  ids.forEach((id, query) => {
    for (let key = 1; key <= query; key++) if (ids[key - 1] === id && key - 1 < query) repeats.push([query, key]);
  });
  const mean = (/** @type {[number, number][]} */ cells, count = cells.length) => (count ? Array.from({ length: COUNT }, (_, head) =>
    cells.reduce((sum, [query, key]) => sum + maps[(head * size + query) * size + key], 0) / count) : null);
  const later = ids.slice(1).map((_, i) => i + 1);
  return { induction: mean(repeats, new Set(repeats.map(([query]) => query)).size),
    "previous token": mean(later.map((query) => [query, query - 1])), "first token": mean(later.map((query) => [query, 0])),
    "own token": mean(ids.map((_, query) => [query, query])) };
}
