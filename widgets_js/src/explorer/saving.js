// The picture as a file, and the state as a line of Python.
import { button, make } from "../shared/elements.js";
import { AT_FIRST } from "./data.js";
import { svgPicture } from "./svg_picture.js";

const SHARPNESS = 2; // points of the PNG for one of the SVG
export const STATE = ["layer", "head", "query", "key", "causal", ...Object.keys(AT_FIRST)];

/**
 * A value as Python writes it.
 * @param {any} value
 * @returns {string}
 */
export function python(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  return JSON.stringify(value);
}

/**
 * @param {import("./look.js").Look} look
 * @param {ReturnType<typeof import("./board.js").board>} board
 * @param {() => string} headline
 */
export function saving(look, board, headline) {
  const picture = () => svgPicture({ look, picture: board.picture(), name: board.name(), sentence: headline() });
  /** @param {Blob} blob @param {string} name */
  const download = (blob, name) => {
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const file = () => board.name().replace(/[^\w.]+/g, "_");
  const asSvg = button("SVG", () => download(new Blob([picture()], { type: "image/svg+xml" }), file() + ".svg"));
  const asPng = button("PNG", () => {
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: SHARPNESS * image.width, height: SHARPNESS * image.height });
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => blob && download(blob, file() + ".png"));
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture());
  });
  const text = make("input", { type: "text", readOnly: true, "aria-label": "state, for Python", className: "cw-code" });
  text.addEventListener("focus", () => text.select());
  const said = make("span", { role: "status" });
  const copy = button("copy state", () => {
    const done = () => {
      said.textContent = "copied";
    };
    navigator.clipboard?.writeText(text.value).then(done, () => text.focus()) ?? text.focus();
  });
  const node = make("details", { className: "cw-saving" }, make("summary", {}, "Save or give back"),
    make("div", { className: "cw-bar" }, make("span", {}, "this picture as"), asSvg, asPng, copy, said), text);
  return {
    node,
    update() {
      said.textContent = "";
      text.value = "explorer.state = {" + STATE.map((name) => `"${name}": ${python(look.toSave(name))}`).join(", ") + "}";
    },
  };
}
