// Buttons over the map: pin a head and compare it with another, lay heads over one another.
import { radioGroup } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { EXTRA } from "./toolbar.js";

const COMPARE = ["this", "pinned", "difference"];

/**
 * @param {import("./look.js").Look} look
 * @param {(variant: number, index: number) => string} full the whole name of a head
 */
export function comparing(look, full) {
  const pin = button("", () => {
    const { layer, head } = look.headOf(look.index());
    look.set(look.pinnedAt() ? { pinned: [], compare: "this" } : { pinned: [look.get("variant"), layer, head] });
  });
  const over = button("overlay", () => {
    const { layer, head } = look.headOf(look.index()), others = look.get("overlay");
    const rest = others.filter((/** @type {number[]} */ [a, b]) => a !== layer || b !== head);
    look.set({ overlay: rest.length < others.length ? rest : [...others, [layer, head]] });
  }, { title: "draw this head's weights together with those of other heads" });
  over.hidden = look.data.count < 2;
  const group = radioGroup("map of", "cw-chips", COMPARE, (i) => {
    if (i !== 2 || !look.unlike()) look.set({ compare: COMPARE[i] });
  });
  const note = make("p", { className: "cw-unlike", role: "note" });

  function update() {
    const pinned = look.pinnedAt(), why = look.unlike();
    pin.textContent = pinned ? "unpin" : "pin to compare";
    pin.title = pinned ? `pinned: ${full(pinned.variant, pinned.index)}` : "keep this head, then choose another";
    over.setAttribute("aria-pressed", String(look.overlaid().includes(look.index())));
    group.node.hidden = !pinned; // all is in one line in any case, so the map does not move
    group.items[2].setAttribute("aria-disabled", String(Boolean(why)));
    group.choose(COMPARE.indexOf(why && look.get("compare") === "difference" ? "this" : look.get("compare")));
    note.textContent = why;
    note.hidden = !why;
  }
  return { node: make("div", { className: `cw-chips cw-actions ${EXTRA}` }, pin, over, group.node), note, update };
}
