// What holds for all heads; and behind "More" mask, temperature, contrast, and back to how it was. The same button shows the other parts that one does not need at first.
import { checkbox, slider } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { AT_FIRST } from "./data.js";

/** The class of what is behind "More". */
export const EXTRA = "cw-extra";

/**
 * @param {import("./look.js").Look} look
 * @param {HTMLElement} root which gets the class "cw-open" while all is shown
 * @param {() => void} reset
 */
export function toolbar(look, root, reset) {
  const { maskable, fixed } = look.data;
  const untrained = make("strong", { className: "cw-untrained" }, "untrained");
  untrained.hidden = !look.data.untrained;
  const causalBox = checkbox("causal mask", (causal) => look.set({ causal }));
  const temperature = slider("temperature", { min: -1.5, max: 1.5, step: 0.02 },
    (value) => value.toPrecision(3), (position) => look.set({ temperature: +(10 ** position).toPrecision(3) }));
  const stretchBox = checkbox("stretch colours", (stretch) => look.set({ stretch }));
  const low = make("span"), high = make("span"), ramp = make("i");
  const scale = make("span", { className: "cw-scale" }, low, ramp, high);
  const more = button("", () => open(!root.classList.contains("cw-open")), { className: "cw-more-button" });
  const open = (/** @type {boolean} */ all) => {
    root.classList.toggle("cw-open", all);
    more.setAttribute("aria-expanded", String(all));
    more.textContent = all ? "Less" : "More";
  };
  // What was chosen in Python stays in sight.
  open(Object.entries(AT_FIRST).some(([name, value]) => String(look.get(name)) !== String(value)));
  const extras = make("div", { className: `cw-bar ${EXTRA}` }, ...(maskable ? [causalBox.node] : []), ...(fixed ? [] : [temperature.node]), stretchBox.node, button("reset", reset));
  const node = make("div", {}, make("div", { className: "cw-bar" }, untrained, scale, more), extras);
  return {
    node,
    /** @param {import("./paint.js").Picture} picture */
    update(picture) {
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
