// What a widget shares with Python: traits by name. On a page without a kernel, an object does it.

/**
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {boolean} [isPage] there is no Python here
 */

/** @typedef {{model: Model, el: HTMLElement}} Place what `render` gets */

/**
 * A stand-in for the kernel's model, for a page that has no kernel.
 * @param {Record<string, unknown>} state
 * @returns {Model}
 */
export function pageModel(state) {
  /** @type {Record<string, (() => void)[]>} */
  const listeners = {};
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const listener of listeners["change:" + name] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    isPage: true,
    off() {},
    save_changes() {},
  };
}

/**
 * Set several traits, then tell Python once.
 * @param {Model} model
 * @param {Record<string, unknown>} changes
 */
export function save(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}
