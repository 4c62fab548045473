// The sentence as chips in the colours of one head's weights: where one of its words looks.
import { percent, shade } from "../shared/colours.js";
import { radioGroup } from "../shared/controls.js";
import { make } from "../shared/elements.js";

/** @param {(query: number) => void} onChoose */
export function whereItLooks(onChoose) {
  const node = make("div"), words = make("p");
  /** @type {ReturnType<typeof radioGroup> | undefined} */
  let picker;
  return {
    node: make("div", { className: "cw-looks" }, node, words),
    /** @param {string[]} sentence */
    write(sentence) {
      picker = radioGroup("word that looks", "cw-chips", sentence.map((word) =>
        make("button", { type: "button" }, make("bdi", {}, word), make("small", {}))), onChoose);
      node.replaceChildren(picker.node);
    },
    /**
     * @param {string} head its name
     * @param {string[]} sentence
     * @param {number} query
     * @param {Float64Array} row its weights
     */
    show(head, sentence, query, row) {
      picker?.choose(query);
      picker?.items.forEach((chip, key) => {
        shade(chip, key <= query ? row[key] : null);
        /** @type {HTMLElement} */ (chip.lastChild).textContent = key <= query ? ` ${percent(row[key])}` : " later";
      });
      const best = row.indexOf(Math.max(...row));
      words.replaceChildren(`${head}: “`, make("bdi", {}, sentence[query]), "” looks most at “",
        make("bdi", {}, sentence[best]), `”, ${percent(row[best])}. Click a word to see where it looks.`);
    },
  };
}
