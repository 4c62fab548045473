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
  const { heads, queryLen, keyLen } = data;
  /** @type {(name: string) => any} */
  const get = (name) => {
    const value = model.get(name);
    return name === "key" ? value ?? strongest() : value;
  };
  /**
   * The key of the query's largest weight: what is spoken of until somebody chooses another.
   * @returns {number}
   */
  function strongest() {
    const query = get("query"), row = look.chosen().subarray(query * keyLen, (query + 1) * keyLen);
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

  /** @param {number} index */
  const compute = (index) => data.weights ? data.weights(index)
    : attentionWeights(data.scores(index), queryLen, keyLen, get("causal"), get("temperature"));

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
    index: () => get("layer") * heads + get("head"),
    /** @param {number} index */
    headOf: (index) => ({ layer: Math.floor(index / heads), head: index % heads }),
    compute,
    /** @param {number} index */
    weights(index) {
      const name = [index, get("causal"), get("temperature")].join();
      let weights = cache.get(name);
      if (!weights) {
        if (cache.size >= 12) cache.clear();
        cache.set(name, weights = compute(index));
      }
      return weights;
    },
    chosen: () => look.weights(look.index()),
    /** The pinned head's weights, or null. @returns {Float64Array | null} */
    pinned() {
      const index = look.pinnedIndex();
      return index === null ? null : look.weights(index);
    },
    /** @returns {number | null} */
    pinnedIndex() {
      const [layer, head] = get("pinned");
      return layer === undefined ? null : layer * heads + head;
    },
    /** Which heads are drawn over the chosen one. @returns {number[]} */
    overlaid: () => get("overlay").map((/** @type {number[]} */ [layer, head]) => layer * heads + head),
    /** @param {number} query @param {number} key */
    allowed(query, key) {
      return isAllowed(data.scores(look.index()), queryLen, keyLen, get("causal"), query, key);
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
    partners: () => (look.asksKey() ? data.queries : data.keys),
    /**
     * The weights that are spoken of: a query's row, or a key's column; null where masked.
     * @param {Float64Array} weights
     * @returns {(number | null)[]}
     */
    line(weights) {
      const { query, key } = look.at(), isKey = look.asksKey();
      return Array.from({ length: isKey ? queryLen : keyLen }, (_, i) => {
        const [q, k] = isKey ? [i, key] : [query, i];
        return look.allowed(q, k) ? weights[q * keyLen + k] : null;
      });
    },
    /** The error of a weight that comes from the rounding of the scores, at this temperature. */
    weightError: () => data.scoreError / (2 * get("temperature")),
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
