// Tokens in sentences and on chips: texts as they are, whatever they hold.
import { make } from "../shared/elements.js";

/**
 * @param {string} text
 * @param {"bdi" | "span" | "button"} tag
 * @param {Record<string, unknown>} attributes
 */
export const token = (text, tag = "bdi", attributes = {}) =>
  make(tag, { dir: "auto", title: text, ...attributes }, text);

/** @param {string} text */
export const quoted = (text) => make("span", {}, "“", token(text), "”");
