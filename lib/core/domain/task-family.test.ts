import fc from "fast-check";
import { expect, test } from "vitest";

import { findTaskFamily } from "./task-family";

test.each([
  ["electrical/voltage-drop/submain", "electrical/voltage-drop"],
  ["electrical/voltage-drop/submain/v2", "electrical/voltage-drop/submain"],
  // The marker is that of the last name, which is gone already.
  ["electrical/cable-2/lv-001", "electrical/cable-2"],
  ["/electrical/voltage-drop/", "/electrical/voltage-drop/"],
  ["electrical//voltage-drop//submain/", "electrical/voltage-drop"],
  ["datacurve/eicrud-keyset", "datacurve/eicrud-keyset"],
  ["datacurve/eicrud-007", "datacurve/eicrud"],
  ["cable-schedule-001", "cable-schedule"],
  ["cable_schedule_12", "cable_schedule"],
  ["django__django-11099", "django__django"],
  ["room__3", "room"],
  ["room_-_3", "room"],
  ["build-cython-ext", "build-cython-ext"],
  // Digits that no separator sets apart are part of a name.
  ["python3", "python3"],
  ["sha256", "sha256"],
  ["plan-b2", "plan-b2"],
  ["v1.2", "v1.2"],
  // Only the last marker is removed: the text before it may name the template.
  ["aime-2024-07", "aime-2024"],
  // Nothing but a marker is the name itself.
  ["-001", "-001"],
  ["001", "001"],
  ["org/-001", "org/-001"],
  ["", ""],
])("%s belongs to %s", (task, family) => {
  expect(findTaskFamily(task)).toBe(family);
});

test("instances of one template share a family, which is never empty", () => {
  const name = fc.stringMatching(/^[a-z][a-z._-]{0,12}[a-z]$/u);
  fc.assert(
    fc.property(name, fc.constantFrom("-", "_", "__"), fc.nat(), fc.nat(), (template, separator, a, b) => {
      expect(findTaskFamily(`${template}${separator}${a}`)).toBe(template);
      expect(findTaskFamily(`${template}${separator}${b}`)).toBe(template);
    }),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (any) => {
      expect(findTaskFamily(any)).not.toBe("");
    }),
  );
});

test("a name of many separators and no number at its end is its own family", () => {
  for (const name of [`a${"_".repeat(10_000)}b`, `${"-1".repeat(5_000)}x`])
    expect(findTaskFamily(name)).toBe(name);
});
