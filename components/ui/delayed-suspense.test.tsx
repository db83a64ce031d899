import { isValidElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { DelayedSuspense } from "./delayed-suspense";
import { LateBoundary } from "./late-boundary";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isLate(part: Promise<string>): Promise<boolean> {
  const drawing = DelayedSuspense({ fallback: "Reading …", children: part });
  await vi.advanceTimersByTimeAsync(1_000);
  const drawn = await drawing;
  // The same type in both cases, so that a refresh keeps the element.
  if (!isValidElement<Parameters<typeof LateBoundary>[0]>(drawn) || drawn.type !== LateBoundary)
    throw new Error("no boundary");
  return drawn.props.isLate;
}

function settleAfter(ms: number): Promise<string> {
  return new Promise((settle) => setTimeout(() => settle("part"), ms));
}

test("only slow or failed parts show a fallback", async () => {
  expect(await isLate(Promise.resolve("part"))).toBe(false);
  expect(await isLate(settleAfter(250))).toBe(false);
  expect(await isLate(settleAfter(350))).toBe(true);
  expect(await isLate(Promise.reject(new Error("no such file")))).toBe(true);
});
