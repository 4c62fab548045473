// Maps of weights on a canvas. Where there are more cells than points, a point shows the largest
// of its cells, so that a thin line of weight does not vanish.
import { shadeOf } from "../shared/colours.js";

/**
 * @typedef {object} Picture
 * @property {Float64Array} weights queryLen * keyLen
 * @property {Float64Array | null} minus what is taken off: then the picture is a difference
 * @property {Float32Array} scores NaN where attention is never allowed
 * @property {boolean} causal
 * @property {number} most the weight (or the difference) that has the last colour
 */

const MIDDLE = [244, 244, 244], MORE = [178, 24, 43], LESS = [33, 102, 172];

/**
 * The colour of a difference from -1 (blue) over 0 (nearly white) to 1 (red).
 * @param {number} share
 */
export function differenceColour(share) {
  const end = share > 0 ? MORE : LESS, part = Math.min(Math.abs(share), 1) ** 0.75;
  return MIDDLE.map((c, i) => Math.round(c + part * (end[i] - c)));
}

const DIFFERENCES = Array.from({ length: 511 }, (_, i) => {
  const [red, green, blue] = differenceColour((i - 255) / 255);
  return (255 << 24) | (blue << 16) | (green << 8) | red;
});

/**
 * The colour of a cell as a canvas pixel.
 * @param {number} value
 * @param {Picture} picture
 */
const pixelOf = (value, { minus, most }) => {
  const share = Math.min(Math.max(value / most, -1), 1);
  return minus ? DIFFERENCES[255 + Math.round(255 * share)] : shadeOf(Math.max(share, 0)).pixel;
};

/**
 * The same colour for CSS and SVG.
 * @param {number} value
 * @param {Picture} picture
 */
export function colourOf(value, { minus, most }) {
  const share = Math.min(Math.max(value / most, -1), 1);
  return minus ? `rgb(${differenceColour(share).join(" ")})` : shadeOf(Math.max(share, 0)).background;
}

/**
 * @param {Picture} picture
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {number} query
 * @param {number} key
 * @returns {number | null} null where masked
 */
export function valueAt({ weights, minus, scores, causal }, queryLen, keyLen, query, key) {
  const i = query * keyLen + key;
  if (scores[i] !== scores[i] || (causal && key > query + keyLen - queryLen)) return null;
  return weights[i] - (minus ? minus[i] : 0);
}

/**
 * Draw it; forbidden cells stay clear: the canvas's hatching shows.
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {number} points the most points along a side
 */
export function paint(canvas, picture, queryLen, keyLen, points) {
  const width = Math.min(keyLen, points), height = Math.min(queryLen, points);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const { weights, minus, scores, causal } = picture;
  const exact = width === keyLen && height === queryLen;
  const best = exact ? null : new Float64Array(width * height);
  for (let query = 0; query < queryLen; query++) {
    const end = causal ? Math.min(query + 1 + keyLen - queryLen, keyLen) : keyLen;
    const row = query * keyLen, line = Math.floor(query * height / queryLen) * width;
    for (let key = 0; key < end; key++) {
      const i = row + key;
      if (scores[i] !== scores[i]) continue;
      const value = minus ? weights[i] - minus[i] : weights[i];
      if (!best) pixels[i] = pixelOf(value, picture);
      else {
        const at = line + Math.floor(key * width / keyLen);
        if (!pixels[at] || Math.abs(value) > Math.abs(best[at])) {
          best[at] = value;
          pixels[at] = pixelOf(value, picture);
        }
      }
    }
  }
  context.putImageData(image, 0, 0);
  return exact;
}
