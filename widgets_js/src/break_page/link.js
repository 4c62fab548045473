// The address of a page that keeps sentence and heads: #text=...&off=23.4,11.7
import { namesOf } from "../board/words.js";
import { HEADS, LAYERS } from "./stored.js";

/** @typedef {{text: string, off: number[], temperature: number, seed: number}} Kept */

/** @param {Kept} kept */
export function toHash({ text, off, temperature, seed }) {
  const all = new URLSearchParams({ text, off: off.map(namesOf(HEADS).short).join(",") });
  if (temperature) {
    all.set("temperature", String(temperature));
    all.set("seed", String(seed));
  }
  return "#" + all;
}

/** What an address asks for, or null where it asks for nothing. @param {string} hash @returns {Kept | null} */
export function fromHash(hash) {
  const all = new URLSearchParams(hash.slice(1)), text = all.get("text");
  if (!text) return null;
  const heads = (all.get("off") ?? "").split(",").flatMap((name) => {
    const [, layer, head] = (/^(\d+)\.(\d+)$/.exec(name) ?? []).map(Number);
    return layer < LAYERS && head < HEADS ? [layer * HEADS + head] : [];
  });
  const temperature = Number(all.get("temperature")), seed = Number(all.get("seed"));
  return { text: text.slice(0, 400), off: [...new Set(heads)].sort((a, b) => a - b),
    temperature: temperature > 0 && temperature <= 2 ? temperature : 0, seed: Number.isInteger(seed) ? seed : 0 };
}
