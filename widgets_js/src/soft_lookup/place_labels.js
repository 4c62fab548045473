// Where the names stand in a drawing: beside their points, and not upon one another.

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{x: number, y: number, radius: number, text: string}} Named a point, and the space that it takes */
/** @typedef {{x: number, y: number, anchor: "start" | "middle" | "end"}} Label where a text starts, has its middle or ends */

const LETTER = 0.62; // of the font size: wider than most letters are
const ASCENT = 0.78, DESCENT = 0.24;
const FURTHER = [0, 1, 2]; // font sizes from the point, tried in this order

/**
 * The place of a text's letters.
 * @param {Label} label
 * @param {string} text
 * @param {number} size of the font
 * @returns {Box}
 */
export function boxOf({ x, y, anchor }, text, size) {
  const width = LETTER * size * [...text].length;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - ASCENT * size, bottom: y + DESCENT * size };
}

/**
 * The area that two boxes share.
 * @param {Box} a
 * @param {Box} b
 */
export function shared(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * Place the labels one after the other, each at the first place beside its point that hides least: of
 * the obstacles, of the labels before it, and of itself outside the frame.
 * @param {Named[]} points
 * @param {Box[]} obstacles
 * @param {Box} frame
 * @param {number} size of the font
 * @returns {Label[]}
 */
export function placeLabels(points, obstacles, frame, size) {
  const taken = [...obstacles];
  return points.map((point) => {
    const places = around(point, size).map((label) => ({ label, box: boxOf(label, point.text, size) }));
    const best = places.map(({ box }) => {
      const area = (box.right - box.left) * (box.bottom - box.top);
      return taken.reduce((sum, other) => sum + shared(box, other), 0) + 2 * (area - shared(box, frame));
    });
    const chosen = places[best.indexOf(Math.min(...best))];
    taken.push(chosen.box);
    return chosen.label;
  });
}

/**
 * Above, below, right, left, and the four corners: close by, and then further off.
 * @param {Named} point
 * @param {number} size
 * @returns {Label[]}
 */
function around({ x, y, radius }, size) {
  return FURTHER.flatMap((further) => {
    const gap = radius + (0.25 + further) * size, up = y - gap - DESCENT * size, down = y + gap + ASCENT * size;
    const middle = y + 0.3 * size, right = x + gap, left = x - gap;
    return /** @type {Label[]} */ ([
      { x, y: up, anchor: "middle" }, { x, y: down, anchor: "middle" },
      { x: right, y: middle, anchor: "start" }, { x: left, y: middle, anchor: "end" },
      { x: right, y: up, anchor: "start" }, { x: left, y: up, anchor: "end" },
      { x: right, y: down, anchor: "start" }, { x: left, y: down, anchor: "end" },
    ]);
  });
}

/**
 * The box of a dot.
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @returns {Box}
 */
export const dotBox = (x, y, radius) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
