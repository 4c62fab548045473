// Compares the widgets' arithmetic with torch's. tests/test_widgets_math.py draws the cases, writes
// them to the file named by CASES and runs this with `node --test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { attentionWeights, contextVector, entropy, isAllowed } from "../../widgets_js/src/shared/attention_math.js";
import { cividis } from "../../widgets_js/src/shared/colours.js";

const { cases, colours } = JSON.parse(readFileSync(process.env.CASES, "utf8"));
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

test("cividis is matplotlib's within 6 of 255", () => {
  colours.forEach((colour, i) => close(cividis(i / 255), colour, 6, `colour ${i}`));
});
