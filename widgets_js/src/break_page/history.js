// The browser's history of what was asked for: undo is its Back, redo its Forward. An entry knows
// its number, and what came of it, so that a reload keeps that too.

/** @typedef {import("./link.js").Kept} Kept */
/** @typedef {import("./link.js").Result} Result */

const LAST = "course-break-last"; // the number of the last entry, on this tab

export function makeHistory() {
  const state = () => /** @type {{at: number, result?: Result | null} | null} */ (history.state);
  const at = () => state()?.at ?? 0, last = () => Number(sessionStorage.getItem(LAST) ?? 0);
  const enter = (/** @type {number} */ number) => {
    sessionStorage.setItem(LAST, String(number));
    return { at: number };
  };
  if (!state()) history.replaceState(enter(0), "");
  return {
    /** Another address, as a new entry or in place of this one. @param {string} hash @param {boolean} isSameStep */
    go(hash, isSameStep) {
      if (isSameStep) history.replaceState(state(), "", hash);
      else history.pushState(enter(at() + 1), "", hash);
    },
    /** What came of this entry, or nothing yet. @param {Result | null} result */
    keep: (result) => history.replaceState({ at: at(), result }, ""),
    result: () => state()?.result ?? null,
    /** The address was typed, or a link to another sentence was followed. */
    came() {
      if (!state()) history.replaceState(enter(last() + 1), "");
    },
    /** @type {import("../board/walk.js").Walk} */
    walk: { leave() {}, back: () => history.back(), forward: () => history.forward(), canGoBack: () => at() > 0, canGoForward: () => at() < last() },
  };
}
