// Lines from the queries to the keys, as thick as their weights; one colour for each head.
import { make } from "../shared/elements.js";
import { setAll, svg } from "../shared/drawing.js";
import { shortName } from "./data.js";
import { together } from "./bars.js";
import { shadeOf } from "../shared/colours.js";

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
  /** @type {SVGTextElement[][]} */
  let sides = [];
  /** @type {{query: number, key: number, node: SVGLineElement}[]} */
  let drawn = [];
  let built = "";

  function build() {
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
    drawn = kept.map(({ weight, query, key, colour }) => ({ query, key,
      node: svg("line", { x1: SIDE, y1: y(query), x2: WIDTH - SIDE, y2: y(key), stroke: heads.length > 1 ? colour : shadeOf(weight).background, "stroke-width": 0.5 + 3.5 * weight }) }));
    paths.replaceChildren(...drawn.map(({ node }) => node));
    note.replaceChildren(...heads.flatMap(({ index, colour }) => {
      const mark = make("i");
      mark.style.background = colour;
      return [mark, shortName(look.data, index) + " "];
    }), `Lines of ${100 * LEAST}% and more` + (kept.length < all.length ? `, the ${MOST_LINES} thickest.` : "."));
  }

  return {
    node,
    update() {
      const key = [look.variant(), look.index(), look.get("causal"), look.get("temperature"), look.overlaid()].join();
      if (key !== built) {
        build();
        draw();
        built = key;
      }
      if (!look.isPointing()) { // what is chosen is in sight
        const middle = y(look.asksKey() ? look.get("key") : look.get("query")) / height * box.scrollHeight;
        if (middle < box.scrollTop || middle > box.scrollTop + box.clientHeight) box.scrollTop = middle - box.clientHeight / 2;
      }
      const at = look.at(), isKey = look.asksKey();
      for (const { query, key, node } of drawn) {
        node.classList.toggle("cw-faint", isKey ? key !== at.key : query !== at.query);
      }
      sides.forEach((side, i) => side.forEach((word, place) =>
        setAll(word, { "aria-current": String(place === (i ? at.key : at.query) && (i === 1) === isKey) })));
    },
  };
}
