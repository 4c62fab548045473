// Tokens, heads and numbers as the board writes them.
import { percent } from "../shared/colours.js";
import { make } from "../shared/elements.js";

/** @param {string} text */
export const token = (text) => make("bdi", { dir: "auto", title: text, className: "cw-token" }, text);
/** @param {number} probability */
export const share = (probability) => (probability < 0.0005 ? "<0.1%" : percent(probability));

/** A token as text that can be seen, as Python's `spelt_out` writes it. @param {string} text */
export function spelt(text) {
  const seen = text.replace(/\n/g, "\\n").replace(/\t/g, "\\t").replace(/\r/g, "\\r");
  return text.trim() ? seen : seen.replace(/ /g, "␣") || "(empty)";
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** @param {number} count @param {string} one */
export const counted = (count, one) => `${NUMBERS[count] ?? count} ${one}${count === 1 ? "" : "s"}`;

/** Two ways to name head `layer * heads + head`. @param {number} heads in a layer */
export const namesOf = (heads) => ({
  /** @param {number} i */
  long: (i) => `head ${i % heads} of layer ${Math.floor(i / heads)}`,
  /** @param {number} i */
  short: (i) => `L${Math.floor(i / heads)}H${i % heads}`,
});
