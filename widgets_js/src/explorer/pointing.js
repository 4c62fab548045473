// Which cell of the map is pointed at: with the pointer, or with the arrow keys.

/** @typedef {{query: number, key: number}} Cell */

/**
 * @param {import("./look.js").Look} look
 * @param {HTMLElement} sheet what has the focus
 * @param {HTMLElement} map
 * @param {(cell: Cell) => void} speak
 */
export function pointing(look, sheet, map, speak) {
  const { queryLen, keyLen } = look.data;
  /** @type {Cell | null} where the arrow keys are */
  let walking = null;

  /** @param {PointerEvent | MouseEvent} event */
  function cellAt(event) {
    const area = map.getBoundingClientRect();
    /** @type {(part: number, count: number) => number} */
    const at = (part, count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return { query: at((event.clientY - area.top) / area.height, queryLen), key: at((event.clientX - area.left) / area.width, keyLen) };
  }
  map.addEventListener("pointermove", (event) => look.point(cellAt(event)));
  map.addEventListener("pointerleave", () => look.point(null));
  map.addEventListener("click", (event) => look.set(cellAt(event)));

  sheet.addEventListener("keydown", (event) => {
    const from = walking ?? { query: look.get("query"), key: look.get("key") };
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
    if (isChoice) return look.set(from);
    walking = { ...from, ...moves[event.key] };
    look.point(walking);
    speak(walking);
  });
  function stop() {
    if (!walking) return;
    walking = null;
    look.point(null);
  }
  sheet.addEventListener("blur", stop);
}
