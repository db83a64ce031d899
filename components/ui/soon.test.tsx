import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Soon } from "./soon";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isWaitedFor(part: Promise<string>): Promise<boolean> {
  const drawing = Soon({ fallback: "Reading …", children: part });
  await vi.advanceTimersByTimeAsync(1_000);
  const drawn = await drawing;
  return typeof drawn === "object" && drawn !== null && "type" in drawn && drawn.type === Suspense;
}

test("only a part that takes long, or cannot be drawn, stands behind a fallback", async () => {
  expect(await isWaitedFor(Promise.resolve("part"))).toBe(false);
  expect(await isWaitedFor(new Promise(() => undefined))).toBe(true);
  expect(await isWaitedFor(Promise.reject(new Error("no such file")))).toBe(true);
});
