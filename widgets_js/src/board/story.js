// Two sentences that begin alike: what stayed, what is gone, and what stands there instead.

/**
 * @param {string} before
 * @param {string} after
 * @returns {{same: string, gone: string, fresh: string}} split before the first word that differs
 */
export function compared(before, after) {
  const old = words(before), now = words(after);
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  return { same: old.slice(0, same).join(""), gone: old.slice(same).join(""), fresh: now.slice(same).join("") };
}

/** A word keeps the space before it. @param {string} text */
const words = (text) => text.match(/\s*\S+/g) ?? [];

/** What a model wrote, up to the end of the line. @param {string} text */
export const oneLine = (text) => text.split("\n")[0];
