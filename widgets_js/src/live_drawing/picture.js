// The drawing itself, as Python drew it, in a shadow of its own: its style sheet touches nothing else.
import { setAll, svg } from "../shared/drawing.js";
import { make } from "../shared/elements.js";
import { pageNow } from "../shared/page.js";
import { show } from "./answers.js";
import { boxOf, gridOf } from "./tensors.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./tensors.js").Moves} Moves */
/** @typedef {import("./tensors.js").Spot} Spot */

const NARROW = "@container (max-width: 640px)"; // then its pieces stand below one another
const THICKEST = 5, THINNEST = 0.5; // lines that stand for weights of 1 and of nearly 0
const FAR = 400, ROW_FAR = 200; // pixels: on a phone values, and rows of a product, that are farther above stand again beside what they make
const BESIDE = 46, LINE = 14; // pixels: for the lines of values that stand again, and from one to the next
const DIGIT = 8; // pixels, about
const WORDS = 70, STRAND = 3; // pixels: for the words of a row, and from a line that passes below a grid to the next
const LONG = 2; // numbers of a row that have room beside another grid
const STYLE = `
:host { container-type: inline-size; position: relative; max-width: 900px; margin: 12px auto 0; cursor: crosshair; touch-action: pan-x pan-y; border-radius: 4px; }
svg.outer { display: block; width: 100%; height: auto; aspect-ratio: var(--wide); background: none; }
${NARROW} { svg.outer { aspect-ratio: var(--narrow); max-width: 440px; margin: auto; } }
.covered { opacity: 0.42; }
.points :is(.row, .framed) { visibility: hidden; }
.answer rect { fill: none; stroke: var(--role, var(--text)); stroke-width: 2.5; }
.answer .here { stroke: var(--text); stroke-width: 2.5; }
.answer .under { stroke: var(--page); stroke-width: 4; }
.answer path { fill: none; stroke: var(--role); opacity: 0.6; }
.answer .nothing { stroke-dasharray: 5 5; opacity: 0.35; }
.points .token:not(.meant) { opacity: 0.6; }
.meant { font-weight: 600; }
.away { visibility: hidden; }
@keyframes drawn { from { stroke-dasharray: 1; stroke-dashoffset: 1; } to { stroke-dasharray: 1; } }
.far { font-size: 12px; paint-order: stroke; stroke: var(--page); stroke-width: 5px; }
.far tspan { fill: var(--ink); font-weight: 600; }
:is(.part-norm, .part-split, .part-attention) text, .part-weights :not([font-size], [opacity]) > text { paint-order: stroke; stroke: var(--page); stroke-width: 6px; stroke-linejoin: round; }
@media (prefers-reduced-motion: no-preference) { .part { transition: opacity 0.25s; } .new [pathLength] { animation: drawn 0.4s; } }`;

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
  const target = make("div"); // stands where the page is to scroll to
  shadow.append(style, document.importNode(outer, true), target);
  const root = /** @type {SVGSVGElement} */ (shadow.querySelector(".outer"));
  const drawing = /** @type {SVGGElement} */ (shadow.querySelector("#drawing"));
  drawing.classList.remove("some-lit");
  drawing.querySelector(".lit")?.classList.remove("lit");
  const tokens = [...drawing.querySelectorAll("text")].filter((one) => known.tokens.includes(one.textContent));
  for (const one of tokens) one.classList.add("token");
  const parts = known.steps.map((name) => drawing.querySelectorAll(`.part-${name}`));
  const frames = svg("g", { class: "answer" }), mix = svg("g", { class: "answer weights" });
  drawing.before(mix); // lines and curves run behind grids, boxes and words
  drawing.after(frames);
  // A file uses the drawing in both forms. A browser would copy it to each, and copy all of it again when
  // anything in it changes: here it stands in the form that is shown.
  for (const use of shadow.querySelectorAll("use")) use.replaceWith(svg("g", { class: "place" }));
  let isNarrow = false, shown = -1;

  /** The style sheet for the page as it is: an image asks the page, and here the script does. */
  function look() {
    const dark = pageNow() === "dark" ? "@media all" : "@media not all";
    style.textContent = sheet.replace("@media (prefers-color-scheme: dark)", dark).replace("@media (max-aspect-ratio: 1/1)", NARROW) + STYLE;
  }

  /** Let the drawing stand in the form that is shown. */
  function settle() {
    const form = shadow.querySelector("svg.narrow");
    isNarrow = form !== null && getComputedStyle(form).display !== "none";
    const place = shadow.querySelector(`svg.${isNarrow ? "narrow" : "wide"} > .place`);
    if (drawing.parentNode !== place) place?.append(mix, drawing, frames);
  }

  /** Where the form that is shown ends on the right. */
  const edge = () => parseFloat(sizes[Number(isNarrow)]);

  /** How far each grid has moved in the form that is shown. */
  const moves = () => (isNarrow ? narrowMoves : {});

  /**
   * Scroll to a box of the drawing where it is out of sight.
   * @param {import("./tensors.js").Box | null} box
   * @param {number} above pixels of the window that are covered at its top
   * @param {number} below the same at its bottom
   * @param {string} margin around the box, as CSS writes it
   */
  function reveal(box, above, below, margin) {
    const matrix = drawing.getScreenCTM(), whole = host.getBoundingClientRect();
    if (!matrix || !box || (whole.top >= above && whole.bottom <= innerHeight - below)) return;
    const top = matrix.f + matrix.d * box.y;
    target.style.cssText = `position: absolute; top: ${top - whole.top}px; height: ${matrix.d * box.height}px; scroll-margin: ${margin}`;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  }

  /**
   * The place of a pointer in the drawing.
   * @param {{clientX: number, clientY: number}} event
   */
  function placeOf({ clientX, clientY }) {
    const matrix = drawing.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { x, y, scale: matrix.a };
  }

  /** Cover what comes behind a step. The lines of a new one are drawn from where they begin. @param {number} step */
  function uncover(step) {
    mix.classList.toggle("new", shown >= 0 && step !== shown);
    shown = step;
    parts.forEach((groups, i) => groups.forEach((group) => group.classList.toggle("covered", i > step)));
  }

  /**
   * Frame a number and what it is made of, and draw the lines.
   * @param {Spot | null} spot
   * @param {Answer | null} made
   * @param {(name: string) => boolean} isShown
   */
  function point(spot, made, isShown) {
    root.classList.toggle("points", spot !== null);
    const marks = [], lines = [], moved = moves();
    /** @type {import("./answers.js").Frame[]} */
    const far = [], isProduct = known.tensors[spot?.[0] ?? ""]?.rule?.kind === "Dot";
    const target = spot && boxOf(known, moved, ...spot);
    if (spot && made && target) {
      let y = 0; // of the last value that stands again
      const isRight = made.lines.map(({ from }) => boxOf(known, moved, ...from)).some((box) => box && (isFar(box, target, FAR) || box.x > target.x));
      for (const { from: [name, row, column], weight, value } of made.lines) {
        if (!isShown(name)) continue;
        let d = curve([name, row, column], spot, moved);
        if (isFar(boxOf(known, moved, name, row, column), target, FAR)) {
          const beside = /** @type {import("./tensors.js").Box} */ (boxOf(known, moved, spot[0], row, null)), x = beside.x + beside.width;
          y = Math.max(beside.y + target.height / 2, y + LINE);
          d = bend(x + BESIDE, y, x, target.y + target.height / 2);
          marks.push(svg("text", { class: "start far", x: x + BESIDE + 5, y: y + 4.5 }, `${known.tokens[row]} `, svg("tspan", { class: "value" }, known.toFind ? "" : show(value))));
        }
        lines.push(svg("path", { d, ...(value === 0 ? { class: "nothing" } : { pathLength: 1 }), style: `stroke-width: ${Math.max(THINNEST, THICKEST * weight)}px` }));
      }
      for (const [name, row, column] of made.frames) {
        const box = isShown(name) && boxOf(known, moved, name, row, column), { role = "" } = known.tensors[name];
        if (!box) continue;
        marks.push(frame(box, "under"), frame(box, role), ...numbersOf(known, moved, name, row, edge()));
        if (isFar(box, target, ROW_FAR) && isProduct) far.push([name, row, column]);
      }
      marks.push(frame(target, "under"), frame(target, "here"), ...numbersOf(known, moved, spot[0], spot[1], edge(), isRight));
    }
    const again = spot ? againBeside(far, spot, moved) : [];
    frames.replaceChildren(...marks, ...again);
    mix.replaceChildren(...lines);
    nameTokens(spot, again.length > 0);
  }

  /**
   * Let the words of a row and of a column stand out. That of the row makes room for numbers that stand again.
   * @param {Spot | null} spot
   * @param {boolean} isTaken
   */
  function nameTokens(spot, isTaken) {
    const [name, ...at] = spot ?? [""], { part = "", numbers = [[]] } = known.tensors[name] ?? {};
    const meant = [numbers, numbers[0]].map((line, i) => (line.length === known.tokens.length ? known.tokens[at[i]] : ""));
    for (const word of tokens) {
      const isColumn = Boolean(word.closest(".upright")), isHere = Boolean(word.closest(`.part-${part}`));
      const isMeant = word.textContent === meant[Number(isColumn)] && (isHere || !isColumn);
      word.classList.toggle("meant", isMeant);
      word.classList.toggle("away", isMeant && isHere && isTaken && !isColumn);
    }
  }

  /** @param {import("./tensors.js").Box | null} box @param {import("./tensors.js").Box} target @param {number} far */
  const isFar = (box, target, far) => isNarrow && box !== null && target.y - box.y > far;

  /**
   * The rows of a product again, where they are far above: on the left of its row, then on the right. Long ones have no room.
   * @param {import("./answers.js").Frame[]} far
   * @param {Spot} spot
   * @param {Moves} moves
   */
  function againBeside(far, [target, line], moves) {
    const beside = /** @type {import("./tensors.js").Box} */ (boxOf(known, moves, target, line, null));
    return far.flatMap(([name, row], i) => {
      const { role, numbers: { [row]: said } } = known.tensors[name];
      if (said.length > LONG || known.toFind) return [];
      const side = i ? { class: "start far", x: beside.x + beside.width + 6 } : { class: "end far", x: beside.x - 8 };
      return [svg("text", { ...side, y: beside.y + beside.height / 2 + 4.5 }, `${known.tokens[row]} `, svg("tspan", { class: role ?? "" }, said.map((one) => show(one)).join("  ")))];
    });
  }

  /**
   * A curve between two numbers: from the edge of one grid to that of the other, out of the side that faces it.
   * @param {Spot} from
   * @param {Spot} to
   * @param {Moves} moves
   */
  function curve(from, to, moves) {
    const [begin, end] = [from, to].map(([name, row, column]) => {
      const box = /** @type {import("./tensors.js").Box} */ (boxOf(known, moves, name, row, column));
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, grid: /** @type {import("./tensors.js").Box} */ (gridOf(known, moves, name)) };
    });
    const right = end.grid.x >= begin.grid.x + begin.grid.width, left = end.grid.x + end.grid.width <= begin.grid.x;
    const wall = right && walls(begin.grid.x + begin.grid.width, end.grid.x, Math.min(begin.y, end.y), Math.max(begin.y, end.y), moves);
    if (wall) { // below the grid that is in the way, in the order of the rows
      const x = begin.grid.x + begin.grid.width, y = wall.y + wall.height + STRAND * (from[1] + 3), last = end.grid.x - BESIDE;
      return `${bend(x, begin.y, wall.x - WORDS, y)}H${last}${bend(last, y, end.grid.x, end.y).replace(/M.*(?=C)/, "")}`;
    }
    if (right || left) {
      return bend(begin.grid.x + (right ? begin.grid.width : 0), begin.y, end.grid.x + (right ? 0 : end.grid.width), end.y);
    }
    const down = end.grid.y > begin.grid.y;
    return `M${begin.x} ${begin.grid.y + (down ? begin.grid.height : 0)}L${end.x} ${end.grid.y + (down ? 0 : end.grid.height)}`;
  }

  /** The grid that stands between two others, if one does. @param {number} x @param {number} right @param {number} y @param {number} bottom @param {Moves} moves */
  const walls = (x, right, y, bottom, moves) => Object.keys(known.tensors).map((name) => gridOf(known, moves, name))
    .find((box) => box && x < box.x && box.x + box.width < right && box.y < bottom && y < box.y + box.height);
  return { look, moves, placeOf, reveal, settle, uncover, point };
}

