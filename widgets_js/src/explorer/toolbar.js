// What holds for all heads: the variant; and behind "More" mask, temperature, contrast, and back to
// how it was. The same button shows the other parts that one does not need at first.
import { checkbox, radioGroup, slider } from "../shared/controls.js";
import { make } from "../shared/elements.js";

/** @type {Record<string, unknown>} what is chosen where nobody has chosen */
const AT_FIRST = { asks: "query", view: "lines", order: "layer", compare: "this", temperature: 1, stretch: false, best: 0, pinned: [], overlay: [] };

/** The class of what is behind "More". */
export const EXTRA = "cw-extra";

/**
 * @param {import("./look.js").Look} look
 * @param {HTMLElement} root which gets the class "cw-open" while all is shown
 * @param {() => void} reset
 */
export function toolbar(look, root, reset) {
  const { variants, maskable, fixed } = look.data;
  const untrained = make("strong", { className: "cw-untrained" }, "untrained");
  const names = variants.map(({ name }) => name);
  const variantPicker = radioGroup("weights of", "cw-chips", names.map((name) => make("button", { type: "button" }, name)),
    (i) => look.set({ variant: names[i] }));
  const causalBox = checkbox("causal mask", (causal) => look.set({ causal }));
  const temperature = slider("temperature", { min: -1.5, max: 1.5, step: 0.02 },
    (value) => value.toPrecision(3), (position) => look.set({ temperature: +(10 ** position).toPrecision(3) }));
  const stretchBox = checkbox("stretch colours", (stretch) => look.set({ stretch }));
  const low = make("span"), high = make("span"), ramp = make("i");
  const scale = make("span", { className: "cw-scale" }, low, ramp, high);
  const again = make("button", { type: "button" }, "reset");
  again.addEventListener("click", reset);
  const more = make("button", { type: "button", className: "cw-more-button" });
  const open = (/** @type {boolean} */ all) => {
    root.classList.toggle("cw-open", all);
    more.setAttribute("aria-expanded", String(all));
    more.textContent = all ? "Less" : "More";
  };
  more.addEventListener("click", () => open(!root.classList.contains("cw-open")));
  // What was chosen in Python stays in sight.
  open(["asks", "view", "order", "compare", "temperature", "stretch", "best", "pinned", "overlay"]
    .some((name) => String(look.get(name)) !== String(AT_FIRST[name])));
  const extras = make("div", { className: `cw-bar ${EXTRA}` }, ...(maskable ? [causalBox.node] : []), ...(fixed ? [] : [temperature.node]), stretchBox.node, again);
  const node = make("div", {}, make("div", { className: "cw-bar" }, untrained, ...(names.length > 1 ? [variantPicker.node] : []), scale, more), extras);
  return {
    node,
    /** @param {import("./paint.js").Picture} picture */
    update(picture) {
      untrained.hidden = !look.tokens().untrained;
      variantPicker.choose(look.variant());
      causalBox.input.checked = look.get("causal");
      temperature.show(Math.log10(look.get("temperature")), look.get("temperature"));
      const stretched = look.get("stretch");
      stretchBox.input.checked = stretched;
      const most = picture.most >= 0.1 ? picture.most.toFixed(2) : picture.most.toPrecision(1);
      const end = stretched ? most : "1";
      low.textContent = picture.minus ? `difference −${end} ` : "weight 0 ";
      high.textContent = ` ${picture.minus ? "+" : ""}${end}${stretched ? ", stretched" : ""}`;
      scale.classList.toggle("cw-difference", Boolean(picture.minus));
      scale.classList.toggle("cw-stretched", stretched);
    },
  };
}
