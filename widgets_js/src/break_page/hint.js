// A line about what is shown, which goes when something else is.
import { make } from "../shared/elements.js";

export function makeHint() {
  const node = make("p", { role: "status", className: "break-hint" });
  let isAboutThis = () => true;
  return {
    node,
    /** @param {string} text @param {() => boolean} [isAbout] whether it speaks of what is shown */
    say(text, isAbout = () => true) {
      node.textContent = text;
      isAboutThis = isAbout;
    },
    look() {
      if (!isAboutThis()) node.textContent = "";
    },
  };
}
