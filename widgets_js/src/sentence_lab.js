// @ts-nocheck
// A text field above the explorer. The model runs in Python: this is the one that needs a kernel.
import { mountExplorer } from "./attention_explorer.js";
import { make, widgetRoot } from "./shared/elements.js";

const PATIENCE = 10000; // milliseconds

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountSentenceLab(el, model) {
  const root = widgetRoot(el, "Sentence lab");
  const field = make("input", { type: "text", value: model.get("text"), "aria-label": "sentence", spellcheck: false });
  const button = make("button", {}, "Look");
  const form = make("form", { className: "cw-bar" }, field, button);
  const message = make("p", { role: "alert" });
  const explorer = make("div");
  root.append(form, message, explorer);
  if (model.isPage) {
    field.disabled = button.disabled = true;
    message.textContent = "To type a sentence, run this cell in a notebook: the model is there.";
  }

  let waiting;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value === model.get("text")) return;
    message.textContent = "The model is reading …";
    waiting = setTimeout(() => {
      message.textContent = "No answer from Python. Is the kernel running and free?";
    }, PATIENCE);
    model.set("text", field.value);
    model.save_changes();
  });

  let unmount = mountExplorer(explorer, model);
  const answered = () => {
    clearTimeout(waiting);
    message.textContent = model.get("answer").message;
  };
  const remount = () => {
    unmount();
    unmount = mountExplorer(explorer, model);
  };
  const showText = () => {
    field.value = model.get("text");
  };
  model.on("change:_data", remount);
  model.on("change:answer", answered);
  model.on("change:text", showText);
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountSentenceLab(el, model);
