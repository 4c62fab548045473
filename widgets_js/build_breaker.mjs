// Builds the page "Break the model" and what runs SmolLM2 there, a worker and its kernel, into a folder:
//   node build_breaker.mjs FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), folder = process.argv[2];
mkdirSync(folder, { recursive: true });

const options = ["-O3", "--runtime", "stub", "--importMemory", "--enable", "simd", "--outFile", "kernel.wasm"];
const { error, stderr } = await asc.main(["kernel/linear.ts", "--baseDir", here, ...options], {
  writeFile: (_, content) => writeFileSync(join(folder, "kernel.wasm"), content),
});
if (error) throw new Error(`${error.message}\n${stderr}`);

await build({
  absWorkingDir: here,
  entryPoints: { worker: "src/breaker/worker.js", service_worker: "src/break_page/service_worker.js", page: "src/break_page/page.js", bets: "src/bets_page/page.js" },
  outdir: folder,
  bundle: true,
  minify: true,
  target: "es2022",
  format: "iife",
  legalComments: "none",
});