/** A curve that leaves level and comes level. @param {number} x @param {number} y @param {number} last @param {number} end */
const bend = (x, y, last, end) => `M${x} ${y}C${(x + last) / 2} ${y} ${(x + last) / 2} ${end} ${last} ${end}`;

/** @param {import("./tensors.js").Box} box @param {string} kind */
const frame = ({ x, y, width, height }, kind) => svg("rect", { x: x - 1, y: y - 1, width: width + 2, height: height + 2, class: kind });

/**
 * The numbers of a row: in their cells, or beside a narrow grid whose cells have no room. A mask has none.
 * @param {import("./tensors.js").Known} known
 * @param {Moves} moves
 * @param {string} name
 * @param {number} row
 * @param {number} edge where the drawing ends on the right
 * @param {boolean} [isRight] whether lines come from the right
 */
function numbersOf(known, moves, name, row, edge, isRight) {
  const { cell = [0, 0], numbers, role, rule } = known.tensors[name], line = numbers[row];
  const isWhole = line.every((number) => Number.isInteger(number)), hasRoom = cell[1] > 12 && cell[0] >= (isWhole ? 16 : 20);
  if (known.toFind || !rule && line.length === known.tokens.length || !hasRoom && line.length > 2) return [];
  const decimals = isWhole ? 0 : hasRoom && cell[0] < 28 ? 1 : 2;
  const words = line.map((number) => (number === null ? "−∞" : number === 0 ? "0" : number.toFixed(decimals).replace("-", "−")));
  const at = (/** @type {number} */ column) => /** @type {import("./tensors.js").Box} */ (boxOf(known, moves, name, row, column));
  if (!hasRoom) {
    const last = at(line.length - 1), isLeft = isRight || last.x + last.width + DIGIT * words.join("  ").length > edge;
    const { x, y, width, height } = isLeft ? at(0) : last, side = isLeft ? { class: "end", x: x - 5 } : { class: "start", x: x + width + 5 };
    return [svg("text", { ...side, y: y + height / 2 + 4.5 }, words.join("  "))];
  }
  const written = line.map((number, column) => {
    const { x, y, width, height } = at(column), isLight = role === "weights" && Number(number) > 0.55;
    return svg("text", { class: isLight ? "on-shade" : "", "letter-spacing": number === null ? -2 : "inherit", opacity: number === 0 ? 0.45 : 1, x: x + width / 2, y: y + height / 2 + 4 }, words[column]);
  });
  return [svg("g", { "font-size": 11 }, ...written)];
}
