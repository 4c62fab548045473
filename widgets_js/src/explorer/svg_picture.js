// What is seen, as one SVG: the map with its tokens, its scale, and the weights that are spoken of.
import { colourOf, valueAt } from "./paint.js";

const MOST_CELLS = 128 * 128; // more cells are one embedded picture
const MOST_LABELS = 64;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u001f]/g, " ");
/** @param {string} text @param {number} most */
const short = (text, most) => escaped([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);

/**
 * @param {object} what
 * @param {import("./look.js").Look} what.look
 * @param {import("./paint.js").Picture} what.picture
 * @param {string} what.name
 * @param {string} what.sentence the headline
 * @param {HTMLCanvasElement} what.map
 * @returns {string}
 */
export function svgPicture({ look, picture, name, sentence, map }) {
  const { queryLen, keyLen } = look.data, { queries, keys } = look.tokens();
  const cell = Math.min(28, Math.max(420 / Math.max(queryLen, keyLen), 1));
  const size = Math.min(11, Math.max(cell, 5)), left = 110, top = 66;
  const width = keyLen * cell, height = queryLen * cell, right = left + width + 30;
  const parts = [];
  if (queryLen * keyLen <= MOST_CELLS) {
    for (let query = 0; query < queryLen; query++) {
      for (let key = 0; key < keyLen; key++) {
        const value = valueAt(picture, queryLen, keyLen, query, key);
        const fill = value === null ? "url(#masked)" : colourOf(value, picture);
        parts.push(`<rect x="${(left + key * cell).toFixed(2)}" y="${(top + query * cell).toFixed(2)}" width="${(cell + 0.02).toFixed(2)}" height="${(cell + 0.02).toFixed(2)}" fill="${fill}"/>`);
      }
    }
  } else {
    parts.push(`<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="url(#masked)"/>`,
      `<image x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${map.toDataURL()}"/>`);
  }
  /** @param {string[]} texts @param {(text: string, i: number) => string} label */
  const labels = (texts, label) => {
    const step = Math.ceil(texts.length / MOST_LABELS);
    texts.forEach((text, i) => i % step || parts.push(label(text, i)));
  };
  labels(queries, (text, i) => `<text x="${left - 6}" y="${(top + (i + 0.5) * cell + size / 3).toFixed(2)}" text-anchor="end" fill="#0072b2">${short(text, 18)}</text>`);
  labels(keys, (text, i) => {
    const x = (left + (i + 0.5) * cell + size / 3).toFixed(2), y = top + height + 6;
    return `<text transform="translate(${x} ${y}) rotate(-90)" text-anchor="end" fill="#a84a00">${short(text, 18)}</text>`;
  });
  const { query, key } = look.at();
  parts.push(look.asksKey()
    ? `<rect x="${left + key * cell}" y="${top}" width="${cell}" height="${height}" fill="none" stroke="#0072b2" stroke-width="2"/>`
    : `<rect x="${left}" y="${top + query * cell}" width="${width}" height="${cell}" fill="none" stroke="#0072b2" stroke-width="2"/>`);

  const line = look.line(look.chosen()), partners = look.partners();
  const places = [...line.keys()].sort((a, b) => (line[b] ?? -1) - (line[a] ?? -1)).slice(0, 12).sort((a, b) => a - b);
  places.forEach((place, i) => {
    const y = top + 14 + i * 20, weight = line[place];
    parts.push(`<text x="${right + 96}" y="${y + 9}" text-anchor="end">${short(partners[place], 14)}</text>`,
      `<rect x="${right + 102}" y="${y}" width="130" height="11" fill="none" stroke="#999"/>`,
      `<rect x="${right + 102}" y="${y}" width="${(130 * (weight ?? 0)).toFixed(1)}" height="11" fill="#b8860b"/>`,
      `<text x="${right + 238}" y="${y + 9}">${look.percent(weight)}</text>`);
  });
  const most = picture.most >= 0.1 ? picture.most.toFixed(2) : picture.most.toPrecision(1);
  const stretched = look.get("stretch") ? `, stretched: the last colour is ${most}, not 1` : "";
  const variant = look.tokens(), untrained = variant.untrained ? ", untrained" : "";
  const facts = `${picture.minus ? `difference from −${most} (blue) to +${most} (red)` : `weight from 0 (dark) to ${most} (bright)`}${stretched}; ` +
    `temperature ${look.get("temperature")}${look.get("causal") ? ", causal mask" : ""}${untrained}; hatched: masked`;
  const total = [right + 300, Math.max(top + height + 110, top + places.length * 20 + 40)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total[0]}" height="${total[1]}" viewBox="0 0 ${total[0]} ${total[1]}" font-family="system-ui, sans-serif" font-size="${size}">` +
    `<title>${escaped(name)}</title><defs><pattern id="masked" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#eee"/><path d="M0 6L6 0" stroke="#bbb"/></pattern></defs>` +
    `<rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="14" font-weight="600">${escaped(variant.name ? variant.name + ": " : "")}${escaped(sentence)}</text>` +
    `<text x="12" y="42" font-size="11">map: ${escaped(name)}; ${escaped(facts)}</text>${parts.join("")}</svg>`;
}
