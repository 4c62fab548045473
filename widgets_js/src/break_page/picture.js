// The board and the sentence as a picture, 1200 x 630: the shape that links are shown in.
import { compared } from "../board/story.js";
import { shadeOf } from "../shared/colours.js";
import { make } from "../shared/elements.js";
import { HEADS, LAYERS } from "./stored.js";

const WIDTH = 1200, HEIGHT = 630, SIDE = 60, CELL = 36;

/**
 * @param {import("../board/view.js").View} view
 * @param {(number | null)[] | null | undefined} scores
 * @param {string[]} lines below the sentence
 * @param {HTMLElement} root whose colours and letters are taken
 * @param {HTMLElement} sentence whose letters are taken
 */
export function drawPicture(view, scores, lines, root, sentence) {
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(root), ink = style.color, off = style.getPropertyValue("--off");
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  for (let i = 0; i < LAYERS * HEADS; i++) {
    const x = SIDE + CELL * Math.floor(i / HEADS), y = 40 + (CELL - 4) * (i % HEADS);
    const isOff = view.off.includes(i);
    pen.fillStyle = isOff ? style.backgroundColor : shadeOf(scores?.[i] ?? 0).background;
    pen.fillRect(x, y, CELL - 4, CELL - 8);
    pen.strokeStyle = isOff ? off : "#8886";
    pen.lineWidth = isOff ? 4 : 1;
    pen.strokeRect(x, y, CELL - 4, CELL - 8);
    if (!isOff) continue;
    for (const turn of [1, -1]) {
      pen.beginPath();
      pen.moveTo(x + 7, y + (turn > 0 ? 6 : CELL - 14));
      pen.lineTo(x + CELL - 11, y + (turn > 0 ? CELL - 14 : 6));
      pen.stroke();
    }
  }
  const { same, gone, fresh } = compared(view.before, view.after ?? view.before);
  const family = style.fontFamily, size = Math.min(46, 2200 / (view.text + same + gone + fresh).length);
  const right = WIDTH - SIDE;
  let x = SIDE, y = 405;
  /** @type {(text: string, font: string, colour: string, isGone?: boolean) => void} */
  const write = (text, font, colour, isGone = false) => {
    pen.font = font;
    pen.fillStyle = colour;
    for (const word of text.match(/\S+/g) ?? []) {
      const width = pen.measureText(word).width;
      if (x + width > right) [x, y] = [SIDE, y + 1.35 * parseFloat(font.split(" ")[1])];
      pen.fillText(word, x, y);
      if (isGone) pen.fillRect(x, y - size / 3.4, width, 3);
      x += width + pen.measureText(" ").width;
    }
  };
  const letters = `${size}px ${getComputedStyle(sentence).fontFamily}`;
  write(view.text, `500 ${letters}`, ink);
  if (same && !same.startsWith(" ")) x -= pen.measureText(" ").width;
  write(same, `700 ${letters}`, ink);
  write(gone, `500 ${letters}`, "#767676", true);
  write(fresh, `700 ${letters}`, off);
  [x, y] = [SIDE, HEIGHT - 40 - 34 * lines.length];
  for (const line of lines) {
    write(line, `400 25px ${family}`, ink);
    [x, y] = [SIDE, y + 34];
  }
  return canvas;
}
