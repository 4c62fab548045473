// One sentence: what the spoken-of query looks at most, or who looks most at the key.
import { make } from "../shared/elements.js";
import { headName } from "./data.js";
import { quoted } from "./words.js";

/** @param {import("./look.js").Look} look */
export function status(look) {
  const node = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  // It has the room of the longest sentence: the page does not move under the pointer.
  const longest = (/** @type {string[]} */ texts) => texts.reduce((a, b) => (b.length > a.length ? b : a), "");
  const query = longest(look.data.queries), key = longest(look.data.keys);
  const room = make("p", { className: "cw-status-room", "aria-hidden": "true" },
    `${headName(look.data, look.data.count - 1)}, query `, quoted(query), " gets the most from ", quoted(key), ", 100.0%, and as much from 9 more");

  function update() {
    const isKey = look.asksKey(), { query, key } = look.at(), { queries, keys } = look.data;
    const line = look.line(look.chosen()).map((weight) => weight ?? 0);
    const most = Math.max(...line), best = line.indexOf(most);
    const others = line.filter((weight) => most - weight < 1e-9).length - 1;
    const more = others ? [`, and as much ${isKey ? "from" : "to"} ${others} more`] : [];
    const name = headName(look.data, look.index());
    const words = isKey
      ? [`${name}, key `, quoted(keys[key]), ...(most > 0
        ? [" gets the most from ", quoted(queries[best]), `, ${look.percent(most)}`, ...more] : [" is looked at by nobody"])]
      : [`${name}, query `, quoted(queries[query]), ...(most > 0
        ? [" attends most to ", quoted(keys[best]), `, ${look.percent(most)}`, ...more] : [" has nothing to attend to"])];
    node.replaceChildren(...words);
    node.setAttribute("aria-live", look.isPointing() ? "off" : "polite");
  }
  return { node: make("div", { className: "cw-room" }, node, room), text: () => node.textContent ?? "", update };
}
