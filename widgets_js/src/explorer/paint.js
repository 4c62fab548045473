// Maps of weights on a canvas. Where there are more cells than points, a point shows the largest
// of its cells, so that a thin line of weight does not vanish.
import { shadeOf, shadeOfEffect } from "../shared/colours.js";

/**
 * @typedef {object} Picture
 * @property {Float64Array} weights queryLen * keyLen
 * @property {Float64Array | null} minus what is taken off: then the picture is a difference
 * @property {import("../shared/attention_math.js").Floats} scores NaN where attention is never allowed
 * @property {boolean} causal
 * @property {number} most the weight (or the difference) that has the last colour
 * @property {number} queryLen
 * @property {number} keyLen
 */

/**
 * The shade of a cell.
 * @param {number} value
 * @param {Picture} picture
 */
export function shadeIn(value, { minus, most }) {
  const share = Math.min(Math.max(value / most, -1), 1);
  return minus ? shadeOfEffect(share) : shadeOf(Math.max(share, 0));
}

/**
 * @param {Picture} picture
 * @param {number} query
 * @param {number} key
 * @returns {number | null} null where masked
 */
export function valueAt({ weights, minus, scores, causal, queryLen, keyLen }, query, key) {
  const i = query * keyLen + key;
  if (scores[i] !== scores[i] || (causal && key > query + keyLen - queryLen)) return null;
  return weights[i] - (minus ? minus[i] : 0);
}

/**
 * The values on a grid of at most `columns` by `rows`: one for each cell, or the largest of those
 * that share a place. NaN where nothing may be attended to.
 * @param {Picture} picture
 * @param {number} columns
 * @param {number} rows
 */
function pooled({ weights, minus, scores, causal, queryLen, keyLen }, columns, rows) {
  const values = new Float64Array(columns * rows).fill(NaN);
  const column = Int32Array.from({ length: keyLen }, (_, key) => Math.floor(key * columns / keyLen));
  for (let query = 0; query < queryLen; query++) {
    const end = causal ? Math.min(query + 1 + keyLen - queryLen, keyLen) : keyLen;
    const row = query * keyLen, line = Math.floor(query * rows / queryLen) * columns;
    for (let key = 0; key < end; key++) {
      const i = row + key;
      if (scores[i] !== scores[i]) continue;
      const value = minus ? weights[i] - minus[i] : weights[i], at = line + column[key];
      if (!(Math.abs(value) <= Math.abs(values[at]))) values[at] = value;
    }
  }
  return values;
}

/**
 * Draw it; what a mask hides stays clear.
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} points the most points along a side
 * @param {(rows: number, columns: number, seen: (row: number, column: number) => boolean) => void} showEdge
 * @returns whether every cell has a point of its own
 */
export function paint(canvas, picture, points, showEdge) {
  const { queryLen, keyLen } = picture;
  const width = Math.min(keyLen, points), height = Math.min(queryLen, points);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  const values = pooled(picture, width, height);
  values.forEach((value, i) => {
    if (value === value) pixels[i] = shadeIn(value, picture).pixel;
  });
  showEdge(height, width, (row, column) => values[row * width + column] === values[row * width + column]);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.putImageData(image, 0, 0);
  return width === keyLen && height === queryLen;
}

/**
 * The same in exactly so many points: a cell may fill several. The edge is a line of points.
 * @param {Picture} picture
 * @param {number} width
 * @param {number} height
 * @param {number} line the colour of the edge
 */
export function paintSmall(picture, width, height, line) {
  const columns = Math.min(picture.keyLen, width), rows = Math.min(picture.queryLen, height);
  const values = pooled(picture, columns, rows);
  const colours = Uint32Array.from(values, (value) => (value === value ? shadeIn(value, picture).pixel : 0));
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(x * columns / width));
  for (let y = 0, at = 0; y < height; y++) {
    const start = Math.floor(y * rows / height) * columns;
    for (let x = 0; x < width; x++) pixels[at++] = colours[start + column[x]];
  }
  // Where what is seen ends: the first point of the ground beside it.
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i]) continue;
    const x = i % width, beside = [x > 0 ? pixels[i - 1] : 0, x < width - 1 ? pixels[i + 1] : 0, pixels[i - width], pixels[i + width]];
    if (beside.some((pixel) => pixel && pixel !== line)) pixels[i] = line;
  }
  return image;
}
