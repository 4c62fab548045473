// Which query, or which key: chips, or for a long text a search and its hits.
import { radioGroup } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { token } from "./words.js";

export const MOST_CHIPS = 32;
const MOST_HITS = 10;

/**
 * @param {import("./look.js").Look} look
 * @param {"query" | "key"} role
 */
export function picker(look, role) {
  const count = look.data[role === "query" ? "queryLen" : "keyLen"];
  const texts = () => (role === "query" ? look.data.queries : look.data.keys);
  /** @param {number} place */
  const choose = (place) => look.set({ [role]: place });
  return count > MOST_CHIPS ? searched(look, role, count, texts, choose) : chips(look, role, texts, choose);
}

/**
 * @param {import("./look.js").Look} look
 * @param {"query" | "key"} role
 * @param {() => string[]} texts
 * @param {(place: number) => void} choose
 */
function chips(look, role, texts, choose) {
  const items = texts().map((text) => token(text, "button", { type: "button" }));
  const group = radioGroup(role, "cw-chips", items, choose);
  items.forEach((item, place) => item.addEventListener("pointerenter", () => look.point({ ...look.at(), [role]: place })));
  group.node.addEventListener("pointerleave", () => look.point(null));
  return {
    node: group.node,
    update() {
      group.choose(look.get(role));
      const at = look.isPointing() ? look.at()[role] : -1;
      texts().forEach((text, i) => {
        if (items[i].textContent !== text) items[i].textContent = items[i].title = text;
        items[i].classList.toggle("cw-pointed", i === at && i !== look.get(role));
      });
      group.node.classList.toggle("cw-elsewhere", at >= 0 && at !== look.get(role));
    },
  };
}

/**
 * @param {import("./look.js").Look} look
 * @param {"query" | "key"} role
 * @param {number} count
 * @param {() => string[]} texts
 * @param {(place: number) => void} choose
 */
function searched(look, role, count, texts, choose) {
  const now = make("output", { className: "cw-place" });
  const step = (/** @type {string} */ text, /** @type {string} */ name, /** @type {number} */ by) =>
    button(text, () => choose((look.get(role) + by + count) % count), { "aria-label": name });
  const field = make("input", { type: "search", placeholder: "search a token", "aria-label": `search a ${role}`, spellcheck: false });
  const hits = make("div", { className: "cw-chips", role: "group", "aria-label": "tokens found" });
  const find = () => {
    const wanted = field.value.toLowerCase();
    const places = wanted ? [...texts().keys()].filter((i) => texts()[i].toLowerCase().includes(wanted)) : [];
    const some = places.slice(0, MOST_HITS).map((place) => button([token(texts()[place]), ` ${place}`], () => choose(place)));
    const rest = places.length - some.length;
    hits.replaceChildren(...some, ...(rest > 0 ? [make("small", {}, `and ${rest} more`)] : []),
      ...(wanted && !places.length ? [make("small", {}, "not among the tokens")] : []));
    return places;
  };
  field.addEventListener("input", find);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const places = find(), next = places.find((place) => place > look.get(role)) ?? places[0];
    if (next !== undefined) choose(next);
  });
  return {
    node: make("div", { className: "cw-picker" }, make("div", { className: "cw-bar" },
      step("‹", `${role} before`, -1), now, step("›", `${role} after`, 1), field), hits),
    update() {
      const place = look.at()[role];
      now.replaceChildren(token(texts()[place]), ` ${place + 1} of ${count}`);
    },
  };
}
