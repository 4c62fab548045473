// The weights on the running text.
import { shade } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { token } from "./words.js";

/** @param {import("./look.js").Look} look */
export function text(look) {
  const box = make("div", { className: "cw-text", tabIndex: 0, role: "region", "aria-label": "weights on the text" });
  const note = make("p");
  /** @type {HTMLElement[]} */
  let words = [];

  function build() {
    words = look.partners().map((text, place) => {
      const word = token(text, "span");
      word.addEventListener("click", () => look.set({ [look.asksKey() ? "query" : "key"]: place, asks: look.asksKey() ? "query" : "key" }));
      return word;
    });
    box.replaceChildren(...words.flatMap((word) => [word, " "]));
  }

  function update() {
    const partners = look.partners(), line = look.line(look.chosen());
    if (words.length !== partners.length || words.some((word, i) => word.textContent !== partners[i])) build();
    const most = look.get("stretch") ? Math.max(1e-9, ...line.map((weight) => weight ?? 0)) : 1;
    const here = look.asksKey() ? look.at().key : look.at().query;
    words.forEach((word, i) => {
      const weight = line[i];
      shade(word, weight === null ? null : Math.min(weight / most, 1));
      word.title = `${partners[i]}: ${look.percent(weight)}`;
      word.classList.toggle("cw-here", look.data.isSelf && i === here);
    });
    note.textContent = (look.get("stretch") ? `Brightest: ${look.percent(most)}. ` : "") +
      (look.data.isSelf ? `Framed: the ${look.asksKey() ? "key" : "query"}. ` : "") +
      `Click a word to ask the other way round.`;
  }
  return { node: make("div", {}, box, note), update };
}
