// The likeliest next words as bars: with all heads on, without those that are off, without others.
import { percent } from "../shared/colours.js";
import { make } from "../shared/elements.js";

const TOP = 8;

/** @typedef {{all: Float64Array, without: Float64Array, others: Float64Array[]}} Found probabilities of all words */

/** @param {string[]} words */
export function nextWords(words) {
  const head = make("thead"), body = make("tbody");
  const node = make("table", { className: "cw-wide cw-next" }, head, body);
  const bar = (/** @type {number} */ share, /** @type {number} */ most, className = "") => {
    const fill = make("i", { className });
    fill.style.width = 100 * share / most + "%";
    return make("span", { className: "cw-track" }, fill);
  };

  /**
   * @param {Found} found
   * @param {number} off how many heads are
   */
  function show({ all, without, others }, off) {
    const likely = words.map((_, i) => i).sort((a, b) => Math.max(all[b], without[b]) - Math.max(all[a], without[a])).slice(0, TOP);
    likely.sort((a, b) => all[b] - all[a]);
    const most = Math.max(...likely.map((i) => Math.max(all[i], without[i], ...others.map((one) => one[i]))));
    const titles = ["all on", ...(off ? [`${off} off`] : []), ...(others.length ? [`${off} other${off > 1 ? "s" : ""} off`] : [])];
    head.replaceChildren(make("tr", {}, make("th", { scope: "col" }, "word"), make("td", {}),
      ...titles.map((text, i) => make("th", { scope: "col", className: ["cw-with", "cw-without", "cw-chance"][i] }, text))));
    body.replaceChildren(...likely.map((i) => {
      const chance = others.map((one) => one[i]), mean = chance.reduce((sum, share) => sum + share, 0) / chance.length;
      const range = make("small", {}, ` ${whole(Math.min(...chance))}–${whole(Math.max(...chance))}`);
      return make("tr", {}, make("th", { scope: "row" }, make("bdi", {}, words[i])),
        make("td", { className: "cw-cell" }, bar(all[i], most), ...(off ? [bar(without[i], most, "cw-without")] : []),
          ...(chance.length ? [bar(mean, most, "cw-chance")] : [])),
        make("td", {}, percent(all[i])), ...(off ? [make("td", {}, percent(without[i]))] : []),
        ...(chance.length ? [make("td", {}, percent(mean), ...(chance.length > 1 ? [range] : []))] : []));
    }));
  }
  return { node, show };
}

/** @param {number} share */
const whole = (share) => (100 * share).toFixed(0);
