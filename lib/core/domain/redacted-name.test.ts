import { expect, test } from "vitest";

import { isRedacted } from "./redacted-name";

test("a text is identified by its unredacted part", () => {
  expect(isRedacted("••••-reviewer.1", "orca-reviewer.1")).toBe(true);
  expect(isRedacted("orca-reviewer.1", "orca-reviewer.1")).toBe(true);
  expect(isRedacted("••••-reviewer.1", "orca-reviewer.2")).toBe(false);
  expect(isRedacted("•••-reviewer.1", "orca-reviewer.1")).toBe(false);
  expect(isRedacted("orca-reviewer.1", "••••-reviewer.1")).toBe(false);
});
