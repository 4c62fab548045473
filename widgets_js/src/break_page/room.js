// What stands above the heads keeps its room, so that a press on a head moves nothing.
import { make } from "../shared/elements.js";

const LONG = 60; // letters

/**
 * @param {HTMLElement} root
 * @param {Pick<ReturnType<typeof import("../board/board.js").makeBoard>, "sentence" | "status" | "control">} board
 * @param {() => string} longest what may come to stand in place of what is written, as far as it is known
 */
export function makeRoom(root, { sentence, status, control }, longest) {
  let reserved = "";
  /** It grows with a sentence and does not shrink; nothing that has the focus hides behind it. @param {import("../board/view.js").View} view */
  return ({ text, before }) => {
    const key = `${text} ${root.offsetWidth}`, isNew = key !== reserved;
    root.classList.toggle("break-long", text.length > LONG);
    for (const node of [sentence, status, control]) {
      if (isNew) node.style.minHeight = "";
      node.style.minHeight = `${Math.max(node.offsetHeight, isNew && node === sentence ? heightWith(text, before) : 0)}px`;
    }
    reserved = key;
    document.documentElement.style.scrollPaddingTop = `${sentence.offsetHeight + parseFloat(getComputedStyle(sentence).top) + 8}px`;
  };

  /** How high the sentence is with the longest of what may come. @param {string} text @param {string} before */
  function heightWith(text, before) {
    const instead = longest();
    if (!instead) return 0;
    const whole = make("p", { className: sentence.className }, text, " ", make("del", {}, before.trim()), make("ins", {}, instead));
    sentence.after(whole);
    const height = Math.ceil(whole.getBoundingClientRect().height);
    whole.remove();
    return height;
  }
}
