// What a live drawing knows: its tensors with their numbers, where each is drawn, how each is made.

/**
 * @typedef {object} Rule
 * @property {"Dot" | "Masked" | "Softmax" | "Mix" | "Taken" | "Sum" | "Norm"} kind
 * @property {string} rows of Dot and Norm
 * @property {string} by of Dot
 * @property {number} over of Dot
 * @property {string} over_words of Dot
 * @property {string} then of Dot
 * @property {string} scores of Masked and Softmax
 * @property {string} mask of Masked
 * @property {string[]} weights of Mix: one for each column
 * @property {string} values of Mix
 * @property {string} seen of Mix: what is drawn in the place of its values
 * @property {string[]} sources of Taken
 * @property {number} start of Taken
 * @property {string[]} terms of Sum
 */

/**
 * @typedef {object} Tensor
 * @property {string} called what a sentence calls it
 * @property {(number | null)[][]} numbers null: minus infinity
 * @property {Rule} [rule]
 * @property {string} [part] the part of the drawing that it is drawn in; the rest is missing without
 * @property {string} [role]
 * @property {number} [left]
 * @property {number} [top]
 * @property {[number, number]} [cell] the width and height of a cell
 */

/** @typedef {{steps: string[], tokens: string[], tensors: Record<string, Tensor>, toFind: boolean}} Known toFind: no number is shown */
/** @typedef {[string, number, number]} Spot the name of a tensor, row and column */
/** @typedef {Record<string, [number, number]>} Moves how far each grid has moved */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * The box of a number in the drawing, or of its whole row where no column is named.
 * @param {Known} known
 * @param {Moves} moves
 * @param {string} name
 * @param {number} row
 * @param {number | null} column
 * @returns {Box | null} null where the tensor is not drawn
 */
export function boxOf(known, moves, name, row, column) {
  const { cell, left = 0, top = 0, numbers } = known.tensors[name];
  if (!cell) return null;
  const [width, height] = cell, of = column === null ? numbers[0].length : 1;
  const [across, down] = moves[name] ?? [0, 0];
  return { x: left + across + width * (column ?? 0), y: top + down + height * row, width: width * of, height };
}

/**
 * The box of a whole tensor.
 * @param {Known} known
 * @param {Moves} moves
 * @param {string} name
 * @returns {Box | null} null where it is not drawn
 */
export function gridOf(known, moves, name) {
  const box = boxOf(known, moves, name, 0, null);
  return box && { ...box, height: box.height * known.tensors[name].numbers.length };
}

/**
 * The spot at a place of the drawing, or the nearest within reach of a finger.
 * @param {Known} known
 * @param {(tensor: Tensor) => boolean} isShown
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 * @param {Moves} moves
 * @returns {Spot | null}
 */
export function spotAt(known, isShown, x, y, reach, moves) {
  for (const [name, tensor] of Object.entries(known.tensors)) {
    const first = boxOf(known, moves, name, 0, 0), { numbers } = tensor;
    if (!first || !isShown(tensor)) continue;
    const rows = numbers.length, columns = numbers[0].length, { x: left, y: top, width, height } = first;
    if (x < left - reach || y < top - reach || x > left + columns * width + reach || y > top + rows * height + reach) continue;
    const inside = (/** @type {number} */ place, /** @type {number} */ count) => Math.min(Math.max(Math.floor(place), 0), count - 1);
    return [name, inside((y - top) / height, rows), inside((x - left) / width, columns)];
  }
  return null;
}

/**
 * The spot next to this one: in its tensor, or behind its edge the nearest of another one.
 * @param {Known} known
 * @param {(tensor: Tensor) => boolean} isShown
 * @param {Spot} spot
 * @param {number} across -1, 0 or 1
 * @param {number} down
 * @param {Moves} moves
 * @returns {Spot}
 */
export function spotBeside(known, isShown, [name, row, column], across, down, moves) {
  const here = known.tensors[name], i = row + down, j = column + across;
  if (here.numbers[i]?.[j] !== undefined) return [name, i, j];
  const from = boxOf(known, moves, name, row, column);
  /** @type {Spot} */
  let best = [name, row, column];
  let least = Infinity;
  for (const [other, tensor] of Object.entries(known.tensors)) {
    if (other === name || !from || !tensor.cell || !isShown(tensor)) continue;
    tensor.numbers.forEach((numbers, i) => numbers.forEach((_, j) => {
      const box = /** @type {Box} */ (boxOf(known, moves, other, i, j));
      const x = box.x + box.width / 2 - from.x - from.width / 2, y = box.y + box.height / 2 - from.y - from.height / 2;
      const ahead = x * across + y * down, aside = Math.abs(across ? y : x);
      if (ahead > 0 && ahead + 3 * aside < least) [least, best] = [ahead + 3 * aside, [other, i, j]];
    }));
  }
  return best;
}
