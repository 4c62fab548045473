// The button that fetches the model, how far it is, and why it cannot be had where it cannot.
import { Engine } from "../breaker/engine.js";
import { make } from "../shared/elements.js";
import { makeLive } from "./live.js";
import { keepPage } from "./offline.js";

const MEGABYTE = 1e6, WAS_LOADED = "course-model-loaded"; // on this tab, before another page was visited; and once by this browser

/** Why the model cannot run here, or nothing; the engine looks for more when it loads. */
function whyNot() {
  if (location.protocol === "file:") {
    return "This page was opened from a folder, where a browser lets no page start a model. Serve the folder (python -m http.server) and open it from there.";
  }
  if (/** @type {any} */ (navigator).deviceMemory < 2) {
    return "This device has less than 2 GB of memory, and the model would not fit beside the page. The sentence above needs no model.";
  }
  return "";
}

/**
 * @param {string} base where the model lies
 * @param {number} bytes its size
 * @param {(live: ReturnType<typeof makeLive>, noGpu: string) => void} onReady with why it does not compute on a graphics processor
 * @param {Parameters<typeof makeLive>[1]} onView
 * @param {() => void} onEffects
 */
export function loading(base, bytes, onReady, onView, onEffects) {
  const start = make("button", { type: "button", className: "break-load" }, `Load the model (${localStorage.getItem(WAS_LOADED) ? "kept by this browser" : `${Math.round(bytes / MEGABYTE)} MB`})`);
  const bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "loaded" }), said = make("p", { role: "status" });
  const why = whyNot();
  said.textContent = why;
  start.disabled = Boolean(why);
  const node = make("div", { className: "break-loading" }, start, bar, said);
  start.addEventListener("click", async () => {
    start.disabled = true;
    bar.hidden = false;
    const engine = new Engine(base);
    try {
      const { noGpu } = await engine.load(({ loaded, total }) => {
        bar.value = loaded / total;
        said.setAttribute("aria-live", loaded && loaded < total ? "off" : "polite"); // who hears it is not told each megabyte
        said.textContent = loaded < total ? `${Math.round(loaded / MEGABYTE)} of ${Math.round(total / MEGABYTE)} MB` : "The model is getting ready …";
      });
      for (const storage of [sessionStorage, localStorage]) storage.setItem(WAS_LOADED, "yes");
      node.remove();
      keepPage(["worker.js", "kernel.wasm", "manifest.json", "surprises.json"].map((name) => base + name));
      onReady(makeLive(engine, onView, onEffects), noGpu);
    } catch (error) {
      engine.close();
      start.disabled = false;
      bar.hidden = true;
      start.textContent = "Try again";
      said.textContent = `The model did not load: ${error instanceof Error ? error.message : error}`;
    }
  });
  if (!why && sessionStorage.getItem(WAS_LOADED)) start.click();
  return { node };
}
