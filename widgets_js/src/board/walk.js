// Undo and redo for who has no browser history of its own.

/** @typedef {import("./board.js").Wish} Wish */
/** @typedef {{leave: () => void, back: () => void, forward: () => void, canGoBack: () => boolean, canGoForward: () => boolean}} Walk */

/**
 * @param {() => Wish} now what is asked for now
 * @param {(wish: Wish) => void} ask
 * @returns {Walk}
 */
export function makeWalk(now, ask) {
  /** @type {Wish[]} */
  let past = [];
  /** @type {Wish[]} */
  let future = [];
  const here = () => ({ text: now().text, off: now().off });
  return {
    leave() {
      past.push(here());
      future = [];
    },
    back() {
      const wish = past.pop();
      if (!wish) return;
      future.push(here());
      ask(wish);
    },
    forward() {
      const wish = future.pop();
      if (!wish) return;
      past.push(here());
      ask(wish);
    },
    canGoBack: () => past.length > 0,
    canGoForward: () => future.length > 0,
  };
}
