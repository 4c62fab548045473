// The drawing itself, as Python drew it, in a shadow of its own: its style sheet touches nothing else.
import { setAll, svg } from "../shared/drawing.js";
import { make } from "../shared/elements.js";
import { pageNow } from "../shared/page.js";
import { boxOf } from "./tensors.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./tensors.js").Moves} Moves */
/** @typedef {import("./tensors.js").Spot} Spot */

const NARROW = "@container (max-width: 640px)"; // then its pieces stand below one another
const COVERED = "0.18"; // of its ink is left
const THICKEST = 13, THINNEST = 0.5; // lines that stand for weights of 1 and of nearly 0
const STYLE = `
svg.outer { display: block; width: 100%; height: auto; aspect-ratio: var(--wide); background: none; }
${NARROW} { svg.outer { aspect-ratio: var(--narrow); max-width: 440px; margin: auto; } }
.row { opacity: var(--rows, 1); }
.answer rect { fill: none; stroke: var(--role, var(--text)); stroke-width: 2.5; }
.answer .here { stroke: var(--text); stroke-width: 3; }
.answer .under { stroke: var(--page); stroke-width: 6; }
.answer path { fill: none; stroke: var(--role); stroke-width: 1.5; }
@media (hover: hover) and (prefers-reduced-motion: no-preference) { .part { transition: opacity 0.25s; } }`;

/**
 * @param {HTMLElement} host
 * @param {string} drawn the drawing as Python made it
 * @param {import("./tensors.js").Known} known
 */
export function makePicture(host, drawn, known) {
  const shadow = host.attachShadow({ mode: "open" });
  const style = make("style"), outer = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const own = outer.querySelector("style"), sheet = own?.textContent ?? "";
  own?.remove();
  const narrow = outer.querySelector("svg.narrow"), wide = outer.querySelector("svg.wide") ?? outer;
  const sizes = [wide, narrow ?? wide].map((form) => (form.getAttribute("viewBox") ?? "").split(" ").slice(2).join("/"));
  setAll(outer, { class: "outer", "aria-hidden": "true", style: `--wide: ${sizes[0]}; --narrow: ${sizes[1]}` });
  /** @type {Moves} */
  const narrowMoves = JSON.parse(narrow?.getAttribute("data-moves") ?? "{}");
  shadow.append(style, document.importNode(outer, true));
  const shown = /** @type {SVGSVGElement} */ (shadow.querySelector(".outer"));
  const drawing = /** @type {SVGGElement} */ (shadow.querySelector("#drawing"));
  drawing.classList.remove("some-lit");
  drawing.querySelector(".lit")?.classList.remove("lit");
  // A browser copies the drawing to each place that uses it, and copies all of it again when anything in it
  // changes. So nothing does: what covers it are properties that the copies inherit, and frames stand beside it.
  const forms = ["wide", ...(narrow ? ["narrow"] : [])].map((form) => {
    const frames = svg("g", { class: `answer ${form}` }), mix = svg("g", { class: `answer weights ${form}` });
    const place = shadow.querySelector(`svg.${form} > use`) ?? drawing;
    place.before(mix); // the lines run behind grids and boxes
    place.after(frames);
    return { frames, mix, moves: form === "wide" ? {} : narrowMoves };
  });
  const covers = known.steps.map((name) => `.part-${name} { opacity: var(--part-${name}, 1); }`).join("\n");

  /** The style sheet for the page as it is: an image asks the page, and here the script does. */
  function look() {
    const dark = pageNow() === "dark" ? "@media all" : "@media not all";
    style.textContent = sheet.replace("@media (prefers-color-scheme: dark)", dark).replace("@media (max-aspect-ratio: 1/1)", NARROW) + covers + STYLE;
  }

  /** Whether it is the narrow form that is shown. */
  function isNarrow() {
    const form = shadow.querySelector("svg.narrow");
    return form !== null && getComputedStyle(form).display !== "none";
  }

  /** How far each grid has moved in the form that is shown. */
  const moves = () => (isNarrow() ? narrowMoves : {});

  /**
   * The place of a pointer in the drawing.
   * @param {{clientX: number, clientY: number}} event
   */
  function placeOf({ clientX, clientY }) {
    const use = /** @type {SVGGraphicsElement | null} */ (shadow.querySelector(`svg.${isNarrow() ? "narrow" : "wide"} > use`));
    const matrix = (use ?? drawing).getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { x, y, scale: matrix.a };
  }

  /** Cover what comes behind a step. @param {number} step */
  function uncover(step) {
    known.steps.forEach((name, i) => shown.style.setProperty(`--part-${name}`, i > step ? COVERED : "1"));
  }

  /**
   * Frame a number and what it is made of, and draw the lines.
   * @param {Spot | null} spot
   * @param {Answer | null} made
   * @param {(name: string) => boolean} isShown
   */
  function point(spot, made, isShown) {
    shown.style.setProperty("--rows", spot ? "0.2" : "1");
    for (const { frames, mix, moves } of forms) {
      const marks = [], lines = [];
      const target = spot && boxOf(known, moves, ...spot);
      if (spot && made && target) {
        for (const { from: [name, row, column], weight } of made.lines) {
          const box = isShown(name) && boxOf(known, moves, name, row, column);
          const width = Math.max(THINNEST, THICKEST * weight);
          if (box && weight > 0) lines.push(svg("path", { d: curve(box, target), style: `stroke-width: ${width}px` }));
        }
        for (const [name, row, column] of made.frames) {
          const box = isShown(name) && boxOf(known, moves, name, row, column), { role = "" } = known.tensors[name];
          if (!box) continue;
          if (!made.lines.length) marks.push(svg("path", { class: role, d: curve(box, target) }));
          marks.push(frame(box, "under"), frame(box, role));
        }
        marks.push(frame(target, "under"), frame(target, "here"));
      }
      frames.replaceChildren(...marks);
      mix.replaceChildren(...lines);
    }
  }
  return { look, moves, placeOf, uncover, point };
}

/** @param {import("./tensors.js").Box} box @param {string} kind */
const frame = ({ x, y, width, height }, kind) => svg("rect", { x: x - 1, y: y - 1, width: width + 2, height: height + 2, class: kind });

/**
 * A curve from one box to another, out of the side that faces it.
 * @param {import("./tensors.js").Box} from
 * @param {import("./tensors.js").Box} to
 */
function curve(from, to) {
  const right = to.x >= from.x + from.width, left = to.x + to.width <= from.x;
  if (right || left) {
    const x = right ? from.x + from.width : from.x, end = right ? to.x : to.x + to.width, middle = (x + end) / 2;
    const y = from.y + from.height / 2, bottom = to.y + to.height / 2;
    return `M${x} ${y}C${middle} ${y} ${middle} ${bottom} ${end} ${bottom}`;
  }
  const down = to.y > from.y, y = down ? from.y + from.height : from.y, end = down ? to.y : to.y + to.height;
  return `M${from.x + from.width / 2} ${y}L${to.x + to.width / 2} ${end}`;
}
