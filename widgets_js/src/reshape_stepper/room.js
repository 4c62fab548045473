// A text that changes and never moves what stands below it: it has the room of the longest one.
import { make } from "../shared/elements.js";

/**
 * Put a paragraph where each of the contents would fit, at any width of the page.
 * @param {HTMLParagraphElement} node
 * @param {(Node | string)[][]} contents
 */
export function withRoom(node, contents) {
  const unseen = contents.map((parts) => make("p", { className: node.className, "aria-hidden": "true" }, ...parts));
  return make("div", { className: "cw-room" }, node, ...unseen);
}
