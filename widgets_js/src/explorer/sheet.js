// All small maps on one canvas that lies over the tiles: hundreds of canvases would be hundreds of
// layers, which the browser orders anew at every change of the page.
import { make } from "../shared/elements.js";

/** @typedef {{x: number, y: number}} Spot left and top of a small map, in points of the canvas */

/**
 * @param {HTMLElement} grid what scrolls
 * @param {HTMLElement[]} boxes where the small maps belong, one for each head
 */
export function makeSheet(grid, boxes) {
  const canvas = make("canvas", { "aria-hidden": "true", className: "cw-sheet" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {Map<number, Spot>} */
  let spots = new Map();
  let width = 0, height = 0, scale = 1;
  let view = { top: 0, left: 0, width: 0, height: 0 }; // what of the list is in sight

  return {
    canvas,
    size: () => ({ width, height }),
    /**
     * Look where the tiles are now, and move the pictures there.
     * @param {number[]} shown
     * @returns {boolean} whether the maps have another size, and must be painted again
     */
    measure(shown) {
      const from = grid.getBoundingClientRect(), first = boxes[shown[0]].getBoundingClientRect();
      scale = window.devicePixelRatio;
      const left = from.left + grid.clientLeft - grid.scrollLeft, top = from.top + grid.clientTop - grid.scrollTop;
      const old = { spots, width, height };
      width = Math.round(first.width * scale);
      height = Math.round(first.height * scale);
      if (!width || !height) return false; // not on the screen yet
      spots = new Map(shown.map((i) => {
        const box = boxes[i].getBoundingClientRect();
        return [i, { x: Math.round((box.left - left) * scale), y: Math.round((box.top - top) * scale) }];
      }));
      const isOther = width !== old.width || height !== old.height;
      const same = !isOther && spots.size === old.spots.size && [...spots].every(([i, { x, y }]) => old.spots.get(i)?.x === x && old.spots.get(i)?.y === y);
      if (same) return false;
      const was = canvas.width && old.width ? make("canvas", { width: canvas.width, height: canvas.height }) : null;
      was?.getContext("2d")?.drawImage(canvas, 0, 0);
      const all = [...spots.values()];
      canvas.width = Math.max(...all.map(({ x }) => x)) + width;
      canvas.height = Math.max(...all.map(({ y }) => y)) + height;
      canvas.style.width = canvas.width / scale + "px";
      canvas.style.height = canvas.height / scale + "px";
      context.imageSmoothingEnabled = false;
      for (const [i, { x, y }] of spots) {
        const before = old.spots.get(i);
        if (was && before) context.drawImage(was, before.x, before.y, old.width, old.height, x, y, width, height);
      }
      return isOther;
    },
    /** @param {number} index @param {ImageData} image */
    put(index, image) {
      const spot = spots.get(index);
      if (spot) context.putImageData(image, spot.x, spot.y);
    },
    /** How many of the tiles lie wholly or mostly out of sight, above and below, and whether some do at the right. */
    outOfSight() {
      view = { top: grid.scrollTop, left: grid.scrollLeft, width: grid.clientWidth, height: grid.clientHeight };
      const top = view.top * scale, bottom = top + view.height * scale, middle = height / 2;
      const all = [...spots.values()];
      return { above: all.filter(({ y }) => y + middle < top).length, below: all.filter(({ y }) => y + middle > bottom).length,
        isWide: all.some(({ x }) => x + width / 2 > (view.left + view.width) * scale) };
    },
    /**
     * Scroll the list, and not the page, until this tile is in sight.
     * @param {number} index
     */
    reveal(index) {
      const spot = spots.get(index);
      if (!spot) return;
      const y = spot.y / scale, x = spot.x / scale, tall = height / scale + 20, wide = width / scale + 4;
      if (y < view.top || y + tall > view.top + view.height) grid.scrollTop = y - (view.height - tall) / 2;
      if (x < view.left || x + wide > view.left + view.width) grid.scrollLeft = x - (view.width - wide) / 2;
    },
  };
}
