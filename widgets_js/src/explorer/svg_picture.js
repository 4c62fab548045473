// What is seen, as one SVG: the map with its tokens, its scale, and the weights that are spoken of.
import { together } from "./bars.js";
import { shortName } from "./data.js";
import { pageUsed, ROLES, shadeOf, usePage } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { edgePath } from "../shared/edge.js";
import { paint, shadeIn, valueAt } from "./paint.js";

const MOST_CELLS = 128 * 128; // more cells are one embedded picture
const MOST_LABELS = 64;
const MOST_BARS = 12;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u001f]/g, " ");
/** @param {string} text @param {number} most */
const short = (text, most) => escaped([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);

/**
 * The weights that are spoken of, as on the screen: of the chosen, the overlaid and the pinned head.
 * @param {import("./look.js").Look} look
 * @param {number} left
 * @param {number} top
 */
function drawnBars(look, left, top) {
  const line = look.line(look.chosen()), partners = look.partners(), pinned = look.pinned(), at = look.pinnedIndex();
  const heads = together(look), other = pinned && look.line(pinned);
  const fills = heads.map(({ index, colour }) => ({ line: look.line(look.weights(index)), fill: colour, name: shortName(look.data, index) }));
  if (other && at !== null) fills.push({ line: other, fill: "url(#pinned)", name: `pinned: ${shortName(look.data, at)}; in brackets this minus pinned` });
  const places = [...line.keys()].sort((a, b) => (line[b] ?? -1) - (line[a] ?? -1)).slice(0, MOST_BARS).sort((a, b) => a - b);
  const thick = fills.length > 1 ? 5 : 11, step = 9 + Math.max(11, thick * fills.length), parts = [];
  places.forEach((place, i) => {
    const y = top + 14 + i * step, middle = y + step / 2, weight = line[place];
    const less = other ? (weight ?? 0) - (other[place] ?? 0) : 0;
    const difference = other ? ` (${less < 0 ? "−" : "+"}${look.percent(Math.abs(less))})` : "";
    parts.push(`<text x="${left + 96}" y="${middle}" text-anchor="end">${short(partners[place], 14)}</text>`,
      `<rect x="${left + 102}" y="${y}" width="130" height="${thick * fills.length}" fill="none" stroke="#999"/>`,
      ...fills.map(({ line, fill }, j) => `<rect x="${left + 102}" y="${y + j * thick}" width="${(130 * (line[place] ?? 0)).toFixed(1)}" height="${thick}" fill="${fills.length > 1 ? fill : shadeOf(line[place] ?? 0).background}"/>`),
      `<text x="${left + 238}" y="${middle}">${look.percent(weight)}${difference}</text>`);
  });
  let bottom = top + 14 + places.length * step;
  if (fills.length > 1) {
    for (const { fill, name } of fills) {
      bottom += 14;
      parts.push(`<rect x="${left + 12}" y="${bottom - 8}" width="14" height="8" fill="${fill}"/>`, `<text x="${left + 32}" y="${bottom}">${escaped(name)}</text>`);
    }
  }
  return { drawing: parts.join(""), bottom };
}

/**
 * @typedef {object} What
 * @property {import("./look.js").Look} look
 * @property {import("./paint.js").Picture & {queries: string[], keys: string[]}} picture
 * @property {string} name
 * @property {string} sentence the headline
 */

/**
 * A picture on white paper, whatever the page is.
 * @param {What} what
 * @returns {string}
 */
export function svgPicture(what) {
  const page = pageUsed();
  usePage("light");
  const drawing = draw(what);
  usePage(page);
  return drawing;
}

/** @param {What} what @returns {string} */
function draw({ look, picture, name, sentence }) {
  const { queryLen, keyLen, queries, keys } = picture;
  const cell = Math.min(28, Math.max(420 / Math.max(queryLen, keyLen), 1));
  const size = Math.min(11, Math.max(cell, 5)), left = 110, top = 66;
  const width = keyLen * cell, height = queryLen * cell, right = left + width + 30;
  const parts = [];
  if (queryLen * keyLen <= MOST_CELLS) {
    for (let query = 0; query < queryLen; query++) {
      for (let key = 0; key < keyLen; key++) {
        const value = valueAt(picture, query, key);
        if (value === null) continue;
        const fill = shadeIn(value, picture).background;
        parts.push(`<rect x="${(left + key * cell).toFixed(2)}" y="${(top + query * cell).toFixed(2)}" width="${(cell + 0.02).toFixed(2)}" height="${(cell + 0.02).toFixed(2)}" fill="${fill}"/>`);
      }
    }
  } else {
    const map = make("canvas");
    paint(map, picture, Math.max(queryLen, keyLen), () => {});
    parts.push(`<image x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${map.toDataURL()}"/>`);
  }
  const edge = edgePath(queryLen, keyLen, (query, key) => valueAt(picture, query, key) !== null);
  parts.push(`<path d="${edge}" transform="translate(${left} ${top}) scale(${cell})" fill="none" stroke="#808080" vector-effect="non-scaling-stroke"/>`);
  /** @param {string[]} texts @param {(text: string, i: number) => string} label */
  const labels = (texts, label) => {
    const step = Math.ceil(texts.length / MOST_LABELS);
    texts.forEach((text, i) => i % step || parts.push(label(text, i)));
  };
  labels(queries, (text, i) => `<text x="${left - 6}" y="${(top + (i + 0.5) * cell + size / 3).toFixed(2)}" text-anchor="end" fill="${ROLES.query}">${short(text, 18)}</text>`);
  labels(keys, (text, i) => {
    const x = (left + (i + 0.5) * cell + size / 3).toFixed(2), y = top + height + 6;
    return `<text transform="translate(${x} ${y}) rotate(-90)" text-anchor="end" fill="${ROLES.key}">${short(text, 18)}</text>`;
  });
  const { query, key } = look.at();
  parts.push(look.asksKey()
    ? `<rect x="${left + key * cell}" y="${top}" width="${cell}" height="${height}" fill="none" stroke="${ROLES.query}" stroke-width="2"/>`
    : `<rect x="${left}" y="${top + query * cell}" width="${width}" height="${cell}" fill="none" stroke="${ROLES.query}" stroke-width="2"/>`);
  const bars = drawnBars(look, right, top);
  parts.push(bars.drawing);
  const most = picture.most >= 0.1 ? picture.most.toFixed(2) : picture.most.toPrecision(1);
  const stretched = look.get("stretch") ? `, stretched: the last colour is ${most}, not 1` : "";
  const untrained = look.data.untrained ? ", untrained" : "";
  const facts = `${picture.minus ? `difference from −${most} (purple) to +${most} (green)` : `weight from 0 (white) to ${most} (darkest)`}${stretched}; ` +
    `temperature ${look.get("temperature")}${look.get("causal") ? ", causal mask" : ""}${untrained}; outside the line: masked`;
  const total = [right + (look.pinned() ? 370 : 310), Math.max(top + height + 110, bars.bottom + 26)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total[0]}" height="${total[1]}" viewBox="0 0 ${total[0]} ${total[1]}" font-family="system-ui, sans-serif" font-size="${size}">` +
    `<title>${escaped(name)}</title><defs><pattern id="pinned" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="4" height="6" fill="#8c2a5b"/></pattern></defs>` +
    `<rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="14" font-weight="600">${escaped(sentence)}</text>` +
    `<text x="12" y="42" font-size="11">map: ${escaped(name)}; ${escaped(facts)}</text>${parts.join("")}</svg>`;
}
