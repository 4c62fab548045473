// Lines from the queries to the keys, as thick and as strong in colour as their weights; where
// heads lie over one another, each has a colour of its own.
import { pageUsed, shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { setAll, svg } from "../shared/drawing.js";
import { together } from "./bars.js";
import { shortName } from "./data.js";

const MOST_LINES = 400;
const LEAST = 0.02; // thinner lines are left out
const WIDTH = 340, SIDE = 104, TALL = 400;

/** @param {import("./look.js").Look} look */
export function lines(look) {
  const { queryLen, keyLen } = look.tokens(), longest = Math.max(queryLen, keyLen);
  const rowHeight = Math.min(Math.max(TALL / longest, 12), 20), height = longest * rowHeight + 26;
  const paths = svg("g"), words = svg("g");
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "cw-lines", "aria-hidden": "true" },
    svg("text", { x: SIDE, y: 12, class: "cw-end cw-title cw-as-query" }, "query"),
    svg("text", { x: WIDTH - SIDE, y: 12, class: "cw-title cw-as-key" }, "key"), paths, words);
  const note = make("p", { className: "cw-legend" });
  const box = make("div", { className: "cw-lines-box", tabIndex: 0, role: "region", "aria-label": "lines from queries to keys" }, drawing);
  const node = make("div", {}, box, note);
  const y = (/** @type {number} */ place) => 22 + (place + 0.5) * rowHeight;
  /** @type {SVGTextElement[][]} the words of both sides, queries first */
  let sides = [];
  /** @type {SVGLineElement[][][]} the lines of each query, and of each key */
  let drawn = [];
  let built = "", written = "";
  /** @type {{nodes: SVGLineElement[], word: SVGTextElement | undefined}} what is spoken of */
  let marked = { nodes: [], word: undefined };

  function write() {
    const { queries, keys } = look.tokens();
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

  function draw() {
    const heads = together(look);
    const all = heads.flatMap(({ index, colour }) => {
      const weights = look.weights(look.variant(), index), found = [];
      for (let i = 0; i < weights.length; i++) {
        if (weights[i] >= LEAST) found.push({ weight: weights[i], query: Math.floor(i / keyLen), key: i % keyLen, colour });
      }
      return found;
    }).sort((a, b) => b.weight - a.weight);
    const kept = all.slice(0, MOST_LINES);
    drawn = [queryLen, keyLen].map((count) => Array.from({ length: count }, () => []));
    const nodes = kept.map(({ weight, query, key, colour }) => {
      const line = svg("line", { x1: SIDE, y1: y(query), x2: WIDTH - SIDE, y2: y(key), "stroke-width": 0.5 + 3.5 * weight,
        stroke: heads.length > 1 ? colour : shadeOf(weight).background });
      drawn[0][query].push(line);
      drawn[1][key].push(line);
      return line;
    });
    paths.replaceChildren(...nodes.reverse()); // the strongest lie on top
    note.replaceChildren(...(heads.length > 1 ? heads.flatMap(({ index, colour }) => {
      const mark = make("i");
      mark.style.background = colour;
      return [mark, shortName(look.data, index) + " "];
    }) : []), `Lines of ${100 * LEAST}% and more` + (kept.length < all.length ? `, the ${MOST_LINES} thickest.` : "."));
  }

  /** The lines and the word that are spoken of: only what changes is touched. */
  function mark() {
    const at = look.at(), side = look.asksKey() ? 1 : 0, place = side ? at.key : at.query;
    for (const line of marked.nodes) line.classList.remove("cw-spoken-of");
    if (marked.word) setAll(marked.word, { "aria-current": "false" });
    marked = { nodes: drawn[side][place], word: sides[side][place] };
    for (const line of marked.nodes) line.classList.add("cw-spoken-of");
    if (marked.word) setAll(marked.word, { "aria-current": "true" });
  }

  return {
    node,
    update() {
      const of = look.tokens(), spoken = [look.variant(), of.queryLen, of.keyLen].join();
      if (spoken !== written) {
        write();
        written = spoken;
      }
      const key = [spoken, look.index(), look.get("causal"), look.get("temperature"), look.overlaid(), pageUsed()].join();
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
