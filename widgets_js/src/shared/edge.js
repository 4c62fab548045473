// One thin line along the edge of what may be seen. What a mask hides is not drawn at all, and the
// line tells it from a weight of 0.
import { setAll, svg } from "./drawing.js";

const MOST = 20000; // pieces of a line; a mask of dust has more, and then there is none

/**
 * The edge as a path: cells are squares of size 1.
 * @param {number} rows
 * @param {number} columns
 * @param {(row: number, column: number) => boolean} seen
 */
export function edgePath(rows, columns, seen) {
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 && row < rows && column >= 0 && column < columns && seen(row, column);
  const pieces = [];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column < columns; column++) {
      const start = column;
      while (column < columns && at(row - 1, column) !== at(row, column)) column++;
      if (column > start) pieces.push(`M${start} ${row}H${column}`);
    }
  }
  for (let column = 0; column <= columns; column++) {
    for (let row = 0; row < rows; row++) {
      const start = row;
      while (row < rows && at(row, column - 1) !== at(row, column)) row++;
      if (row > start) pieces.push(`M${column} ${start}V${row}`);
    }
  }
  return pieces.length > MOST ? "" : pieces.join("");
}

/** A drawing that lies over a map and shows its edge. */
export function edgeLine() {
  const path = svg("path"), node = svg("svg", { class: "cw-edge", preserveAspectRatio: "none", "aria-hidden": "true" }, path);
  let drawn = "";
  return {
    node,
    /** @type {(rows: number, columns: number, seen: (row: number, column: number) => boolean) => void} */
    show(rows, columns, seen) {
      const edge = edgePath(rows, columns, seen);
      if (edge === drawn) return;
      setAll(path, { d: drawn = edge });
      setAll(node, { viewBox: `0 0 ${columns} ${rows}` });
    },
  };
}
