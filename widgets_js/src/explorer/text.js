// The weights on the running text, or on the picture that the tokens are patches of. The words have
// one tab stop; arrows go from word to word.
import { shade, shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { token } from "./words.js";

/** @param {import("./look.js").Look} look */
export function text(look) {
  const { isSelf, picture } = look.data;
  const box = make("div", { className: "cw-text", role: "group" });
  const note = make("p");
  /** @type {HTMLElement[]} */
  let words = [];
  let stop = 0; // the word that the tab key reaches
  let built = "";
  const role = () => (look.asksKey() ? "key" : "query"), other = () => (look.asksKey() ? "query" : "key");
  /** Of the words, those before this one are no patches. */
  const firstPatch = () => (picture && (isSelf || !look.asksKey()) ? words.length - picture.rows * picture.columns : words.length);

  /** @param {number} place */
  function turnTo(place) {
    words[stop].tabIndex = -1;
    words[stop = place].tabIndex = 0;
  }

  function build() {
    words = look.partners().map((text, place) => {
      const word = token(text, "button", { type: "button", tabIndex: -1 });
      word.addEventListener("click", () => look.set(picture && isSelf ? { [role()]: place } : { [other()]: place, asks: other() }));
      word.addEventListener("focus", () => turnTo(place));
      return word;
    });
    stop = Math.min(stop, words.length - 1);
    turnTo(stop);
    const first = firstPatch(), patches = words.slice(first);
    box.replaceChildren(...words.slice(0, first).flatMap((word) => [word, " "]));
    box.setAttribute("aria-label", `weights on the ${patches.length ? "picture" : "text"}`);
    if (!patches.length) return;
    for (const patch of patches) patch.textContent = "";
    const grid = make("div", { className: "cw-patches" },
      make("img", { src: picture.address, alt: `the picture, in ${picture.rows} rows of ${picture.columns} patches` }), ...patches);
    grid.style.gridTemplate = `repeat(${picture.rows}, 1fr) / repeat(${picture.columns}, 1fr)`;
    grid.style.aspectRatio = `${picture.columns} / ${picture.rows}`;
    box.append(grid);
  }

  box.addEventListener("keydown", (event) => {
    const end = words.length - 1, row = stop < firstPatch() ? 1 : picture.columns;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: stop + 1, ArrowDown: stop + row, ArrowLeft: stop - 1, ArrowUp: stop - row, Home: 0, End: end };
    if (!(event.key in moves)) return;
    event.preventDefault();
    words[Math.min(Math.max(moves[event.key], 0), end)].focus();
  });

  function update() {
    const partners = look.partners(), line = look.line(look.chosen()), shape = `${role()} ${partners.length}`;
    if (built !== shape) build();
    built = shape;
    const most = look.get("stretch") ? Math.max(1e-9, ...line.map((weight) => weight ?? 0)) : 1;
    const here = look.at()[role()], first = firstPatch();
    words.forEach((word, i) => {
      const weight = line[i], says = `${partners[i]}: ${look.percent(weight)}`;
      const share = weight === null ? null : Math.min(weight / most, 1);
      if (i < first) {
        if (word.textContent !== partners[i]) word.textContent = partners[i];
        shade(word, share);
      } else {
        word.style.backgroundColor = share === null ? "" : `color-mix(in srgb, ${shadeOf(share).background} ${(90 * share).toFixed(1)}%, transparent)`;
      }
      if (word.title !== says) word.setAttribute("aria-label", word.title = says);
      word.classList.toggle("cw-here", isSelf && i === here);
    });
    note.textContent = (look.get("stretch") ? `The strongest colour: ${look.percent(most)}. ` : "") +
      (isSelf ? `Framed: the ${role()}. ` : "") +
      (picture && isSelf ? `Click a patch to ask about it.` : `Click a word to ask the other way round.`);
  }
  return { node: make("div", {}, box, note), update };
}
