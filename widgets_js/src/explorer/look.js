// What is looked at: the traits that Python knows too, what the pointer is on, and the weights
// that follow from them. Every part of the widget asks here, so all speak of the same query.
import { attentionWeights, isAllowed } from "../shared/attention_math.js";
import { save } from "../shared/model.js";

/** @typedef {ReturnType<typeof makeLook>} Look */
/** @typedef {{query: number, key: number} | null} Pointed */

/**
 * @param {import("../shared/model.js").Model} model
 * @param {import("./data.js").Data} data
 */
export function makeLook(model, data) {
  const { heads, variants } = data;
  const names = variants.map(({ name }) => name);
  /** @type {(name: string) => any} */
  const get = (name) => {
    const value = model.get(name);
    // Another sentence may be shorter.
    if (name === "query") return Math.min(value, look.tokens().queryLen - 1);
    if (name === "key") return Math.min(value ?? strongest(), look.tokens().keyLen - 1);
    return value;
  };
  /**
   * The key of the query's largest weight: what is spoken of until somebody chooses another.
   * @returns {number}
   */
  function strongest() {
    const { keyLen } = look.tokens(), query = get("query"), row = look.chosen().subarray(query * keyLen, (query + 1) * keyLen);
    return row.indexOf(Math.max(...row));
  }
  /** @type {Map<string, Float64Array>} the weights of the few heads that are on the screen */
  const cache = new Map();
  /** @type {Pointed} */
  let pointed = null;
  let setting = false;
  /** @type {(() => void)[]} */
  const pointing = [];
  /** @type {(() => void)[]} */
  const settled = [];

  /** @param {number} variant @param {number} index */
  const compute = (variant, index) => {
    const { scores, weights, queryLen, keyLen } = variants[variant];
    return weights ? weights(index) : attentionWeights(scores(index), queryLen, keyLen, get("causal"), get("temperature"));
  };

  const look = {
    data, get,
    /** A key that nobody has chosen stays open. @param {string} name */
    toSave: (name) => (model.get(name) === null ? null : get(name)),
    /** Whether several traits are being set: what follows from them is drawn once, after that. */
    isSetting: () => setting,
    /** @param {Record<string, unknown>} changes */
    set(changes) {
      setting = true;
      save(model, changes);
      setting = false;
      for (const listener of settled) listener();
    },
    /** @param {() => void} listener */
    onSet: (listener) => settled.push(listener),
    isPage: model.isPage,
    variant: () => Math.max(names.indexOf(model.get("variant")), 0),
    tokens: () => variants[look.variant()],
    index: () => get("layer") * heads + get("head"),
    /** @param {number} index */
    headOf: (index) => ({ layer: Math.floor(index / heads), head: index % heads }),
    compute,
    /** @param {number} variant @param {number} index */
    weights(variant, index) {
      const name = [variant, index, get("causal"), get("temperature")].join();
      let weights = cache.get(name);
      if (!weights) {
        if (cache.size >= 12) cache.clear();
        cache.set(name, weights = compute(variant, index));
      }
      return weights;
    },
    chosen: () => look.weights(look.variant(), look.index()),
    /** The pinned head's weights, or null; also null where its sentence has another length. @returns {Float64Array | null} */
    pinned() {
      const at = look.pinnedAt();
      return at?.isAlike ? look.weights(at.variant, at.index) : null;
    },
    pinnedAt() {
      const [name, layer, head] = get("pinned");
      if (name === undefined) return null;
      const variant = names.indexOf(name), other = variants[variant], own = look.tokens();
      const isAlike = other.queryLen === own.queryLen && other.keyLen === own.keyLen;
      return { variant, index: layer * heads + head, isAlike };
    },
    /** Why the pinned head cannot be taken off cell by cell, or nothing. */
    unlike() {
      const at = look.pinnedAt();
      if (!at || at.isAlike) return "";
      const size = (/** @type {import("./data.js").Variant} */ { queryLen, keyLen }) => (data.isSelf ? `${queryLen} tokens` : `${queryLen} queries and ${keyLen} keys`);
      return `No difference: the pinned sentence has ${size(variants[at.variant])}, this one ${size(look.tokens())}.`;
    },
    /** Which heads are drawn over the chosen one. @returns {number[]} */
    overlaid: () => get("overlay").map((/** @type {number[]} */ [layer, head]) => layer * heads + head),
    /** @param {number} query @param {number} key */
    allowed(query, key) {
      const { scores, queryLen, keyLen } = look.tokens();
      return isAllowed(scores(look.index()), queryLen, keyLen, get("causal"), query, key);
    },
    /** The query and the key that are spoken of: those pointed at, else the chosen ones. */
    at: () => pointed ?? { query: get("query"), key: get("key") },
    isPointing: () => pointed !== null,
    /** @param {Pointed} place */
    point(place) {
      if (place?.query === pointed?.query && place?.key === pointed?.key) return;
      pointed = place;
      for (const listener of pointing) listener();
    },
    /** @param {() => void} listener */
    onPoint: (listener) => pointing.push(listener),
    asksKey: () => get("asks") === "key",
    /** The tokens of the other side: keys for a query, queries for a key. */
    partners: () => (look.asksKey() ? look.tokens().queries : look.tokens().keys),
    /**
     * The weights that are spoken of: a query's row, or a key's column; null where masked.
     * @param {Float64Array} weights
     * @returns {(number | null)[]}
     */
    line(weights) {
      const { query, key } = look.at(), isKey = look.asksKey(), { queryLen, keyLen } = look.tokens();
      return Array.from({ length: isKey ? queryLen : keyLen }, (_, i) => {
        const [q, k] = isKey ? [i, key] : [query, i];
        return look.allowed(q, k) ? weights[q * keyLen + k] : null;
      });
    },
    /** The error of a weight that comes from the rounding of the scores, at this temperature. */
    weightError: () => look.tokens().scoreError / (2 * get("temperature")),
    /**
     * A weight as a text with the digits that hold.
     * @param {number | null} weight
     */
    percent(weight) {
      if (weight === null) return "masked";
      return (100 * weight).toFixed(look.weightError() <= 0.0005 ? 1 : 0) + "%";
    },
  };
  return look;
}
