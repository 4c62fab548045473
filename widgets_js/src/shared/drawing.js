// Drawings made of SVG: they take the colours of the theme from the style sheet.

/** @typedef {number[]} Point x and y */
/** @typedef {Record<string, string | number>} Attributes */

/**
 * An SVG element; texts become text nodes.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(node, attributes);
  node.append(...children);
  return node;
}

/**
 * @param {Element} node
 * @param {Attributes} attributes
 */
export function setAll(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/**
 * Corner points of the convex hull, by Andrew's monotone chain.
 * @param {Point[]} points
 */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @param {Point[]} ordered */
  const half = (ordered) => {
    /** @type {Point[]} */
    const hull = [];
    for (const point of ordered) {
      while (hull.length > 1 && turn(hull[hull.length - 2], hull[hull.length - 1], point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** @type {(a: Point, b: Point, c: Point) => number} */
const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
