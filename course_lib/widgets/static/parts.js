// What all widgets share: elements, radio groups, colours, and a model for pages without a kernel.

/** An element. Texts become text nodes, so that nothing in a token is ever read as HTML. */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.includes("-") || name === "role") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** A radio group with one tab stop: arrows, Home and End move the choice. */
export function radioGroup(label, className, items, onChoose) {
  const node = make("div", { role: "radiogroup", "aria-label": label, className }, ...items);
  let chosen = -1;
  const choose = (index) => {
    if (index === chosen) return;
    chosen = index;
    items.forEach((item, i) => {
      item.setAttribute("aria-checked", i === index);
      item.tabIndex = i === index ? 0 : -1;
    });
  };
  items.forEach((item, index) => {
    item.setAttribute("role", "radio");
    item.addEventListener("click", () => onChoose(index));
  });
  node.addEventListener("keydown", (event) => {
    const count = items.length;
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -chosen, End: -1 - chosen };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const index = (chosen + moves[event.key] + count) % count;
    items[index].focus();
    onChoose(index);
  });
  choose(0);
  return { node, choose, items };
}

/** A slider with its name and its value as text. */
export function slider(label, range, format, onInput) {
  const value = make("span", { className: "cw-value" });
  const input = make("input", { type: "range", "aria-label": label, ...range });
  input.addEventListener("input", () => onInput(+input.value));
  const show = (position, number) => {
    input.value = position;
    value.textContent = format(number);
    input.setAttribute("aria-valuetext", format(number));
  };
  return { node: make("label", {}, label + " ", input, " ", value), input, show };
}

export function checkbox(label, onChange) {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => onChange(input.checked));
  return { node: make("label", {}, input, " " + label), input };
}

export const percent = (weight) => (100 * weight).toFixed(1) + "%";

// matplotlib's cividis at 33 even steps; between them the colours are close to straight lines.
const CIVIDIS = (
  "00224e 00285b 002e6a 053371 1a386f 273e6e 32436d 3b496c 434e6c 4b546c 535a6d 5a5f6e " +
  "61656f 686a71 6f7073 767676 7d7c78 848279 8c8878 938e78 9b9476 a39a74 aba072 b4a76f " +
  "bcae6c c4b468 cdbb63 d5c25e dec958 e7d150 f0d846 f9e03a fee838"
).split(" ")
  .map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));

/** The colour of a weight from 0 to 1 as [red, green, blue]. */
export function cividis(weight) {
  const place = Math.min(Math.max(weight, 0), 1) * 32;
  const low = Math.min(Math.floor(place), 31);
  return CIVIDIS[low].map((c, i) => Math.round(c + (place - low) * (CIVIDIS[low + 1][i] - c)));
}

const SHADES = Array.from({ length: 256 }, (_, i) => {
  const [red, green, blue] = cividis(i / 255);
  return { background: `rgb(${red} ${green} ${blue})`, text: i < 118 ? "#fff" : "#000",
    pixel: (255 << 24) | (blue << 16) | (green << 8) | red };
});
const shadeOf = (weight) => SHADES[Math.round(255 * weight)];

/** Colour an element by a weight, or hatch it when weight is null. */
export function shade(node, weight) {
  const { background, text } = weight === null ? { background: "", text: "" } : shadeOf(weight);
  node.classList.toggle("cw-masked", weight === null);
  Object.assign(node.style, { backgroundColor: background, color: text });
}

/** Draw weights on a canvas, a pixel for a cell. Forbidden cells stay clear: its hatching shows. */
export function drawMap(canvas, weights, queryLen, keyLen, allowed) {
  canvas.width = keyLen;
  canvas.height = queryLen;
  const context = canvas.getContext("2d");
  const image = context.createImageData(keyLen, queryLen);
  const pixels = new Uint32Array(image.data.buffer);
  weights.forEach((weight, i) => {
    if (weight || allowed(Math.floor(i / keyLen), i % keyLen)) pixels[i] = shadeOf(weight).pixel;
  });
  context.putImageData(image, 0, 0);
}

/** The numbers in a base64 text of little-endian float32. */
export function floats(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Empty the element, make it a widget, and keep JupyterLab's shortcuts off its keys. */
export function widgetRoot(el, label) {
  const root = make("section", { className: "cw", "aria-label": label, "data-lm-suppress-shortcuts": "true" });
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.replaceChildren(root);
  return root;
}

/** A stand-in for the kernel's model, for a page that has no kernel. */
export function pageModel(state) {
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
