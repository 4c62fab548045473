// The weights on the running text. The words have one tab stop; arrows go from word to word.
import { shade } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { token } from "./words.js";

/** @param {import("./look.js").Look} look */
export function text(look) {
  const box = make("div", { className: "cw-text", role: "group", "aria-label": "weights on the text" });
  const note = make("p");
  /** @type {HTMLElement[]} */
  let words = [];
  let stop = 0; // the word that the tab key reaches

  /** @param {number} place */
  function turnTo(place) {
    words[stop].tabIndex = -1;
    words[stop = place].tabIndex = 0;
  }

  function build() {
    words = look.partners().map((text, place) => {
      const word = token(text, "button", { type: "button", tabIndex: -1 });
      word.addEventListener("click", () => look.set({ [look.asksKey() ? "query" : "key"]: place, asks: look.asksKey() ? "query" : "key" }));
      word.addEventListener("focus", () => turnTo(place));
      return word;
    });
    stop = Math.min(stop, words.length - 1);
    turnTo(stop);
    box.replaceChildren(...words.flatMap((word) => [word, " "]));
  }

  box.addEventListener("keydown", (event) => {
    const end = words.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: stop + 1, ArrowDown: stop + 1, ArrowLeft: stop - 1, ArrowUp: stop - 1, Home: 0, End: end };
    if (!(event.key in moves)) return;
    event.preventDefault();
    words[Math.min(Math.max(moves[event.key], 0), end)].focus();
  });

  function update() {
    const partners = look.partners(), line = look.line(look.chosen());
    if (words.length !== partners.length) build();
    const most = look.get("stretch") ? Math.max(1e-9, ...line.map((weight) => weight ?? 0)) : 1;
    const here = look.asksKey() ? look.at().key : look.at().query;
    words.forEach((word, i) => {
      const weight = line[i], says = `${partners[i]}: ${look.percent(weight)}`;
      if (word.textContent !== partners[i]) word.textContent = partners[i];
      shade(word, weight === null ? null : Math.min(weight / most, 1));
      if (word.title !== says) word.setAttribute("aria-label", word.title = says);
      word.classList.toggle("cw-here", look.data.isSelf && i === here);
    });
    note.textContent = (look.get("stretch") ? `The strongest colour: ${look.percent(most)}. ` : "") +
      (look.data.isSelf ? `Framed: the ${look.asksKey() ? "key" : "query"}. ` : "") +
      `Click a word to ask the other way round.`;
  }
  return { node: make("div", {}, box, note), update };
}
