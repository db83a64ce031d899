import { expect, test } from "vitest";

import { isPaintedOver } from "./painted-name";

test("a text is told by what is not painted over", () => {
  expect(isPaintedOver("••••-reviewer.1", "orca-reviewer.1")).toBe(true);
  expect(isPaintedOver("orca-reviewer.1", "orca-reviewer.1")).toBe(true);
  expect(isPaintedOver("••••-reviewer.1", "orca-reviewer.2")).toBe(false);
  expect(isPaintedOver("•••-reviewer.1", "orca-reviewer.1")).toBe(false);
  expect(isPaintedOver("orca-reviewer.1", "••••-reviewer.1")).toBe(false);
});
