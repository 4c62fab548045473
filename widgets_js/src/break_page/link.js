// The address of a page that keeps what was asked for, #text=...&off=23.4,11.7, and what came of it.
import { dotted, HEADS, LAYERS } from "./stored.js";

/** @typedef {{text: string, off: number[], gain: number, other: string, temperature: number, seed: number, length: number, isChat: boolean}} Kept gain: how many times the heads in `off` speak; other: a sentence whose outputs they take, or nothing; length: tokens that are written */
/** @typedef {{before: string, after: string, same: number, done: number, next: [string, number, number, number] | null}} Result what was written, how many draws changed nothing, and the likeliest token: with all heads, with the changed ones, by chance */

export const LENGTH = 8, MOST_NEW = 100;
/** What stands in no address, since it is so unless one says otherwise. @type {Omit<Kept, "text" | "off">} */
export const PLAIN = { gain: 0, other: "", temperature: 0, seed: 0, length: LENGTH, isChat: false };
/** @param {Kept} kept */
export const isPlain = (kept) => Object.entries(PLAIN).every(([name, value]) => kept[/** @type {keyof Kept} */ (name)] === value);

/** @param {Kept} kept @param {Result | null} [result] */
export function toHash({ text, off, ...how }, result) {
  const all = new URLSearchParams({ text, off: off.map(dotted).join(",") });
  if (how.gain) all.set("gain", String(how.gain));
  if (how.other) all.set("other", how.other);
  if (how.temperature) {
    all.set("temperature", String(how.temperature));
    all.set("seed", String(how.seed));
  }
  if (how.length !== LENGTH) all.set("length", String(how.length));
  if (how.isChat) all.set("chat", "1");
  if (result) all.set("result", JSON.stringify(result));
  return "#" + all;
}

/** What an address asks for, or null where it asks for nothing. @param {string} hash @returns {Kept | null} */
export function fromHash(hash) {
  const all = new URLSearchParams(hash.slice(1)), text = all.get("text");
  if (!text?.trim()) return null;
  const heads = (all.get("off") ?? "").split(",").flatMap((name) => {
    const [, layer, head] = (/^(\d+)\.(\d+)$/.exec(name) ?? []).map(Number);
    return layer < LAYERS && head < HEADS ? [layer * HEADS + head] : [];
  });
  /** @type {(name: string, low: number, high: number, otherwise: number) => number} */
  const number = (name, low, high, otherwise) => {
    const found = Number(all.get(name) ?? NaN);
    return found >= low && found <= high ? found : otherwise;
  };
  return { text, off: [...new Set(heads)].sort((a, b) => a - b), other: all.get("other") ?? "",
    gain: number("gain", 0, 2, 0), temperature: number("temperature", 0, 2, 0), seed: Math.floor(number("seed", 0, 1e9, 0)),
    length: Math.floor(number("length", 1, MOST_NEW, LENGTH)), isChat: all.has("chat") };
}

/** What is kept of what is shown. @param {import("../board/view.js").View} view @returns {Result} */
export function resultIn({ before, after, control, next }) {
  const [first] = [...next].sort((a, b) => b[1] - a[1]);
  const rounded = (/** @type {number} */ p) => Math.round(1e4 * p) / 1e4;
  return { before, after: after ?? "", same: control?.same ?? 0, done: control?.done ?? 0,
    next: first ? [first[0], rounded(first[1]), rounded(first[2]), rounded(first[3] ?? first[1])] : null };
}

/** What an address says that came of it, or null. @param {string} hash @returns {Result | null} */
export function resultOf(hash) {
  const isShare = (/** @type {unknown} */ p) => typeof p === "number" && p >= 0 && p <= 1;
  try {
    const { before, after, same, done, next } = JSON.parse(new URLSearchParams(hash.slice(1)).get("result") ?? "null");
    const isNext = next === null || (typeof next[0] === "string" && next.length === 4 && next.slice(1).every(isShare));
    return typeof before === "string" && typeof after === "string" && same >= 0 && same <= done && done <= 20 && isNext ? { before, after, same, done, next } : null;
  } catch {
    return null;
  }
}
