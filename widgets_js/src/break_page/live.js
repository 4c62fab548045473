// The same from the model itself, in this browser: what the engine says, in the shape of a view.
import { oneLine } from "../board/story.js";
import { EFFECT } from "../board/view.js";
import { spelt } from "../board/words.js";
import { Cancelled } from "../breaker/engine.js";
import { mostProbable, softmax } from "../breaker/writing.js";
import { HEADS, LAYERS, mannerOf, withSign } from "./stored.js";

/** @typedef {import("../board/view.js").View} View */
/** @typedef {import("./link.js").Kept} Kept */

export const WRITING = "The model is writing …";
const TOP = 8, DRAWS = 20, COUNT = LAYERS * HEADS;
const CONTROL_NEW = 8; // tokens of each draw, so that 20 of them do not last
/** @param {number} i @returns {[number, number]} */
const pair = (i) => [Math.floor(i / HEADS), i % HEADS];
const chatOf = (/** @type {string} */ text) => `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;

/**
 * @param {import("../breaker/engine.js").Engine} engine
 * @param {(view: View, doing: string) => void} onView a view, as far as it is known; what is still being computed
 * @param {() => void} onEffects more effects are known than before: they stand in the view's scores
 */
export function makeLive(engine, onView, onEffects) {
  /** The sentence with all its heads. */
  let whole = { key: "", how: "", before: "", written: /** @type {number[]} */ ([]), logits: /** @type {Float32Array} */ (new Float32Array()), scores: /** @type {View["scores"]} */ ({}) };
  let turn = 0, trying = { key: "", isOn: false };
  const idsOf = (/** @type {string} */ text, /** @type {boolean} */ isChat) => engine.encode(isChat ? chatOf(text) : text);
  const piecesOf = (/** @type {number[]} */ ids) => ids.map((id) => spelt(engine.token(id)));

  /** The tokens of a text, or in words why they cannot be read. @param {Kept} kept */
  function tokensOf({ text, other, length, isChat }) {
    const ids = idsOf(text, isChat), most = engine.maxTokens - length;
    if (ids.length > most) throw new Error(`it has ${ids.length} tokens, and the page reads at most ${most} where it writes ${length} more`);
    const otherIds = other ? idsOf(other, isChat) : undefined;
    if (otherIds && otherIds.length !== ids.length) {
      throw new Error(`the other sentence must have as many tokens: this one has ${ids.length} (${piecesOf(ids).join("|")}), the other ${otherIds.length} (${piecesOf(otherIds).join("|")})`);
    }
    return { ids, otherIds };
  }

  /**
   * @param {number[]} ids
   * @param {Kept} kept
   * @param {import("../breaker/engine.js").Writing} changed
   * @param {(text: string) => void} [onText]
   */
  async function write(ids, { temperature, seed, length, isChat }, changed, onText) {
    /** @type {number[]} */
    const written = [];
    const read = () => (isChat ? ` ${engine.decode(written)}` : oneLine(engine.decode(written)));
    for await (const { id } of engine.write(ids, { maxNew: length, temperature, seed, ...changed })) {
      written.push(id);
      onText?.(read());
      if (!isChat && engine.decode(written).includes("\n")) break;
    }
    const isCut = written.length >= length && !engine.decode(written).includes("\n");
    return { written, text: isCut ? withSign(read()) : read() };
  }

  /**
   * Compute a view, part by part; a later call ends this one.
   * @param {Kept} kept
   * @param {{effects: boolean, known: View["scores"]}} wanted whether to try each head alone; scores that are known
   */
  async function show(kept, { effects, known }) {
    const mine = ++turn, { text, off, temperature, seed, length, isChat } = kept, key = JSON.stringify([text, isChat]);
    const how = JSON.stringify([key, temperature, seed, length]);
    engine.cancel({ effects: key !== whole.key });
    try {
      const { ids, otherIds } = tokensOf(kept), changed = { changes: changesOf(kept), otherIds };
      /** @type {View} */
      const view = { text, off, pieces: piecesOf(ids), before: "", after: null, scores: {}, error: 0, next: [], weight: () => 0, control: null, ...mannerOf(kept) };
      const say = (/** @type {string} */ doing) => mine === turn && onView({ ...view }, doing);
      const size = ids.length;
      /** @param {Float32Array} maps */
      const take = (maps) => {
        view.weight = (head, query, at) => maps[(head * size + query) * size + at];
      };
      if (whole.how !== how) {
        const { logits, weights = new Float32Array() } = await engine.run(ids, { maps: true });
        if (mine !== turn) return;
        take(weights);
        view.scores = whole.key === key ? whole.scores : { ...scoresOf(weights, ids), [EFFECT]: new Array(COUNT).fill(null), ...known };
        view.off = []; // so far
        const { written, text: before } = await write(ids, kept, {}, (so) => {
          view.before = view.after = so;
          say(WRITING);
        });
        if (mine !== turn) return;
        view.off = off;
        whole = { key, how, before, written, logits, scores: view.scores };
      }
      Object.assign(view, { before: whole.before, after: off.length ? null : whole.before, scores: whole.scores });
      const run = await engine.run(ids, { ...changed, maps: true });
      if (mine !== turn) return;
      if (run.weights) take(run.weights);
      const all = softmax(whole.logits, temperature || 1), chances = softmax(run.logits, temperature || 1);
      const most = chances.map((p, i) => Math.max(p, all[i]));
      const watch = mostProbable(most, TOP).sort((a, b) => all[b] - all[a]);
      view.next = watch.map((id) => [spelt(engine.token(id)), all[id], chances[id]]);
      if (off.length) {
        const { text: after } = await write(ids, kept, { ...changed, draft: whole.written }, (so) => {
          view.after = so;
          say(WRITING);
        });
        view.after = after;
      }
      say("");
      if (effects) tryEach(ids);
      if (off.length && off.length < COUNT - off.length) {
        const control = { same: 0, done: 0, of: DRAWS, others: /** @type {string[]} */ ([]) };
        /** @type {number[][]} */
        const draws = [];
        view.control = control;
        say("Drawing other heads …");
        const short = Math.min(length, CONTROL_NEW), before = oneLine(engine.decode(whole.written.slice(0, short)));
        await engine.control(ids, { ...changed, draws: DRAWS, seed, maxNew: short, temperature, watch }, ({ text: drawn, chances, of }) => {
          Object.assign(control, { of, isEvery: of < DRAWS });
          control.done = draws.push(chances);
          view.next = view.next.map(([token, all, without], i) => {
            const found = draws.map((draw) => draw[i]);
            return [token, all, without, found.reduce((sum, p) => sum + p) / found.length, Math.min(...found), Math.max(...found)];
          });
          const line = oneLine(drawn), shown = line === drawn && !isChat ? withSign(line) : line;
          if (line === before) control.same++;
          else if (!control.others.includes(shown)) control.others.push(shown);
          say("Drawing other heads …");
        });
        say("");
      }
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  /** Try each head alone whose effect nobody knows, behind all else. @param {number[]} ids */
  function tryEach(ids) {
    const effects = whole.scores[EFFECT], { key } = whole;
    if (!effects || (trying.key === key && trying.isOn)) return;
    const heads = effects.flatMap((effect, i) => (effect === null ? [pair(i)] : []));
    const mine = (trying = { key, isOn: heads.length > 0 });
    if (!heads.length) return;
    engine.effects(ids, { heads }, ({ head: [layer, head], effect }) => {
      effects[layer * HEADS + head] = effect;
      if (key === whole.key) onEffects();
    }).catch((error) => {
      if (!(error instanceof Cancelled)) throw error;
    }).finally(() => {
      mine.isOn = false;
    });
  }

  return {
    show,
    /** The maps of a text with all heads as they are. @param {string} text @param {boolean} isChat @returns {Promise<Pick<View, "text" | "pieces" | "weight">>} */
    async mapsOf(text, isChat) {
      const ids = idsOf(text, isChat), size = ids.length, { weights = new Float32Array() } = await engine.run(ids, { maps: true });
      return { text, pieces: piecesOf(ids), weight: (head, query, at) => weights[(head * size + query) * size + at] };
    },
    /** Stop what is being computed. */
    stop() {
      turn++;
      trying.key = "";
      engine.cancel();
    },
  };
}

/** What is done to the heads. @param {Kept} kept @returns {import("../breaker/engine.js").Change[]} */
const changesOf = ({ off, gain, other }) => off.map((i) => [...pair(i), other ? 1 : gain]);

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
