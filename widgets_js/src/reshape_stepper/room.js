// A text that changes and never moves what stands below it: it has the room of the longest one.
import { make } from "../shared/elements.js";

/**
 * Put a paragraph where each of the texts would fit, at any width of the page.
 * @param {HTMLParagraphElement} node
 * @param {string[]} texts
 */
export function withRoom(node, texts) {
  const unseen = [...new Set(texts)].map((text) =>
    make("p", { className: node.className, "aria-hidden": "true" }, text || " "));
  return make("div", { className: "cw-room" }, node, ...unseen);
}
