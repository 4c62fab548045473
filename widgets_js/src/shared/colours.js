// The colour of a weight, as a number, on an element and on a canvas.

// matplotlib's cividis at 33 even steps; between them the colours are close to straight lines.
const CIVIDIS = (
  "00224e 00285b 002e6a 053371 1a386f 273e6e 32436d 3b496c 434e6c 4b546c 535a6d 5a5f6e " +
  "61656f 686a71 6f7073 767676 7d7c78 848279 8c8878 938e78 9b9476 a39a74 aba072 b4a76f " +
  "bcae6c c4b468 cdbb63 d5c25e dec958 e7d150 f0d846 f9e03a fee838"
).split(" ")
  .map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));

/**
 * The colour of a weight from 0 to 1 as [red, green, blue].
 * @param {number} weight
 */
export function cividis(weight) {
  const place = Math.min(Math.max(weight, 0), 1) * 32;
  const low = Math.min(Math.floor(place), 31);
  return CIVIDIS[low].map((c, i) => Math.round(c + (place - low) * (CIVIDIS[low + 1][i] - c)));
}

/** @param {number} weight */
export const percent = (weight) => (100 * weight).toFixed(1) + "%";

const SHADES = Array.from({ length: 256 }, (_, i) => {
  const [red, green, blue] = cividis(i / 255);
  return { background: `rgb(${red} ${green} ${blue})`, text: i < 118 ? "#fff" : "#000",
    pixel: (255 << 24) | (blue << 16) | (green << 8) | red };
});

/** @param {number} weight from 0 to 1 */
export const shadeOf = (weight) => SHADES[Math.round(255 * weight)];

/**
 * Colour an element by a weight, or hatch it when weight is null.
 * @param {HTMLElement} node
 * @param {number | null} weight
 */
export function shade(node, weight) {
  const { background, text } = weight === null ? { background: "", text: "" } : shadeOf(weight);
  node.classList.toggle("cw-masked", weight === null);
  Object.assign(node.style, { backgroundColor: background, color: text });
}

/**
 * Draw weights on a canvas, a pixel for a cell. Forbidden cells stay clear: its hatching shows.
 * @param {HTMLCanvasElement} canvas
 * @param {Float64Array} weights queryLen * keyLen
 * @param {number} queryLen
 * @param {number} keyLen
 * @param {(query: number, key: number) => boolean} allowed
 */
export function drawMap(canvas, weights, queryLen, keyLen, allowed) {
  canvas.width = keyLen;
  canvas.height = queryLen;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(keyLen, queryLen);
  const pixels = new Uint32Array(image.data.buffer);
  weights.forEach((weight, i) => {
    if (weight || allowed(Math.floor(i / keyLen), i % keyLen)) pixels[i] = shadeOf(weight).pixel;
  });
  context.putImageData(image, 0, 0);
}
