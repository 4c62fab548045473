// All heads at once, and one head, one query up close. The scores come from Python; everything
// that depends on the mask and the temperature is computed here.
import { make, widgetRoot } from "./shared/elements.js";
import { followPage } from "./shared/page.js";
import { board } from "./explorer/board.js";
import { context } from "./explorer/context.js";
import { readData } from "./explorer/data.js";
import { makeLook } from "./explorer/look.js";
import { inflated, numbersOf, ofShares, valuesOf } from "./explorer/numbers.js";
import { CELL, overview } from "./explorer/overview.js";
import { panel } from "./explorer/panel.js";
import { saving, STATE } from "./explorer/saving.js";
import { status } from "./explorer/status.js";
import { table } from "./explorer/table.js";
import { EXTRA, toolbar } from "./explorer/toolbar.js";

// What has to be drawn again when a trait changes.
/** @type {Record<string, "maps" | "head" | "order" | "row">} */
const LEVELS = {
  causal: "maps", temperature: "maps", stretch: "maps",
  head: "head", layer: "head", pinned: "head", compare: "head", overlay: "head",
  order: "order", best: "order", query: "row", key: "row", asks: "row", view: "row",
};

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountExplorer(el, model) {
  const sent = model.get("_data");
  if (!sent.fixed) return mount(el, model, readData(sent, numbersOf));
  let unmount = () => {}, isGone = false;
  inflated(sent.scores.data).then((codes) => {
    if (isGone) return;
    unmount = mount(el, model, readData(sent, (_, size, ofValues) => ({
      ...ofShares(codes, sent.scores.shares, size), scoreError: 2 * sent.scores.error, ...valuesOf(sent, ofValues) })));
  });
  return () => {
    isGone = true;
    unmount();
  };
}

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 * @param {import("./explorer/data.js").Data} data
 */
export function mount(el, model, data) {
  const sent = model.get("_data"), look = makeLook(model, data);
  const first = Object.fromEntries(STATE.map((name) => [name, model.get(name)]));
  const root = widgetRoot(el, "Attention explorer");
  root.classList.add("cw-explorer");
  const unfollow = followPage(root, () => update("maps"));

  const tools = toolbar(look, root, () => look.set(first));
  const headline = status(look), body = make("div", { className: "cw-explorer-body" });
  const most = data.scoreError;
  const rounding = make("p", { className: `cw-rounding ${EXTRA}` }, `To keep the page small, ${data.fixed ? "weights" : "scores"} are rounded by ${data.fixed ? most / 2 : most} at most; no more digits are shown than hold.`);
  rounding.hidden = most < 1e-5;
  const part = make("p", { className: "cw-rounding" }, `${data.part} are shown; what went to other keys stands under “elsewhere”.`);
  part.hidden = !data.part;
  root.append(tools.node, headline.node, part, body, rounding);

  const heads = overview(look), map = board(look, () => look.set({ order: CELL }));
  const handedOn = context(look), close = panel(look), asTable = table(look), save = saving(look, map, headline.text);
  const small = [headline, handedOn, close, asTable];
  body.replaceChildren(
    make("div", { className: data.count > 16 ? "cw-three" : "cw-two" }, heads.node,
      make("div", { className: "cw-left" }, map.node, handedOn.node), close.node),
    make("div", { className: `cw-foot ${EXTRA}` }, asTable.node, save.node));

  /** @param {"maps" | "head" | "order" | "row"} level */
  function update(level) {
    heads.update(level);
    if (level === "order") return save.update();
    map.update(level);
    if (level !== "row") tools.update(map.picture());
    for (const part of [...small, save]) part.update();
  }
  look.onPoint(() => {
    map.update("row");
    for (const part of small) part.update();
  });
  update("maps");
  heads.update("order");

  // Traits that change together, as at a reset, are drawn once.
  /** @type {Set<string>} */
  const changed = new Set();
  const rank = ["row", "order", "head", "maps"];
  function draw() {
    if (!changed.size || model.get("_data") !== sent) return changed.clear();
    const levels = [...changed].map((name) => LEVELS[name]);
    changed.clear();
    const highest = levels.reduce((a, b) => (rank.indexOf(b) > rank.indexOf(a) ? b : a));
    update(highest);
    if (highest !== "order" && levels.includes("order")) heads.update("order");
  }
  look.onSet(draw);
  /** @type {Record<string, () => void>} */
  const listeners = {};
  for (const name in LEVELS) {
    listeners[name] = () => {
      changed.add(name);
      if (!look.isSetting()) draw();
    };
    model.on("change:" + name, listeners[name]);
  }
  return () => {
    unfollow();
    heads.stop();
    for (const name in listeners) model.off("change:" + name, listeners[name]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountExplorer(el, model);
