// The weights of one query (or on one key) as bars and numbers, the overlaid and the pinned ones too.
import { shade, shadeBar, WEIGHTS } from "../shared/colours.js";
import { heading, make } from "../shared/elements.js";
import { shortName } from "./data.js";
import { MOST_CHIPS } from "./picker.js";
import { token } from "./words.js";

const MOST_BARS = 20;
const TOP = 12; // of more tokens than MOST_BARS
export const COLOURS = ["#" + WEIGHTS.light.split(" ")[5], "#c36", "#19a", "#782", "#888", "#c7a"];

/**
 * The places of the largest weights, as many as are shown.
 * @param {(number | null)[]} line
 */
export function topPlaces(line) {
  const places = [...line.keys()];
  if (line.length <= MOST_BARS) return places;
  return places.sort((a, b) => (line[b] ?? -1) - (line[a] ?? -1) || a - b).slice(0, TOP);
}

/**
 * A bar's length, as a share of its track. A width would be laid out anew, and move for many frames.
 * @param {HTMLElement} fill
 * @param {number} share
 */
export function fillTo(fill, share) {
  fill.style.clipPath = `inset(0 ${100 - 100 * share}% 0 0)`;
}

/**
 * The heads whose weights are shown together: the chosen one, then the overlaid ones.
 * @param {import("./look.js").Look} look
 */
export const together = (look) => {
  const chosen = look.index();
  const others = look.overlaid().filter((index) => index !== chosen);
  return [chosen, ...others].slice(0, COLOURS.length).map((index, i) => ({ index, colour: COLOURS[i] }));
};

/** @param {import("./look.js").Look} look */
export function bars(look) {
  const longest = Math.max(look.data.queryLen, look.data.keyLen);
  const chipBox = make("div", { className: "cw-chips cw-partners" });
  const title = heading(), box = make("div", { className: "cw-bars" }), legend = make("p", { className: "cw-legend" });
  chipBox.hidden = longest > MOST_CHIPS;
  let explained = "";

  function update() {
    const partners = look.partners(), line = look.line(look.chosen());
    if (!chipBox.hidden) {
      if (chipBox.children.length !== partners.length) chipBox.replaceChildren(...partners.map((text) => token(text, "span")));
      partners.forEach((text, i) => {
        const chip = /** @type {HTMLElement} */ (chipBox.children[i]);
        if (chip.textContent !== text) chip.textContent = chip.title = text;
        shade(chip, line[i]);
      });
    }
    const heads = together(look), pinned = look.pinned();
    const lines = heads.map(({ index }) => look.line(look.weights(index)));
    const other = pinned && look.line(pinned);
    const places = topPlaces(line);
    title.textContent = places.length < line.length ? `weight: the top ${places.length} of ${line.length} ${look.asksKey() ? "queries" : "keys"}` : "weight";
    // The same nodes are used again while their number stays: pointing is quick.
    const rows = places.length;
    if (box.children.length !== 3 * rows) {
      box.replaceChildren(...places.flatMap(() => [make("span", { dir: "auto" }), make("span", { className: "cw-track" }), make("span")]));
    }
    const fills = heads.length + (other ? 1 : 0);
    places.forEach((place, i) => {
      const [name, track, value] = /** @type {HTMLElement[]} */ ([0, 1, 2].map((j) => box.children[3 * i + j]));
      if (name.textContent !== partners[place]) name.textContent = name.title = partners[place];
      if (track.children.length !== fills) track.replaceChildren(...Array.from({ length: fills }, () => make("i")));
      [...lines, ...(other ? [other] : [])].forEach((weights, j) => {
        const fill = /** @type {HTMLElement} */ (track.children[j]);
        fillTo(fill, weights[place] ?? 0);
        if (fills === 1) shadeBar(fill, weights[place] ?? 0);
        else fill.style.background = j < heads.length ? heads[j].colour : "";
        fill.classList.toggle("cw-of-pinned", j >= heads.length);
      });
      track.classList.toggle("cw-masked", line[place] === null);
      track.classList.toggle("cw-several", fills > 1);
      const difference = other ? (line[place] ?? 0) - (other[place] ?? 0) : 0;
      const text = look.percent(line[place]) + (other ? ` (${difference < 0 ? "−" : "+"}${look.percent(Math.abs(difference))})` : "");
      if (value.textContent !== text) value.textContent = text;
    });
    box.classList.toggle("cw-compared", Boolean(other));
    const at = look.pinnedIndex(), key = [heads.map(({ index }) => index), at].join();
    if (key === explained) return;
    explained = key;
    legend.hidden = fills < 2;
    legend.replaceChildren(...heads.flatMap(({ index, colour }) => {
      const mark = make("i");
      mark.style.background = colour;
      return [mark, shortName(look.data, index) + " "];
    }), ...(at !== null ? [make("i", { className: "cw-of-pinned" }), `pinned: ${shortName(look.data, at)}; in brackets this minus pinned`] : []));
  }
  return { node: make("div", {}, chipBox, title, legend, box), update };
}
