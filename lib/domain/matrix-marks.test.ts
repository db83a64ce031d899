import fc from "fast-check";
import { expect, test } from "vitest";

import { encodeMarks, decodeMarks } from "./matrix-marks";
import { OUTCOMES } from "./trial";

test("what was encoded is what is drawn, and twenty attempts take a few bytes each", () => {
  const anyMark = fc.record(
    {
      key: fc.option(fc.oneof(fc.string(), fc.constantFrom("task__a", "task__b"))),
      attempt: fc.integer({ min: 1, max: 9 }),
      outcome: fc.constantFrom(...OUTCOMES),
      detail: fc.constantFrom("reward 1", "reward 0, with Error"),
      jobKey: fc.constantFrom("job", "other"),
      isSuspect: fc.constant(true),
    },
    { requiredKeys: ["key", "attempt", "outcome"] },
  );
  fc.assert(
    fc.property(fc.array(anyMark, { maxLength: 30 }), (marks) => {
      expect(decodeMarks(encodeMarks(marks))).toEqual(marks);
    }),
  );
  const many = Array.from({ length: 20 }, (_, at) => ({
    key: `a-task-of-some-length__abcde${String(at)}`,
    attempt: at + 1,
    outcome: "passed" as const,
    detail: `reward ${String(at % 2)}`,
  }));
  expect(JSON.stringify(encodeMarks(many)).length).toBeLessThan(20 * 20);
});
