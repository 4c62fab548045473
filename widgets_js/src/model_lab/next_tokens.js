// The likeliest next tokens: with all heads on, without those that are off, and without as many
// others by chance.
import { percent } from "../shared/colours.js";
import { button, heading, make } from "../shared/elements.js";
import { namesOff, quoted, share, token, whole } from "./words.js";

const SCALES = [0.1, 0.2, 0.5, 1]; // what a whole bar may stand for

/**
 * @param {import("./run.js").Lab} lab
 * @param {HTMLElement} status
 */
export function nextTokens(lab, status) {
  const title = heading(), head = make("thead"), body = make("tbody");
  const offText = make("p"), chanceText = make("p"), allSwitch = button("switch all on", () => lab.setOff([]));
  const node = make("div", { className: "cw-next" }, title, make("table", { className: "cw-wide" }, head, body), chanceText, offText, allSwitch);

  function update() {
    const { next, off } = lab.shown, some = off.length > 0, hasChance = next[0][3] !== undefined;
    const top = (/** @type {1 | 2} */ column) => next.reduce((most, one) => (one[column] > most[column] ? one : most));
    const now = top(2), before = top(1), most = Math.max(now[2], before[1], ...next.map((one) => one[3] ?? 0));
    const scale = SCALES.find((limit) => most <= limit) ?? 1;
    status.replaceChildren(some ? `Without ${namesOff(off)}` : "All heads on",
      ": the likeliest next token is ", quoted(now[0], `, ${percent(now[2])}`),
      ...(some ? ["; with all heads on, ", quoted(before[0], `, ${percent(before[1])}`)] : []));
    title.textContent = `next token (full bar: ${whole(scale)})`;
    const column = (/** @type {string} */ text, className = "") => make("th", { scope: "col", className }, text);
    head.replaceChildren(make("tr", {}, column("token"), column("probability"), column("all on", "cw-with"),
      ...(some ? [column(`${off.length} off`, "cw-without")] : []),
      ...(hasChance ? [column(`${off.length} other${off.length > 1 ? "s" : ""} off`, "cw-chance")] : [])));
    const bar = (/** @type {number} */ probability, /** @type {string} */ className) => {
      const fill = make("i", { className });
      fill.style.width = 100 * probability / scale + "%";
      return make("span", { className: "cw-track" }, fill);
    };
    body.replaceChildren(...next.map(([text, all, without, chance, low = 0, high = 0]) => make("tr", {},
      make("th", { scope: "row" }, token(text)),
      make("td", { className: "cw-cell" }, bar(all, ""), ...(some ? [bar(without, "cw-without")] : []),
        ...(chance === undefined ? [] : [bar(chance, "cw-chance")])),
      make("td", {}, share(all)), ...(some ? [make("td", {}, share(without))] : []),
      ...(chance === undefined ? [] : [make("td", {}, share(chance), make("small", {}, ` ${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}`))]))));
    chanceText.textContent = !some ? "" : hasChance ? "The last column is the mean of 5 choices by lot of as many other heads, of the same layers as far as there are any; small: the lowest and the highest, in percent."
      : "There are not as many other heads: nothing can be compared.";
    offText.textContent = some ? "Off (layer.head): " + off.map(([layer, head]) => `${layer}.${head}`).join(", ") : "";
    allSwitch.disabled = Boolean(lab.isPage) || !some;
  }
  return { node, update };
}
