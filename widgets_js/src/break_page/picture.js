// The board and the sentence as a picture, 1200 x 630: the shape that links are shown in.
import { compared } from "../board/story.js";
import { SCORES, shadesOf } from "../board/view.js";
import { make } from "../shared/elements.js";
import { HEADS, LAYERS } from "./stored.js";

const WIDTH = 1200, HEIGHT = 630, SIDE = 60, LEFT = 96, STEP_X = 35, STEP_Y = 29, TOP = 58, BOX_X = 31, BOX_Y = 25;
const NAME = "How attention works · Break the model: SmolLM2, 30 layers of 9 heads";

/**
 * @param {import("../board/view.js").View} view
 * @param {(number | null)[] | null | undefined} scores
 * @param {string} name of the scores
 * @param {string[]} lines below the sentence
 * @param {HTMLElement} root whose colours and letters are taken
 * @param {HTMLElement} sentence whose letters are taken
 */
export function drawPicture(view, scores, name, lines, root, sentence) {
  const shadeFor = shadesOf(name), canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(root), ink = style.color, off = style.getPropertyValue("--off"), family = style.fontFamily;
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  /** @type {(text: string, x: number, y: number, font: string, align?: CanvasTextAlign) => void} */
  const put = (text, x, y, font, align = "left") => {
    Object.assign(pen, { font, textAlign: align, fillStyle: ink });
    pen.fillText(text, x, y);
    pen.textAlign = "left";
  };
  put(NAME, SIDE, 30, `600 19px ${family}`);
  const small = `14px ${family}`;
  put("layer", LEFT - 12, TOP - 6, small, "right");
  for (let layer = 0; layer < LAYERS; layer++) put(String(layer), LEFT + STEP_X * layer + BOX_X / 2, TOP - 6, small, "center");
  for (let head = 0; head < HEADS; head++) put(head ? String(head) : "head 0", LEFT - 12, TOP + STEP_Y * head + 18, small, "right");
  for (let i = 0; i < LAYERS * HEADS; i++) {
    const x = LEFT + STEP_X * Math.floor(i / HEADS), y = TOP + STEP_Y * (i % HEADS), isOff = view.off.includes(i), score = scores?.[i] ?? null;
    box(x, y, BOX_X, BOX_Y, isOff ? null : score, isOff);
    if (!isOff) continue;
    for (const turn of [1, -1]) {
      pen.beginPath();
      pen.moveTo(x + 9, y + (turn > 0 ? 6 : BOX_Y - 6));
      pen.lineTo(x + BOX_X - 9, y + (turn > 0 ? BOX_Y - 6 : 6));
      pen.stroke();
    }
  }

  /** A head: shaded, or hatched where nothing was measured, or switched. @type {(x: number, y: number, width: number, height: number, score: number | null, isOff?: boolean) => void} */
  function box(x, y, width, height, score, isOff = false) {
    pen.fillStyle = score === null ? style.backgroundColor : shadeFor(score).background;
    pen.fillRect(x, y, width, height);
    if (score === null && !isOff) {
      pen.save();
      pen.beginPath();
      pen.rect(x, y, width, height);
      pen.clip();
      pen.strokeStyle = "#888a";
      pen.lineWidth = 1;
      for (let from = -height; from < width; from += 6) {
        pen.beginPath();
        pen.moveTo(x + from, y + height);
        pen.lineTo(x + from + height, y);
        pen.stroke();
      }
      pen.restore();
    }
    pen.strokeStyle = isOff ? off : "#8888";
    pen.lineWidth = isOff ? 4 : 1;
    pen.strokeRect(x, y, width, height);
  }

  // The scale, and what it says.
  const scale = TOP + STEP_Y * HEADS + 10;
  put("0", LEFT, scale + 14, small);
  for (let i = 0; i < 100; i++) {
    pen.fillStyle = shadeFor(i / 99).background;
    pen.fillRect(LEFT + 14 + i, scale, 1.5, 18);
  }
  put("1", LEFT + 122, scale + 14, small);
  box(LEFT + 144, scale, 26, 18, null);
  put("not measured", LEFT + 178, scale + 14, small);
  box(LEFT + 292, scale, 26, 18, null, true);
  put(view.manner ?? "off", LEFT + 326, scale + 14, small);
  const far = LEFT + 346 + pen.measureText(view.manner ?? "off").width;
  put(SCORES[name], far, scale + 14, small);

  const { same, gone, fresh } = compared(view.before, view.after ?? view.before), right = WIDTH - SIDE;
  const bottom = HEIGHT - 26 - 30 * (lines.length - 1), whole = (view.text + same + gone + fresh).length;
  const size = Math.min(40, 1900 / whole + 8);
  let x = SIDE, y = scale + 62, isFull = false;
  /** @type {(text: string, font: string, colour: string, isGone?: boolean) => void} */
  const write = (text, font, colour, isGone = false) => {
    pen.font = font;
    for (const word of text.match(/\S+/g) ?? []) {
      if (isFull) return;
      pen.fillStyle = colour;
      const width = pen.measureText(word).width;
      if (x + width > right) [x, y] = [SIDE, y + 1.3 * parseFloat(font.split(" ")[1])];
      if (y > HEIGHT - 10 || (font.includes(`${size}px`) && y > bottom - 34)) {
        isFull = true;
        pen.fillText("… (cut)", Math.min(x, right - 90), Math.min(y, bottom - 34));
        return;
      }
      pen.fillText(word, x, y);
      pen.fillStyle = off;
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
  lines.forEach((line, i) => {
    [x, y, isFull] = [SIDE, bottom + 30 * i, false];
    write(line, `400 ${Math.min(22, 2000 / line.length)}px ${family}`, ink);
  });
  return canvas;
}
