// Bundles each widget of src/ and the style sheet into course_lib/widgets/static.
// With --check it writes nothing, and fails where a bundle is not what the sources give.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "course_lib", "widgets", "static");
const entries = readdirSync(join(here, "src")).filter((name) => name.endsWith(".js"));

/** The scales, and the two roles that a script draws with (ROLES in src/shared/colours.js); the others come with the style sheet. */
const drawn = { name: "drawn", setup: ({ onLoad }) => onLoad({ filter: /colours\.json$/ }, ({ path }) => {
  const { roles: { query, key }, ...scales } = JSON.parse(readFileSync(path, "utf8"));
  return { contents: JSON.stringify({ roles: { query, key }, ...scales }), loader: "json" };
}) };

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: [...entries.map((name) => `src/${name}`), "styles/widgets.css"],
  entryNames: "[name]",
  outdir: target,
  bundle: true,
  minify: true,
  charset: "ascii",
  target: "es2022",
  format: "esm",
  plugins: [drawn],
  legalComments: "none",
  write: false,
});
// A page runs the text as it is, and finds what it exports in `widget`; for a notebook Python adds one
// export (course_widget.py). esbuild's own format for that is half a kilobyte longer.
const bundles = new Map(outputFiles.map(({ path, text }) => [path.slice(target.length + 1), path.endsWith(".js")
  ? `"use strict";var widget=(()=>{${text.replace(/export\{([^}]*)\};\s*$/, (_, names) => `return{${names.replace(/(\w+) as (\w+)/g, "$2:$1")}}`)}})();\n` : text]));
mkdirSync(target, { recursive: true });
const old = new Map(readdirSync(target).map((name) => [name, readFileSync(join(target, name), "utf8")]));
const wrong = [...new Set([...bundles.keys(), ...old.keys()])].filter((name) => bundles.get(name) !== old.get(name));

if (process.argv.includes("--check")) {
  if (wrong.length) {
    console.error(`course_lib/widgets/static is not what widgets_js gives: ${wrong.sort().join(", ")}. Run \`make widgets\`.`);
    process.exit(1);
  }
} else {
  for (const name of wrong) {
    if (bundles.has(name)) writeFileSync(join(target, name), bundles.get(name));
    else rmSync(join(target, name));
    console.log(`${bundles.has(name) ? "wrote" : "removed"} ${name}`);
  }
}
