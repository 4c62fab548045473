// What a language model expects next, all its heads, and the same without some of them. The model
// runs in Python; where there is none, the stored runs can be chosen.
import { bytes } from "./shared/base64.js";
import { radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { everyHead } from "./model_lab/every_head.js";
import { nextTokens } from "./model_lab/next_tokens.js";
import { oneHead } from "./model_lab/one_head.js";
import { makeLab } from "./model_lab/run.js";
import { namesOff, token } from "./model_lab/words.js";

const PATIENCE = 10000; // milliseconds

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountModelLab(el, model) {
  const lab = makeLab(model), { get, stored } = lab;
  const root = widgetRoot(el, "Model lab");
  const field = make("input", { type: "text", "aria-label": "text", spellcheck: false });
  const read = make("button", {}, "Read");
  const form = make("form", { className: "cw-bar" }, field, read);
  const message = make("p", { role: "alert" });
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  let waiting = 0;
  lab.ask = (text, off) => {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      if (!lab.answered()) message.textContent = "No answer from Python yet. Is the kernel running and free? The stored runs can be chosen without it.";
    }, PATIENCE);
    lab.set({ text, off });
    update();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    lab.ask(field.value, get("off"));
  });
  const runPicker = radioGroup("stored run", "cw-chips", stored.map(({ text, off }) =>
    make("button", { type: "button", title: text }, token(text.replace(/\s+/g, " ")), off.length ? ` without ${namesOff(off)}` : "")),
  (i) => lab.ask(stored[i].text, stored[i].off));
  const runs = make("div", { className: "cw-runs" }, make("span", {}, "stored runs"), runPicker.node);

  const next = nextTokens(lab, status), every = everyHead(lab), one = oneHead(lab);
  every.onScores(showChoice);
  root.append(form, runs, message, status,
    make("div", { className: "cw-model" }, next.node, every.scoreBox, every.gridBox, one.node));
  let isDrawn = false;

  function update() {
    const run = lab.find(lab.asked());
    if (run && run !== lab.shown) draw(run);
    const pending = !run && !lab.answered();
    root.setAttribute("aria-busy", String(pending));
    runPicker.choose(run ? stored.indexOf(run) : -1);
    if (!run || !stored.includes(run)) runPicker.items[0].tabIndex = 0;
    if (lab.isPage) message.textContent = "To type a text or to switch heads, run this cell in a notebook: that needs a running kernel. Here, choose a stored run.";
    else message.textContent = pending ? "The model is computing …" : run ? "" : get("answer").message;
  }

  /** @param {import("./model_lab/run.js").Run} run */
  function draw(run) {
    const fresh = !isDrawn || lab.shown.text !== run.text;
    isDrawn = true;
    lab.shown = run;
    lab.weights = bytes(run.weights);
    if (fresh) {
      lab.query = lab.length() - 1;
      lab.key = lab.keyLookedAt();
      const options = () => run.pieces.map((piece, i) => make("option", { value: i }, `${i}  ${piece}`));
      every.keySelect.replaceChildren(...options());
      every.keySelect.value = String(lab.key);
      one.showText(options);
    }
    next.update();
    every.show();
    showHead();
  }

  function showChoice() {
    every.mark();
    one.showChoice();
  }

  function showHead() {
    every.mark();
    one.showHead();
  }

  const unfollow = followPage(root, () => {
    every.show();
    showHead();
  });
  if (lab.isPage) field.disabled = read.disabled = true;
  const showText = () => {
    field.value = get("text");
    update();
  };
  draw(lab.find(lab.asked()) ?? stored[0]);
  showText();
  /** @type {Record<string, () => void>} */
  const listeners = { text: showText, off: update, answer: update, _live: update,
    layer: showHead, head: showHead, score: every.show };
  for (const name in listeners) model.on("change:" + name, listeners[name]);
  return () => {
    unfollow();
    window.clearTimeout(waiting);
    for (const name in listeners) model.off("change:" + name, listeners[name]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountModelLab(el, model);
