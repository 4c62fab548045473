// Whether the page is light or dark, now and when the reader changes it. A style sheet knows that
// by itself; what is painted on a canvas must be painted again.
import { EFFECTS, luminance, usePage, WEIGHTS } from "./colours.js";
import { make } from "./elements.js";

// It stays in the page: where a script of the page watches what comes and goes, and says so in a
// class of the page, putting it there at each look would be a call to look again, for ever.
/** @type {HTMLElement | undefined} */
let probe;

/** The page as its background is: JupyterLab's, that of a site, or of the reader's system. */
export function pageNow() {
  probe ??= make("span", { className: "cw-ground", hidden: true });
  if (!probe.isConnected) document.body.append(probe);
  const numbers = getComputedStyle(probe).backgroundColor.match(/[\d.]+/g) ?? [];
  const [red, green, blue, opacity = 1] = numbers.map(Number);
  return numbers.length >= 3 && opacity > 0.5 && luminance([red, green, blue]) < 0.18 ? "dark" : "light";
}

/**
 * Give a widget the colours of the page, and draw it again when the page is another.
 * @param {HTMLElement} root
 * @param {() => void} redraw
 * @returns {() => void} what ends it
 */
export function followPage(root, redraw) {
  let page = "";
  function look() {
    const now = pageNow();
    if (now === page) return;
    const isFirst = page === "";
    usePage(page = now);
    for (const [name, scale] of Object.entries({ "--ramp": WEIGHTS, "--effects": EFFECTS })) {
      root.style.setProperty(name, `linear-gradient(90deg,#${scale[now].replaceAll(" ", ",#")})`);
    }
    if (!isFirst) redraw();
  }
  look();
  // A theme's style sheet may arrive after the page says that it has another theme.
  /** @type {number[]} */
  let waiting = [];
  const lookAgain = () => {
    look();
    waiting.forEach(window.clearTimeout);
    waiting = [100, 500, 2000].map((wait) => window.setTimeout(look, wait));
  };
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", look);
  const watcher = new MutationObserver(lookAgain);
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributeFilter: ["class", "style", "data-theme", "data-jp-theme-light"] });
  }
  return () => {
    scheme.removeEventListener("change", look);
    watcher.disconnect();
  };
}
