import fc from "fast-check";
import { expect, test } from "vitest";

import { encodeMarks, decodeMarks, MARK_VERDICTS } from "./matrix-marks";
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
      verdict: fc.constantFrom(...MARK_VERDICTS),
    },
    { requiredKeys: ["key", "attempt", "outcome"] },
  );
  // Marks of a page are coloured all or none.
  const anyLevel = fc.option(fc.integer({ min: 0, max: 4 }));
  const coloured = fc.tuple(anyMark, anyLevel).map(([mark, level]) => ({ ...mark, level }));
  const cells = fc.oneof(fc.array(anyMark, { maxLength: 30 }), fc.array(coloured, { maxLength: 30 }));
  fc.assert(
    fc.property(cells, (marks) => {
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
