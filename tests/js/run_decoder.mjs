// Runs models in JavaScript for tests/test_widgets_decoder.py: cases come as JSON on the standard
// input, and logits and weights go as JSON to the standard output.
import { readFileSync } from "node:fs";
import { makeDecoder, nextProbabilities } from "../../widgets_js/src/decoder/decoder.js";

const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(({ model, runs }) => {
  const run = makeDecoder(model.options, model.packed);
  const shapes = new Map(model.packed.shapes);
  const words = shapes.get("embedding.weight")[0];
  return runs.map(([tokens, off]) => {
    const found = run(tokens, off);
    return { logits: [...found.logits], weights: found.weights.map((layer) => [...layer]), next: [...nextProbabilities(found, words)] };
  });
});
process.stdout.write(JSON.stringify(answers));
