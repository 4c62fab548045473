// A small language model in the browser: type a sentence, see every head and the next words, and
// switch heads off. Nothing here needs Python.
import { makeDecoder, nextProbabilities } from "./decoder/decoder.js";
import { nextBars } from "./board/next_bars.js";
import { matchedControls } from "./sentence_lab/by_chance.js";
import { headBoard } from "./sentence_lab/head_board.js";
import { nextWords } from "./sentence_lab/next_words.js";
import { readSentence } from "./sentence_lab/sentence.js";
import { whereItLooks } from "./sentence_lab/where_it_looks.js";
import { percent } from "./shared/colours.js";
import { radioGroup } from "./shared/controls.js";
import { heading, make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { save } from "./shared/model.js";

/** @typedef {import("./decoder/decoder.js").Head} Head */
/** @typedef {{name: string, untrained: boolean, options: import("./decoder/decoder.js").Options, packed: import("./decoder/tensors.js").Packed}} Sent */

const WIDE = 640; // pixels, from which on the words of the model are shown at once

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountSentenceLab(el, model) {
  /** @type {{words: string[], models: Sent[], max_tokens: number, layers: number, heads: number}} */
  const { words, models, max_tokens: most, layers, heads } = model.get("_data");
  const runs = models.map(({ options, packed }) => makeDecoder(options, packed));
  const names = models.map(({ name }) => name);
  /** @returns {Head[]} */
  const off = () => model.get("off");
  const chosen = () => model.get("layer") * heads + model.get("head");
  const nameOf = (/** @type {number} */ i) => `layer ${Math.floor(i / heads)}, head ${i % heads}`;
  const isOff = (/** @type {number} */ i) => off().some(([layer, head]) => layer * heads + head === i);

  const root = widgetRoot(el, "Sentence lab");
  const field = make("input", { type: "text", "aria-label": "sentence", spellcheck: false, autocomplete: "off" });
  const form = make("form", { className: "cw-bar" }, field, make("button", {}, "Read"));
  const shorter = make("button", { type: "button" }, "remove the last word");
  const message = make("p", { role: "alert" });
  const untrained = make("strong", { className: "cw-untrained" }, "untrained");
  const variants = radioGroup("weights of", "cw-chips", names,
    (i) => save(model, { variant: names[i] }));
  const chips = words.map((word) => make("button", { type: "button", "aria-label": `add '${word}'` }, word));
  const vocabulary = make("details", { open: el.clientWidth >= WIDE },
    make("summary", {}, `The model knows ${words.length} words; click one to add it`),
    make("div", { className: "cw-chips cw-words" }, ...chips, shorter));
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const nextTitle = heading("What comes next?"), next = nextBars("word"), chance = make("p");
  const allOn = make("button", { type: "button" }, "switch all on");
  const looks = whereItLooks((query) => save(model, { query }));
  const looksTitle = heading();
  const board = headBoard(layers, heads, {
    look: (i) => showHead(i),
    leave: () => showHead(chosen()),
    toggle(i) {
      const [layer, head] = [Math.floor(i / heads), i % heads];
      const others = off().filter(([l, h]) => l !== layer || h !== head);
      /** @type {Head[]} */
      const changed = others.length < off().length ? others : [...others, [layer, head]];
      save(model, { layer, head, off: changed.sort((a, b) => a[0] - b[0] || a[1] - b[1]) });
    },
  });
  const size = models.reduce((sum, { packed }) => sum + packed.data.length, 0);
  root.append(form, message, ...(names.length > 1 ? [make("div", { className: "cw-bar" }, variants.node, untrained)] : [untrained]),
    vocabulary, status, make("div", { className: "cw-main" },
      make("div", {}, nextTitle, next.node, chance),
      make("div", {}, heading("Every head: point to look, click to switch off"), board.node, allOn, looksTitle, looks.node)),
    make("p", { className: "cw-note" }, `The model computes on this page, without Python; it takes ${Math.ceil(size / 1000)} kB of it.`));

  /** @type {string[]} */
  let sentence = [];
  /** @type {Float64Array[]} */
  let weights = [], shown = chosen();
  const read = (/** @type {string} */ text) => {
    const { message: wrong } = readSentence(text, words, most);
    message.textContent = wrong;
    if (wrong) return;
    const typed = text.split(/\s+/).filter(Boolean);
    save(model, { text: typed.join(" "), query: typed.length - 1 });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    read(field.value);
  });
  const put = (/** @type {string[]} */ typed) => {
    field.value = typed.join(" ");
    read(field.value);
  };
  chips.forEach((chip, i) => chip.addEventListener("click", () => put([...sentence, words[i]])));
  shorter.addEventListener("click", () => put(sentence.slice(0, -1)));
  allOn.addEventListener("click", () => save(model, { off: [] }));

  function compute() {
    const place = Math.max(names.indexOf(model.get("variant")), 0), run = runs[place];
    const { tokens } = readSentence(model.get("text"), words, most);
    const isNew = sentence.join(" ") !== model.get("text");
    sentence = tokens.map((token) => words[token]);
    if (isNew) {
      field.value = model.get("text");
      message.textContent = "";
      looks.write(sentence);
    }
    variants.choose(place);
    untrained.hidden = !models[place].untrained;
    const without = run(tokens, off()), control = matchedControls(off(), layers, heads);
    const found = {
      all: nextProbabilities(run(tokens), words.length),
      without: nextProbabilities(without, words.length),
      others: control.choices.map((heads) => nextProbabilities(run(tokens, heads), words.length)),
    };
    weights = without.weights;
    next.show(nextWords(words, found), off().length);
    tell(found);
    tellChance(control);
    allOn.disabled = !off().length;
    board.draw(weights);
    showHead(chosen());
  }

  /** @param {import("./sentence_lab/next_words.js").Found} found */
  function tell({ all, without }) {
    const best = (/** @type {Float64Array} */ shares) => {
      const i = shares.indexOf(Math.max(...shares));
      return ["“", make("bdi", {}, words[i]), `”, ${percent(shares[i])}`];
    };
    const named = off().map(([layer, head]) => `${layer}.${head}`).join(", ");
    status.replaceChildren("After “", make("bdi", {}, sentence[sentence.length - 1]), "”, ",
      ...(named ? [`without ${named}: `] : ["all heads on: "]), ...best(without),
      ...(named ? ["; with all heads on: ", ...best(all)] : []));
  }

  /** @param {ReturnType<typeof matchedControls>} control */
  function tellChance({ choices, isEvery, sameLayers }) {
    const count = off().length, many = count > 1 ? `${count} other heads` : "1 other head";
    const inOne = off().every(([layer]) => layer === off()[0][0]);
    chance.textContent = !count ? "Switch a head off, and as many others are tried beside it."
      : !choices.length ? "There are not as many other heads: nothing can be compared."
        : (isEvery ? `The last column is the mean of ${choices.length > 1 ? `all ${choices.length} choices` : "the only choice"} of ${many}`
          : `The last column is the mean of ${choices.length} choices by lot of ${many}`) +
          (!sameLayers ? ", of the same layers as far as there are any" : inOne ? ", of the same layer" : ", of the same layers") +
          (choices.length > 1 ? "; small: the lowest and the highest, in percent." : ".");
  }

  /** @param {number} i the head that is pointed at, or the chosen one */
  function showHead(i) {
    shown = i;
    const count = sentence.length, query = Math.min(model.get("query"), count - 1);
    const start = ((i % heads) * count + query) * count;
    const head = nameOf(i) + (isOff(i) ? " (off)" : "");
    board.mark(isOff, i);
    looksTitle.textContent = `Where ${head} looks`;
    looks.show(head, sentence, query, weights[Math.floor(i / heads)].subarray(start, start + count));
  }

  const unfollow = followPage(root, () => {
    board.draw(weights);
    showHead(shown);
  });
  compute();
  const showChosen = () => showHead(chosen());
  /** @type {Record<string, () => void>} */
  const listeners = { text: compute, off: compute, variant: compute, layer: showChosen, head: showChosen, query: () => showHead(shown) };
  for (const name in listeners) model.on("change:" + name, listeners[name]);
  return () => {
    unfollow();
    for (const name in listeners) model.off("change:" + name, listeners[name]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountSentenceLab(el, model);
