// The likeliest next tokens: with all heads, and without those that are off.
import { percent } from "../shared/colours.js";
import { make } from "../shared/elements.js";

export function nextBars() {
  const head = make("thead"), body = make("tbody");
  const node = make("table", { className: "cw-wide cw-next" }, head, body);
  /** @param {[string, number, number][]} next @param {number} off how many heads are */
  function show(next, off) {
    node.hidden = !next.length;
    const most = Math.max(...next.map(([, all, without]) => Math.max(all, without)));
    const titles = off ? ["all heads on", `${off} off`, "change"] : ["all heads on"];
    head.replaceChildren(make("tr", {}, make("th", { scope: "col" }, "next token"), make("td", {}),
      ...titles.map((text, i) => make("th", { scope: "col", className: ["cw-with", "cw-without", ""][i] }, text))));
    const bar = (/** @type {number} */ share, className = "") => {
      const fill = make("i", { className });
      fill.style.width = 100 * share / most + "%";
      return make("span", { className: "cw-track" }, fill);
    };
    body.replaceChildren(...next.map(([token, all, without]) => make("tr", {},
      make("th", { scope: "row" }, make("bdi", {}, token.replace(/\n/g, "⏎"))),
      make("td", { className: "cw-cell" }, bar(all), ...(off ? [bar(without, "cw-without")] : [])),
      make("td", {}, percent(all)),
      ...(off ? [make("td", {}, percent(without)), make("td", {}, (without < all ? "−" : "+") + (100 * Math.abs(without - all)).toFixed(1))] : []))));
  }
  return { node, show };
}
