import fc from "fast-check";
import { expect, it } from "vitest";

import { parsePythonJson } from "@/lib/core/scoring";
import { planRuns } from "@/lib/testing/plan-runs";

import { recogniseForeignDocument, recogniseHarborDocument } from "./recognise";
import { skimDocument } from "./skim-document";

const KEYS = ["trial_name", "task_name", "stats", "id", "n_total_trials", "agents", "datasets", "task", "x"];
const OTHERS = [
  "verifier_result",
  "is_resolved",
  "trials_dir",
  "schema_version",
  "steps",
  "trials",
  "status",
];
const RUN = planRuns({ short: 200, long: 20_000 });

it("an outline is recognised as the whole document is, however it is written", () => {
  const key = fc.oneof(fc.constantFrom(...KEYS, ...OTHERS), fc.string());
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("ATIF-v1.0", 'a"}]', {}, []));
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.constantFrom(0, 2, "\t"), (document, indent) => {
      const text = JSON.stringify(document, null, indent);
      const whole = parsePythonJson(text);
      const { isWhole, value: outline } = skimDocument(`\n${text} `);
      expect(isWhole).toBe(true);
      if (!(whole instanceof Map)) throw new Error("an object was written");
      expect([...(outline?.keys() ?? [])].sort()).toEqual([...whole.keys()].sort());
      expect(recogniseHarborDocument(outline)).toBe(recogniseHarborDocument(whole));
      expect(recogniseForeignDocument(outline)).toBe(recogniseForeignDocument(whole));
      // A file that is still being written.
      if (text.length > 2) expect(skimDocument(text.slice(0, -1)).isWhole).toBe(false);
    }),
    RUN,
  );
});
