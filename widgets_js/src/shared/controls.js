// Radio groups, sliders and check boxes: each can be used by keyboard and says its value as text.
import { make } from "./elements.js";

/**
 * A radio group with one tab stop: arrows, Home and End move the choice.
 * @param {string} label
 * @param {string} className
 * @param {(HTMLElement | string)[]} choices a text becomes a button
 * @param {(index: number) => void} onChoose
 */
export function radioGroup(label, className, choices, onChoose) {
  const items = choices.map((choice) => (typeof choice === "string" ? make("button", { type: "button" }, choice) : choice));
  const node = make("div", { role: "radiogroup", "aria-label": label, className }, ...items);
  let chosen = -1;
  /** @param {number} index */
  const choose = (index) => {
    if (index === chosen) return;
    chosen = index;
    items.forEach((item, i) => {
      item.setAttribute("aria-checked", String(i === index));
      item.tabIndex = i === index ? 0 : -1;
    });
  };
  items.forEach((item, index) => {
    item.setAttribute("role", "radio");
    item.addEventListener("click", () => onChoose(index));
  });
  node.addEventListener("keydown", (event) => {
    const count = items.length;
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -chosen, End: -1 - chosen };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const index = (chosen + moves[event.key] + count) % count;
    items[index].focus();
    onChoose(index);
  });
  choose(0);
  return { node, choose, items };
}

/**
 * A slider with its name and its value as text.
 * @param {string} label
 * @param {{min: number, max: number, step: number}} range
 * @param {(number: number) => string} format
 * @param {(position: number) => void} onInput
 */
export function slider(label, range, format, onInput) {
  const value = make("span", { className: "cw-value" });
  const input = make("input", { type: "range", "aria-label": label, ...range });
  input.addEventListener("input", () => onInput(+input.value));
  /** @type {(position: number, number: number) => void} */
  const show = (position, number) => {
    input.value = String(position);
    value.textContent = format(number);
    input.setAttribute("aria-valuetext", format(number));
  };
  return { node: make("label", {}, label + " ", input, " ", value), input, show };
}

/**
 * @param {string} label
 * @param {(checked: boolean) => void} onChange
 */
export function checkbox(label, onChange) {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => onChange(input.checked));
  return { node: make("label", {}, input, " " + label), input };
}
