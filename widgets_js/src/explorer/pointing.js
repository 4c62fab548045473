// Which cell of the map is pointed at: with the pointer, or with the arrow keys.

/** @typedef {{query: number, key: number}} Cell */

/**
 * @param {import("./look.js").Look} look
 * @param {HTMLElement} sheet what has the focus
 * @param {HTMLElement} map
 * @param {() => {queryLen: number, keyLen: number, queries: string[], keys: string[]}} shown what is on the map
 * @param {() => void} onHere another cell of a map that only the map itself speaks of
 * @param {(cell: Cell) => void} speak
 */
export function pointing(look, sheet, map, shown, onHere, speak) {
  /** @type {Cell | null} a cell of the pinned sentence, where that is another one */
  let own = null;
  /** @type {Cell | null} where the arrow keys are */
  let walking = null;

  /** Whether the rest of the widget speaks of the same words. */
  const isOurs = () => shown().queries === look.tokens().queries && shown().keys === look.tokens().keys;
  /** @param {Cell | null} cell */
  function point(cell) {
    own = isOurs() ? null : cell;
    look.point(isOurs() ? cell : null);
    if (!isOurs()) onHere();
  }
  /** @param {Cell} cell */
  const choose = (cell) => {
    if (isOurs()) look.set(cell);
  };

  /** @param {PointerEvent | MouseEvent} event */
  function cellAt(event) {
    const area = map.getBoundingClientRect(), { queryLen, keyLen } = shown();
    /** @type {(part: number, count: number) => number} */
    const at = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return { query: at((event.clientY - area.top) / area.height, queryLen), key: at((event.clientX - area.left) / area.width, keyLen) };
  }
  map.addEventListener("pointermove", (event) => point(cellAt(event)));
  map.addEventListener("pointerleave", () => point(null));
  map.addEventListener("click", (event) => choose(cellAt(event)));

  sheet.addEventListener("keydown", (event) => {
    const { queryLen, keyLen } = shown(), at = walking ?? { query: look.get("query"), key: look.get("key") };
    const from = { query: Math.min(at.query, queryLen - 1), key: Math.min(at.key, keyLen - 1) };
    /** @type {Record<string, Partial<Cell>>} */
    const moves = {
      ArrowRight: { key: Math.min(from.key + 1, keyLen - 1) }, ArrowLeft: { key: Math.max(from.key - 1, 0) },
      ArrowDown: { query: Math.min(from.query + 1, queryLen - 1) }, ArrowUp: { query: Math.max(from.query - 1, 0) },
      Home: { key: 0 }, End: { key: keyLen - 1 }, PageUp: { query: 0 }, PageDown: { query: queryLen - 1 },
    };
    const isChoice = event.key === "Enter" || event.key === " ";
    if (!isChoice && event.key !== "Escape" && !(event.key in moves)) return;
    event.preventDefault();
    if (event.key === "Escape") return stop();
    if (isChoice) return choose(from);
    walking = { ...from, ...moves[event.key] };
    point(walking);
    speak(walking);
  });
  function stop() {
    if (!walking) return;
    walking = null;
    point(null);
  }
  sheet.addEventListener("blur", stop);
  return { isOurs, here: () => (isOurs() ? null : own) };
}
