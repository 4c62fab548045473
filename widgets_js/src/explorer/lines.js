// Lines from the queries to the keys, as thick and as strong in colour as their weights; where
// heads lie over one another, each has a colour of its own.
import { pageUsed, shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { setAll, svg } from "../shared/drawing.js";
import { together } from "./bars.js";
import { shortName } from "./data.js";

const MOST_LINES = 400;
const LEAST = 0.02; // thinner lines are left out
const STEPS = 20; // of the pale lines' colours and widths
const WIDTH = 340, SIDE = 104, TALL = 400;

/** @param {import("./look.js").Look} look */
export function lines(look) {
  const { queryLen, keyLen } = look.data, longest = Math.max(queryLen, keyLen);
  const rowHeight = Math.min(Math.max(TALL / longest, 12), 20), height = longest * rowHeight + 26;
  const pale = svg("g", { class: "cw-pale" }), spoken = svg("g"), words = svg("g");
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "cw-lines", "aria-hidden": "true" },
    svg("text", { x: SIDE, y: 12, class: "cw-end cw-title cw-as-query" }, "query"),
    svg("text", { x: WIDTH - SIDE, y: 12, class: "cw-title cw-as-key" }, "key"), pale, spoken, words);
  const note = make("p", { className: "cw-legend" });
  const box = make("div", { className: "cw-lines-box", tabIndex: 0, role: "region", "aria-label": "lines from queries to keys" }, drawing);
  const node = make("div", {}, box, note);
  const y = (/** @type {number} */ place) => 22 + (place + 0.5) * rowHeight;
  /** @type {SVGTextElement[][]} the words of both sides, queries first */
  let sides = [];
  /** @type {{index: number, colour: string, weights: Float64Array}[]} */
  let heads = [];
  /** @type {SVGTextElement | undefined} the word that is spoken of */
  let word;
  let built = "";

  function write() {
    const { queries, keys } = look.data;
    sides = [queries, keys].map((texts, side) => texts.map((text, place) => {
      const short = text.length > 15 ? text.slice(0, 14) + "…" : text;
      const word = svg("text", { x: side ? WIDTH - SIDE + 6 : SIDE - 6, y: y(place) + 4, class: side ? "" : "cw-end" },
        svg("title", {}, text), short);
      word.addEventListener("pointerenter", () => look.point(side ? { ...look.at(), key: place } : { ...look.at(), query: place }));
      word.addEventListener("pointerleave", () => look.point(null));
      word.addEventListener("click", () => look.set(side ? { key: place, asks: "key" } : { query: place, asks: "query" }));
      return word;
    }));
    words.replaceChildren(...sides.flat());
  }

  write();

  /** All lines, pale: one path for those of about the same weight, since hundreds of nodes would be slow. */
  function draw() {
    heads = together(look).map(({ index, colour }) => ({ index, colour, weights: look.weights(index) }));
    const all = heads.flatMap(({ weights }, head) => {
      const found = [];
      for (let i = 0; i < weights.length; i++) if (weights[i] >= LEAST) found.push({ weight: weights[i], i, head });
      return found;
    }).sort((a, b) => b.weight - a.weight);
    const kept = all.slice(0, MOST_LINES);
    /** @type {Map<string, {head: number, step: number, d: string}>} */
    const paths = new Map();
    for (const { weight, i, head } of kept) {
      const step = Math.round(STEPS * weight), name = `${head} ${step}`, path = paths.get(name) ?? { head, step, d: "" };
      path.d += `M${SIDE} ${y(Math.floor(i / keyLen))}L${WIDTH - SIDE} ${y(i % keyLen)}`;
      paths.set(name, path);
    }
    pale.replaceChildren(...[...paths.values()].reverse().map(({ head, step, d }) => svg("path", { d, ...lookOf(step / STEPS, head) })));
    note.replaceChildren(...(heads.length > 1 ? heads.flatMap(({ index, colour }) => {
      const mark = make("i");
      mark.style.background = colour;
      return [mark, shortName(look.data, index) + " "];
    }) : []), `Lines of ${100 * LEAST}% and more` + (kept.length < all.length ? `, the ${MOST_LINES} thickest and those of the ${look.asksKey() ? "key" : "query"}.` : "."));
  }

  /** @param {number} weight @param {number} head its place among those that lie over one another */
  const lookOf = (weight, head) => ({ stroke: heads.length > 1 ? heads[head].colour : shadeOf(weight).background, "stroke-width": 0.5 + 3.5 * weight });

  /** The lines and the word that are spoken of. */
  function mark() {
    const at = look.at(), isKey = look.asksKey(), place = isKey ? at.key : at.query;
    spoken.replaceChildren(...heads.flatMap(({ weights }, head) => {
      const found = [];
      for (let i = 0; i < (isKey ? queryLen : keyLen); i++) {
        const [query, key] = isKey ? [i, place] : [place, i], weight = weights[query * keyLen + key];
        if (weight >= LEAST) found.push(svg("line", { x1: SIDE, y1: y(query), x2: WIDTH - SIDE, y2: y(key), ...lookOf(weight, head) }));
      }
      return found;
    }));
    if (word) setAll(word, { "aria-current": "false" });
    word = sides[isKey ? 1 : 0][place];
    if (word) setAll(word, { "aria-current": "true" });
  }

  return {
    node,
    update() {
      const key = [look.index(), look.get("causal"), look.get("temperature"), look.overlaid(), pageUsed()].join();
      if (key !== built) {
        draw();
        built = key;
      }
      if (!look.isPointing()) { // what is chosen is in sight
        const middle = y(look.asksKey() ? look.get("key") : look.get("query")) / height * box.scrollHeight;
        if (middle < box.scrollTop || middle > box.scrollTop + box.clientHeight) box.scrollTop = middle - box.clientHeight / 2;
      }
      mark();
    },
  };
}
