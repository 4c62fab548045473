// The colours of weights and of effects on the light or the dark page: as a number, on an element and on a canvas.
import table from "../../../course_lib/figures/colours.json" with { type: "json" };

/** @typedef {"light" | "dark"} Page */

// The colours of the weights 0, 0.1, ... 1, and of the effects -1, 0, 1. 0 is the ground.
/** @type {Record<Page, string>} */
export const WEIGHTS = table.weights;
/** @type {Record<Page, string>} */
export const EFFECTS = table.effects;
/** The bundles hold no other role: build.mjs. @type {Record<"query" | "key", string>} */
export const ROLES = table.roles;
const STEPS = 1000;

/**
 * The colour at a place of a scale, from 0 to 1, as [red, green, blue].
 * @param {string} scale
 * @param {number} share
 */
function colourAt(scale, share) {
  const stops = scale.split(" "), place = (stops.length - 1) * Math.min(Math.max(share, 0), 1), low = Math.min(Math.floor(place), stops.length - 2);
  const [below, above] = stops.slice(low, low + 2).map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  return below.map((c, i) => Math.round(c + (place - low) * (above[i] - c)));
}

/**
 * The colour of a weight from 0 to 1 as [red, green, blue].
 * @param {number} weight
 * @param {Page} page
 */
export const weightColour = (weight, page) => colourAt(WEIGHTS[page], weight);

/** @param {number} weight */
export const percent = (weight) => (100 * weight).toFixed(1) + "%";

/** The luminance of WCAG 2, from 0 to 1. @param {number[]} colour */
export function luminance(colour) {
  const [red, green, blue] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @typedef {{background: string, text: string, pixel: number}} Shade */
/** The shades that were asked for, by scale. @type {Record<string, Shade[]>} */
const SHADES = {};

/** @param {string} scale @param {number} share from 0 to 1 @returns {Shade} */
function shadeAt(scale, share) {
  const known = SHADES[scale] ??= [], i = Math.round(STEPS * share);
  if (known[i]) return known[i];
  const colour = colourAt(scale, i / STEPS), [red, green, blue] = colour;
  // Where black and white have the same contrast, each has 4.58.
  return known[i] = { background: `rgb(${red} ${green} ${blue})`, text: luminance(colour) < 0.179 ? "#fff" : "#000",
    pixel: (255 << 24) | (blue << 16) | (green << 8) | red };
}
/** @type {Page} */
let used = "light";

/** From now on colours are those of this page. @param {Page} page */
export function usePage(page) {
  used = page;
}
export const pageUsed = () => used;

/** @param {number} weight from 0 to 1 */
export const shadeOf = (weight) => shadeAt(WEIGHTS[used], weight);
/** @param {number} change from -1 to 1 */
export const shadeOfEffect = (change) => shadeAt(EFFECTS[used], (1 + change) / 2);

/**
 * Colour an element by a weight; null is masked: the element stands on the ground.
 * @param {HTMLElement} node
 * @param {number | null} weight
 * @param {(weight: number) => Shade} shadeFor
 */
export function shade(node, weight, shadeFor = shadeOf) {
  const { background, text } = weight === null ? { background: "", text: "" } : shadeFor(weight);
  node.classList.toggle("cw-masked", weight === null);
  Object.assign(node.style, { backgroundColor: background, color: text });
}

/**
 * Colour a bar by its weight; a thin line in the role's colour shows where a pale one ends.
 * @param {HTMLElement} fill
 * @param {number} weight
 */
export function shadeBar(fill, weight) {
  fill.classList.add("cw-of-weight");
  fill.style.background = shadeOf(weight).background;
}

/**
 * Draw weights on a canvas, a pixel for a cell. What a mask hides stays clear.
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
