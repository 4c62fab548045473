// A drawing that answers: point at a cell, and what it is made of is framed and the sum written
// out. Steps uncover its parts one by one.
import { answerOf } from "./live_drawing/answers.js";
import { makePicture } from "./live_drawing/picture.js";
import { boxOf, gridOf, spotAt, spotBeside } from "./live_drawing/tensors.js";
import { bytes } from "./shared/base64.js";
import { radioGroup } from "./shared/controls.js";
import { button, make, widgetRoot } from "./shared/elements.js";
import { save } from "./shared/model.js";
import { followPage } from "./shared/page.js";

/** @typedef {import("./live_drawing/tensors.js").Spot} Spot */

const HOW = "Point at a cell, or move with the arrow keys: the drawing says where its number comes from.";
const FINGER = 10; // pixels beside a grid that still count, where a finger points
const NAME = 44; // pixels above a grid, for its name
/** @type {Record<string, [number, number, string]>} */
const MOVES = { ArrowLeft: [-1, 0, "←"], ArrowUp: [0, -1, "↑"], ArrowDown: [0, 1, "↓"], ArrowRight: [1, 0, "→"] };

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountLiveDrawing(el, model) {
  const { title, known } = model.get("_data");
  const drawn = new TextDecoder().decode(bytes(model.get("_picture")));
  const root = widgetRoot(el, title);
  const host = make("div", { className: "cw-live", tabIndex: 0, role: "application", "aria-label": `${title}: move with the arrow keys` });
  const picture = makePicture(host, drawn, known);
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status cw-sum" });
  const isShown = (/** @type {import("./live_drawing/tensors.js").Tensor} */ { part = "" }) => known.steps.indexOf(part) <= model.get("step");
  const names = known.steps.map((/** @type {string} */ name) => name.replace(/_(?=\d)/, " ").replace("_", "-"));
  const steps = radioGroup("step", "cw-chips", names, uncover);
  const back = button("‹ back", () => uncover(model.get("step") - 1));
  const next = button("", () => uncover((model.get("step") + 1) % names.length));
  const pad = make("div", { className: "cw-chips cw-pad", role: "group", "aria-label": "move" },
    ...Object.values(MOVES).map(([across, down, sign]) => button(sign, () => move(across, down))));
  const head = make("div", { className: "cw-stays" }, make("div", { className: "cw-bar" }, steps.node, back, next), status);
  root.append(head, host, pad);
  el.closest(".output")?.classList.add("cw-holds"); // where outputs scroll by themselves, this one must not: the steps stay in sight

  /** @returns {Spot | null} the number that is pointed at, unless it is covered */
  function spotNow() {
    const spot = model.get("at");
    return spot.length && isShown(known.tensors[spot[0]]) ? spot : null;
  }

  /** @param {Spot | null} spot */
  function point(spot) {
    if (spot && String(spot) !== String(model.get("at"))) save(model, { at: spot });
  }

  /** @param {number} across @param {number} down */
  function move(across, down) {
    const spot = spotNow();
    point(spot ? spotBeside(known, isShown, spot, across, down, picture.moves()) : largestOf(model.get("step")));
    const at = spotNow();
    if (at) reveal(boxOf(known, picture.moves(), ...at));
  }

  /** @param {import("./live_drawing/tensors.js").Box | null} box */
  const reveal = (box) => picture.reveal(box, head.offsetHeight, pad.offsetHeight, `${head.offsetHeight + NAME}px 0 ${pad.offsetHeight + FINGER}px`);

  /** A step uncovers a part, points into it and brings it into sight; all is shown at once. @param {number} step */
  function uncover(step) {
    isHeld = true;
    save(model, { step, at: largestOf(step) ?? model.get("at") });
    isHeld = false;
    update();
    const spot = spotNow();
    if (spot) reveal(gridOf(known, picture.moves(), spot[0]));
  }

  /** Of what a step computes, the largest number in the row that is pointed at; of a mask, the largest that it hides. @param {number} step @returns {Spot | null} */
  function largestOf(step) {
    const names = Object.keys(known.tensors).filter((name) => known.tensors[name].part === known.steps[step]);
    if (!names.length) return null;
    const name = names.find((name) => known.tensors[name].rule) ?? names[0], { numbers, rule } = known.tensors[name];
    const row = Math.min(model.get("at")[1] ?? 0, numbers.length - 1), hidden = rule?.kind === "Masked" && numbers[row].includes(null);
    const sizes = numbers[row].map((/** @type {number | null} */ number, /** @type {number} */ i) => (
      hidden ? (number === null ? known.tensors[rule.scores].numbers[row][i] : -Infinity) : number ?? -Infinity));
    return [name, row, sizes.indexOf(Math.max(...sizes))];
  }

  host.addEventListener("keydown", (event) => {
    if (!(event.key in MOVES)) return;
    event.preventDefault();
    const [across, down] = MOVES[event.key];
    move(across, down);
  });
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
    host.addEventListener(kind, (event) => {
      const place = picture.placeOf(event);
      if (place) point(spotAt(known, isShown, place.x, place.y, event.pointerType === "touch" ? FINGER / place.scale : 0, picture.moves()));
    });
  }

  let isHeld = false, width = 0;
  function update() {
    if (isHeld) return;
    const step = model.get("step"), spot = spotNow(), answer = spot && answerOf(known, spot);
    steps.choose(step);
    back.disabled = step === 0;
    next.textContent = step === names.length - 1 ? "again ↺" : "next ›";
    picture.uncover(step);
    picture.point(spot, answer, (name) => isShown(known.tensors[name]));
    status.replaceChildren(...(answer?.words ?? [HOW]));
    status.style.minHeight = `${status.offsetHeight}px`; // it does not shrink, and the drawing stays where it is
  }
  const unfollow = followPage(root, picture.look);
  picture.look();
  update();
  const sizes = new ResizeObserver(() => { // once it lies on the page, and whenever it has another width
    if (host.clientWidth === width) return;
    width = host.clientWidth;
    status.style.minHeight = "";
    picture.settle();
    update();
  });
  sizes.observe(host);
  for (const name of ["step", "at"]) model.on(`change:${name}`, update);
  return () => {
    unfollow();
    sizes.disconnect();
    for (const name of ["step", "at"]) model.off(`change:${name}`, update);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountLiveDrawing(el, model);
