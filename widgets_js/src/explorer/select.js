// A drop-down list with its name.
import { make } from "../shared/elements.js";

/**
 * @param {string} label
 * @param {string[]} texts
 * @param {(text: string, index: number) => void} onChange
 */
export function select(label, texts, onChange) {
  const list = make("select", {}, ...texts.map((text) => make("option", { value: text }, text)));
  list.addEventListener("change", () => onChange(list.value, list.selectedIndex));
  return {
    node: make("label", {}, label + " ", list),
    list,
    /** @param {string | number} what a text or a place */
    choose(what) {
      if (typeof what === "number") list.selectedIndex = what;
      else list.value = what;
    },
  };
}
