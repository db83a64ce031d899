import { expect, test } from "vitest";

import { hasNews } from "./live-state";

const MADE = { status: { generation: 7, phase: "current" }, nSaves: 2, annotations: 5 } as never; // The rest says nothing here.

function tell(change: object, phase = "current", generation = 7) {
  return hasNews({ status: { generation, phase }, nSaves: 2, annotations: 5, ...change } as never, MADE);
}

test("any larger count, and a new or resolved failure, is news", () => {
  expect(tell({})).toBe(false);
  expect(tell({ nSaves: 3 })).toBe(true);
  expect(tell({ annotations: 6 })).toBe(true);
  expect(tell({ annotations: null })).toBe(true);
  expect(tell({}, "current", 8)).toBe(true);
  expect(tell({}, "failed")).toBe(true);
});

test("an event from before the page's own save is not news", () => {
  expect(tell({ nSaves: 1 })).toBe(false);
  expect(tell({ nSaves: 1, annotations: 4 })).toBe(false);
  expect(tell({ nSaves: 1, annotations: 6 })).toBe(true);
});
