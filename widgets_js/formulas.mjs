// Draws formulas for the site, before anybody opens it: TeX in, SVG out, with MathML beside for who does not see it.
//   echo '[["x^2", false]]' | node formulas.mjs
// Reads a list of [TeX, whether it stands on a line of its own]. Writes {"drawn": [HTML], "glyphs": {id: path}},
// the glyphs being what the drawings refer to.
import { readFileSync } from "node:fs";
import mathjax from "mathjax";

const { startup, tex2svg } = await mathjax.init({
  loader: { load: ["input/tex-full", "output/svg", "a11y/assistive-mml"] },
  svg: { fontCache: "global" },
  startup: { typeset: false },
});
const { adaptor, document } = startup;
/** What only MathJax's own scripts would read goes, and half of the bytes with it. */
const slim = (html) => html.replace(/ (?:data-mml-node|data-c|focusable|unselectable|xmlns(?::xlink)?|role|jax)="[^"]*"/g, "")
  .replace(/ class="MathJax"| style="position: relative;"/g, "")
  .replaceAll('class=" ', 'class="').replaceAll("xlink:href", "href").replaceAll("></use>", "/>").replaceAll("></rect>", "/>");
const drawn = JSON.parse(readFileSync(0, "utf8")).map(([tex, display]) => {
  const html = adaptor.outerHTML(tex2svg(tex, { display }));
  if (html.includes('data-mml-node="merror"')) throw new Error(`this formula cannot be drawn: ${tex}`);
  return slim(html);
});
const glyphs = Object.fromEntries(adaptor.childNodes(document.outputJax.fontCache.getCache())
  .map((path) => [adaptor.getAttribute(path, "id"), adaptor.outerHTML(path)]));
process.stdout.write(JSON.stringify({ drawn, glyphs }));
