// The board and the sentence as a picture, 1200 x 630: the shape that links are shown in.
import { shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { HEADS, LAYERS } from "./stored.js";
import { compared } from "./story.js";

const WIDTH = 1200, HEIGHT = 630, SIDE = 60, CELL = 36;

/**
 * @param {import("./view.js").View} view
 * @param {number[] | null} scores
 * @param {string[]} lines below the sentence
 * @param {HTMLElement} root whose colours and letters are taken
 */
export function drawPicture(view, scores, lines, root) {
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(root), ink = style.color, off = style.getPropertyValue("--off");
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  for (let i = 0; i < LAYERS * HEADS; i++) {
    const x = SIDE + CELL * Math.floor(i / HEADS), y = 40 + (CELL - 4) * (i % HEADS);
    pen.fillStyle = shadeOf(scores ? scores[i] : 0).background;
    pen.fillRect(x, y, CELL - 4, CELL - 8);
    pen.strokeStyle = view.off.includes(i) ? off : "#8886";
    pen.lineWidth = view.off.includes(i) ? 4 : 1;
    pen.strokeRect(x, y, CELL - 4, CELL - 8);
    if (!view.off.includes(i)) continue;
    for (const turn of [1, -1]) {
      pen.beginPath();
      pen.moveTo(x + 7, y + (turn > 0 ? 6 : CELL - 14));
      pen.lineTo(x + CELL - 11, y + (turn > 0 ? CELL - 14 : 6));
      pen.stroke();
    }
  }
  const { same, gone, fresh } = compared(view.before, view.after ?? view.before);
  const family = style.fontFamily, size = Math.min(46, 2000 / (view.text + same + gone + fresh).length);
  let x = SIDE, y = 400;
  /** @type {(text: string, kind: "plain" | "gone" | "fresh") => void} */
  const write = (text, kind) => {
    pen.font = `${kind === "fresh" ? 700 : 500} ${size}px ${family}`;
    for (const word of text.match(/\s*\S+/g) ?? []) {
      const width = pen.measureText(word).width, wraps = x + width > WIDTH - SIDE;
      if (wraps) [x, y] = [SIDE, y + 1.3 * size];
      pen.fillStyle = kind === "gone" ? "#767676" : kind === "fresh" ? off : ink;
      pen.fillText(wraps ? word.trimStart() : word, x, y);
      const shown = pen.measureText(wraps ? word.trimStart() : word).width;
      if (kind === "gone") pen.fillRect(x, y - size / 3, shown, 3);
      x += shown;
    }
  };
  write(view.text + same, "plain");
  write(gone, "gone");
  write(fresh, "fresh");
  pen.fillStyle = ink;
  pen.font = `24px ${family}`;
  lines.forEach((line, i) => pen.fillText(line, SIDE, HEIGHT - 28 - 34 * (lines.length - 1 - i), WIDTH - 2 * SIDE));
  return canvas;
}
