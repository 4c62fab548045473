// The spoken-of weights as a table: everything the picture says, as text.
import { make } from "../shared/elements.js";
import { headName } from "./data.js";
import { quoted, token } from "./words.js";

/** @param {import("./look.js").Look} look */
export function table(look) {
  const { data } = look, { keyLen } = data;
  const body = make("tbody"), caption = make("caption"), head = make("tr");
  const scroll = make("div", { className: "cw-scroll", tabIndex: 0, role: "region", "aria-label": "the weights as a table" },
    make("table", {}, caption, make("thead", {}, head), body));
  const node = make("details", {}, make("summary", {}, "As a table"), scroll);
  node.addEventListener("toggle", update);

  function update() {
    if (!node.open) return;
    const isKey = look.asksKey(), { query, key } = look.at(), { queries, keys } = look.data;
    const scores = look.data.scores(look.index()), line = look.line(look.chosen());
    head.replaceChildren(...[isKey ? "query" : "key", "score", "weight"].map((text) =>
      make("th", { scope: "col", className: "cw-as-" + text }, text)));
    caption.replaceChildren(`${headName(data, look.index())}, ${isKey ? "key" : "query"} `, quoted(isKey ? keys[key] : queries[query]));
    body.replaceChildren(...look.partners().map((text, i) => make("tr", {}, make("th", { scope: "row" }, token(text)),
      make("td", {}, line[i] === null ? "" : scores[isKey ? i * keyLen + key : query * keyLen + i].toFixed(3)),
      make("td", {}, look.percent(line[i])))));
  }
  return { node, update };
}
