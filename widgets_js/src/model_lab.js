// What a language model writes, all its heads, and the same without some of them. The model runs in
// Python; where there is none, the stored runs can be chosen.
import { makeBoard } from "./board/board.js";
import { unpacked } from "./board/view.js";
import { namesOf, token } from "./board/words.js";
import { radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";
import { save } from "./shared/model.js";
import { followPage } from "./shared/page.js";

const PATIENCE = 10000; // milliseconds

/** @typedef {[number, number]} Pair layer and head */
/** @typedef {{text: string, off: Pair[]}} Question */
/** @typedef {Omit<import("./board/view.js").View, "off" | "weight" | "scores" | "error"> & Question & {weights: string, scores: Record<string, string | null>}} Run what Python computed */

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountModelLab(el, model) {
  const { layers, heads, scores } = model.get("_data"), name = namesOf(heads);
  /** @type {Run[]} */
  const stored = model.get("_stored");
  const get = (/** @type {string} */ trait) => model.get(trait);
  const indexOf = (/** @type {Pair} */ [layer, head]) => layer * heads + head;
  const keyOf = (/** @type {Question} */ run) => JSON.stringify([run.text, run.off]);
  /** @returns {Question} */
  const asked = () => ({ text: get("text"), off: get("off") });
  const answered = () => keyOf(get("answer")) === keyOf(asked());
  /** @param {Question} run @returns {Run | undefined} */
  const find = (run) => [...stored, get("_live")].find((known) => known?.text !== undefined && keyOf(known) === keyOf(run));
  let shown = find(asked()) ?? stored[0], waiting = 0;
  /** What a switch changes. While an answer is on its way, that is what was asked for. */
  const base = () => (answered() && !find(asked()) ? shown : asked());

  const root = widgetRoot(el, "Model lab");
  const field = make("input", { type: "text", "aria-label": "text", spellcheck: false });
  const read = make("button", {}, "Read");
  const form = make("form", { className: "cw-bar" }, field, read);
  const message = make("p", { role: "alert" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    board.go({ text: field.value });
  });
  /** @param {Question} question */
  function ask(question) {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      if (!answered()) message.textContent = "No answer from Python yet. Is the kernel running and free? The stored runs can be chosen without it.";
    }, PATIENCE);
    save(model, question);
    update();
  }
  const board = makeBoard({ layers, heads, scores, open: true, isFree: () => !model.isPage,
    ask: ({ text, off }) => ask({ text, off: off.map((i) => [Math.floor(i / heads), i % heads]) }),
    state: {
      get text() {
        return base().text;
      },
      get off() {
        return base().off.map(indexOf);
      },
      get score() {
        return get("score");
      },
      set score(score) {
        save(model, { score });
      },
      get chosen() {
        return indexOf([get("layer"), get("head")]);
      },
      set chosen(i) {
        save(model, { layer: Math.floor(i / heads), head: i % heads });
      },
    } });
  const runPicker = radioGroup("stored run", "cw-chips", stored.map(({ text, off }) => make("button", { type: "button", title: text },
    token(text.replace(/\s+/g, " ")), off.length ? ` without ${off.length > 3 ? `${off.length} heads` : off.map(indexOf).map(name.short).join(", ")}` : "")),
  (i) => board.go({ text: stored[i].text, off: stored[i].off.map(indexOf) }));
  root.append(form, make("div", { className: "cw-runs" }, make("span", {}, "stored runs"), runPicker.node), message,
    make("div", { className: "cw-model" }, board.sentence, board.status, board.control, board.node, board.actions, board.next, board.maps));

  function show() {
    const { text, off, before, after, next, control } = shown;
    const isDrawing = off.length > 0 && !control && shown === get("_live") && 2 * off.length <= layers * heads;
    board.show({ text, off: off.map(indexOf), before, after, next, control, ...unpacked(shown) }, isDrawing ? "Drawing other heads …" : "");
  }

  function update() {
    const run = find(asked()), pending = !run && !answered();
    if (run && run !== shown) {
      shown = run;
      show();
    }
    root.setAttribute("aria-busy", String(pending));
    runPicker.choose(run ? stored.findIndex((one) => keyOf(one) === keyOf(run)) : -1);
    if (!run || !stored.includes(run)) runPicker.items[0].tabIndex = 0;
    message.textContent = model.isPage ? "To type a text or to switch heads, run this cell in a notebook: that needs a running kernel. Here, choose a stored run."
      : pending ? "The model is computing …" : run ? "" : get("answer").message;
  }

  const unfollow = followPage(root, show);
  if (model.isPage) field.disabled = read.disabled = true;
  const showText = () => {
    field.value = get("text");
    update();
  };
  show();
  showText();
  /** @type {Record<string, () => void>} */
  const listeners = { text: showText, off: update, answer: update, _live: update,
    layer: board.showChoice, head: board.showChoice, score: board.showScores };
  for (const trait in listeners) model.on("change:" + trait, listeners[trait]);
  return () => {
    unfollow();
    board.end();
    window.clearTimeout(waiting);
    for (const trait in listeners) model.off("change:" + trait, listeners[trait]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountModelLab(el, model);
