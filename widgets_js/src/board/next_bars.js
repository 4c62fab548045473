// The likeliest next tokens: with all heads, without those that are off, and without as many
// others by chance. A full bar is always the whole, so bars of several texts can be compared.
import { make } from "../shared/elements.js";
import { share, token } from "./words.js";

/** @param {string} [what] is predicted */
export function nextBars(what = "token") {
  const head = make("thead"), body = make("tbody"), caption = make("caption");
  const node = make("table", { className: "cw-wide cw-next", "aria-label": `the likeliest next ${what}s` }, caption, head, body);
  /**
   * @param {import("./view.js").Next[]} next
   * @param {number} off how many heads are
   * @param {{manner?: string, temperature?: number}} [what] what is done to them, and at which temperature the tokens are drawn
   */
  function show(next, off, { manner = "off", temperature = 1 } = {}) {
    node.hidden = !next.length;
    const kinds = ["cw-with", ...(off ? ["cw-without"] : []), ...(off && next[0]?.[3] !== undefined ? ["cw-chance"] : [])];
    const titles = ["all on", `${off} ${manner}`, `${off} other${off > 1 ? "s" : ""} ${manner}`], hasSpace = next.some(([text]) => text.includes("␣"));
    caption.textContent = `A full bar: 100%${temperature === 1 ? "" : ` at temperature ${temperature}`}${hasSpace ? "; ␣: a space alone" : ""}`;
    head.replaceChildren(make("tr", {}, make("th", { scope: "col" }, what), make("td"),
      ...kinds.map((className, i) => make("th", { scope: "col", className }, titles[i], ...(i > 1 ? [make("small", {}, " mean, range")] : [])))));
    const bar = (/** @type {number} */ probability, /** @type {string} */ className) => {
      const fill = make("i", { className });
      fill.style.width = 100 * probability + "%";
      return make("span", { className: "cw-track" }, fill);
    };
    body.replaceChildren(...next.map(([text, all, without, mean = 0, low = 0, high = 0]) => {
      const numbers = [all, without, mean], change = Math.round(1000 * (without - all));
      const small = ["", change ? (change < 0 ? "−" : "+") + Math.abs(change / 10).toFixed(1) : "", low < high ? [low, high].map((p) => (100 * p).toFixed(high < 0.1 ? 1 : 0)).join("–") : ""];
      return make("tr", {}, make("th", { scope: "row" }, token(text)),
        make("td", { className: "cw-cell" }, ...kinds.map((kind, i) => bar(numbers[i], kind))),
        ...kinds.map((_, i) => make("td", {}, share(numbers[i]), ...(small[i] ? [make("small", {}, " " + small[i])] : []))));
    }));
  }
  return { node, show };
}
