// Tokens, numbers and names as ModelLab writes them.
import { percent } from "../shared/colours.js";
import { make } from "../shared/elements.js";

/** @param {string} text */
export const token = (text) => make("bdi", { dir: "auto", title: text, className: "cw-token" }, text);
/** @param {string} text */
export const quoted = (text, after = "") => make("span", { className: "cw-quoted" }, "'", token(text), `'${after}`);
/** @param {number} weight */
export const whole = (weight) => (100 * weight).toFixed(0) + "%";
/** @param {number} probability */
export const share = (probability) => (probability < 0.0005 ? "<0.1%" : percent(probability));
/** @param {[number, number][]} off */
export const namesOff = (off) => (off.length > 3 ? `${off.length} heads` : off.map(([layer, head]) => `${layer}.${head}`).join(", "));

/** @param {string} label @param {(value: number) => void} onChange */
export function select(label, onChange) {
  const node = make("select", { "aria-label": label });
  node.addEventListener("change", () => onChange(+node.value));
  return node;
}
