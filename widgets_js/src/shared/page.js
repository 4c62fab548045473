// Whether the page is light or dark, now and when the reader changes it. A style sheet knows that
// by itself; what is painted on a canvas must be painted again.
import { luminance, usePage, WEIGHTS } from "./colours.js";
import { make } from "./elements.js";

/** The page as its background is: JupyterLab's, that of a site, or of the reader's system. */
export function pageNow() {
  const probe = make("i", { className: "cw-ground" });
  document.body.append(probe);
  const numbers = getComputedStyle(probe).backgroundColor.match(/[\d.]+/g) ?? [];
  probe.remove();
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
    const stops = WEIGHTS[now].split(" ").map((hex) => "#" + hex);
    root.style.setProperty("--ramp", `linear-gradient(90deg, ${stops})`);
    if (!isFirst) redraw();
  }
  look();
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", look);
  const watcher = new MutationObserver(look);
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributeFilter: ["class", "style", "data-theme", "data-jp-theme-light"] });
  }
  return () => {
    scheme.removeEventListener("change", look);
    watcher.disconnect();
  };
}
