// Compares the widgets' arithmetic with torch's. tests/test_widgets_math.py draws the cases, writes
// them to the file named by CASES and runs this with `node --test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { attentionWeights, contextVector, entropy, isAllowed } from "../../widgets_js/src/shared/attention_math.js";
import { luminance, shadeOf, usePage, weightColour, WEIGHTS } from "../../widgets_js/src/shared/colours.js";
import { edgePath } from "../../widgets_js/src/shared/edge.js";

const { cases, colours, table } = JSON.parse(readFileSync(process.env.CASES, "utf8"));
const close = (got, expected, tolerance, what) => {
  assert.equal(got.length, expected.length, what);
  got.forEach((number, i) => assert.ok(Math.abs(number - expected[i]) <= tolerance,
    `${what} ${i}: ${number} instead of ${expected[i]}`));
};

test("there are cases", () => assert.ok(cases.length >= 5));

for (const { name, queryLen, keyLen, causal, temperature, headDim, ...numbers } of cases) {
  const scores = Float32Array.from(numbers.scores, (score) => score ?? NaN);
  test(`weights, entropy and context: ${name}`, () => {
    const weights = attentionWeights(scores, queryLen, keyLen, causal, temperature);
    close(weights, numbers.weights, 1e-6, "weight");
    for (let query = 0; query < queryLen; query++) {
      const row = weights.subarray(query * keyLen, (query + 1) * keyLen);
      close([entropy(row)], [numbers.entropy[query]], 1e-5, "entropy");
      close(contextVector(row, numbers.values, headDim),
        numbers.context.slice(query * headDim, (query + 1) * headDim), 1e-5, "context");
      for (let key = 0; key < keyLen; key++) {
        assert.equal(isAllowed(scores, queryLen, keyLen, causal, query, key),
          numbers.allowed[query * keyLen + key], `allowed ${query} ${key}`);
      }
    }
  });
}

test("huge scores and a tiny temperature neither overflow nor give NaN", () => {
  const weights = attentionWeights(Float32Array.of(3e38, -3e38, 1e4, 1e4), 1, 4, false, 1e-6);
  assert.deepEqual([...weights], [1, 0, 0, 0]);
  assert.equal(entropy(weights), 0);
});

test("the scale of weights is Python's, number by number", () => {
  assert.deepEqual(WEIGHTS, table);
  for (const page of ["light", "dark"]) {
    colours[page].forEach((colour, i) => close(weightColour(i / 1000, page), colour, 1, `${page} ${i}`));
  }
});

test("a text is readable on every weight", () => {
  for (const page of ["light", "dark"]) {
    usePage(page);
    for (let i = 0; i <= 1000; i++) {
      const { background, text } = shadeOf(i / 1000);
      const [low, high] = [luminance(background.match(/\d+/g).map(Number)), text === "#fff" ? 1 : 0].sort((a, b) => a - b);
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${page} ${i}`);
    }
  }
});

test("the edge goes around what may be seen", () => {
  assert.equal(edgePath(2, 2, (row, column) => column <= row), "M0 0H1M1 1H2M0 2H2M0 0V2M1 0V1M2 1V2");
  assert.equal(edgePath(1, 3, () => true), "M0 0H3M0 1H3M0 0V1M3 0V1");
  assert.equal(edgePath(2, 2, () => false), "");
});
