import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Soon } from "./soon";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function hasFallback(part: Promise<string>): Promise<boolean> {
  const drawing = Soon({ fallback: "Reading …", children: part });
  await vi.advanceTimersByTimeAsync(1_000);
  const drawn = await drawing;
  return typeof drawn === "object" && drawn !== null && "type" in drawn && drawn.type === Suspense;
}

function settleAfter(ms: number): Promise<string> {
  return new Promise((settle) => setTimeout(() => settle("part"), ms));
}

test("only a part that takes long, or cannot be drawn, stands behind a fallback", async () => {
  expect(await hasFallback(Promise.resolve("part"))).toBe(false);
  expect(await hasFallback(settleAfter(150))).toBe(false);
  expect(await hasFallback(settleAfter(250))).toBe(true);
  expect(await hasFallback(Promise.reject(new Error("no such file")))).toBe(true);
});
