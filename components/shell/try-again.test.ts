import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { takeOwnTry } from "./page-error";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a failed page and a failed window each retry once in thirty seconds", () => {
  expect([takeOwnTry("page"), takeOwnTry("page")]).toEqual([true, false]);
  expect([takeOwnTry("window"), takeOwnTry("window")]).toEqual([true, false]);
  vi.advanceTimersByTime(29_999);
  expect(takeOwnTry("page")).toBe(false);
  vi.advanceTimersByTime(1);
  expect(takeOwnTry("page")).toBe(true);
});

test("a clock that was set back holds no try off", () => {
  expect(takeOwnTry("page")).toBe(true);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(takeOwnTry("page")).toBe(true);
});

test("without storage nothing is retried, to prevent endless retries", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("blocked", "SecurityError");
    },
  });
  expect(takeOwnTry("page")).toBe(false);
});
