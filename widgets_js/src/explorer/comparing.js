// Buttons over the map: pin a head and compare it with another, lay heads over one another.
import { radioGroup } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { headName } from "./data.js";
import { EXTRA } from "./toolbar.js";

const COMPARE = ["this", "pinned", "difference"];

/**
 * @param {import("./look.js").Look} look
 */
export function comparing(look) {
  const pin = button("", () => {
    const { layer, head } = look.headOf(look.index());
    look.set(look.pinnedIndex() === null ? { pinned: [layer, head] } : { pinned: [], compare: "this" });
  });
  const over = button("overlay", () => {
    const { layer, head } = look.headOf(look.index()), others = look.get("overlay");
    const rest = others.filter((/** @type {number[]} */ [a, b]) => a !== layer || b !== head);
    look.set({ overlay: rest.length < others.length ? rest : [...others, [layer, head]] });
  }, { title: "draw this head's weights together with those of other heads" });
  over.hidden = look.data.count < 2;
  const group = radioGroup("map of", "cw-chips", COMPARE, (i) => look.set({ compare: COMPARE[i] }));

  function update() {
    const pinned = look.pinnedIndex(), isPinned = pinned !== null;
    pin.textContent = isPinned ? "unpin" : "pin to compare";
    pin.title = isPinned ? `pinned: ${headName(look.data, pinned)}` : "keep this head, then choose another";
    over.setAttribute("aria-pressed", String(look.overlaid().includes(look.index())));
    group.node.hidden = !isPinned; // all is in one line in any case, so the map does not move
    group.choose(COMPARE.indexOf(look.get("compare")));
  }
  return { node: make("div", { className: `cw-chips cw-actions ${EXTRA}` }, pin, over, group.node), update };
}
