// HTML elements, and the section that a widget lives in.

/**
 * An element. Texts become text nodes, so that nothing in a token is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} attributes names with "-", and "role", are attributes; others are properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.includes("-") || name === "role") node.setAttribute(name, String(value));
    else /** @type {any} */ (node)[name] = value;
  }
  node.append(...children);
  return node;
}

/** @param {string | (Node | string)[]} content @param {() => void} onClick @param {Record<string, unknown>} attributes */
export function button(content, onClick, attributes = {}) {
  const node = make("button", { type: "button", ...attributes }, ...[content].flat());
  node.addEventListener("click", onClick);
  return node;
}

/**
 * The title of a part of a widget. It looks like a small one and comes right below the page's.
 * @param {...(Node | string)} children
 */
export const heading = (...children) => make("h4", { "aria-level": 2 }, ...children);

/**
 * Empty the element, make it a widget, and keep JupyterLab's shortcuts off its keys.
 * @param {Element} el
 * @param {string} label
 */
export function widgetRoot(el, label) {
  const root = make("section", { className: "cw", "aria-label": label, "data-lm-suppress-shortcuts": "true" });
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.replaceChildren(root);
  return root;
}
