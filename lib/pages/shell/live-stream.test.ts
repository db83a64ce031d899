import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { NO_STATUS } from "@/lib/store/indexer";

import { type LiveState, streamLive } from "./live";

const STATE: LiveState = { status: NO_STATUS, nSaves: 0, annotations: 0 };

/** Listeners to changes; opening waits until `open` is called, as with a large index. */
function makeHub() {
  const listeners = new Set<(state: LiveState) => void>();
  const opened = Promise.withResolvers<undefined>();
  const subscribe = async (listener: (state: LiveState) => void) => {
    await opened.promise;
    listeners.add(listener);
    listener(STATE);
    return () => void listeners.delete(listener);
  };
  return { listeners, subscribe, open: () => opened.resolve(undefined) };
}

const open = (request: AbortSignal, { subscribe }: ReturnType<typeof makeHub>, client = "192.0.2.1") => {
  const stream = streamLive(request, [client], subscribe);
  if (stream === null) throw new Error("there was no place");
  return stream;
};

const settle = () => new Promise((done) => setImmediate(done));

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("sends every state to a reader until it disconnects", async () => {
  const hub = makeHub();
  hub.open();
  const reader = open(new AbortController().signal, hub).getReader();
  const texts: string[] = [];
  for (let n = 0; n < 2; n++) texts.push(new TextDecoder().decode((await reader.read()).value));
  expect(texts.join("")).toContain(JSON.stringify(STATE));
  expect(hub.listeners.size).toBe(1);
  await reader.cancel();
  expect([hub.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("leaves nothing behind of a reader that went while the index was being opened", async () => {
  for (const leave of ["cancel", "abort", "before"] as const) {
    const hub = makeHub();
    const request = new AbortController();
    if (leave === "before") request.abort();
    const reader = open(request.signal, hub).getReader();
    await settle();
    if (leave === "cancel") await reader.cancel();
    if (leave === "abort") request.abort();
    hub.open();
    await settle();
    expect([leave, hub.listeners.size, vi.getTimerCount()]).toEqual([leave, 0, 0]);
  }
});

test("ends with the request", async () => {
  const hub = makeHub();
  hub.open();
  const request = new AbortController();
  open(request.signal, hub);
  await settle();
  expect(hub.listeners.size).toBe(1);
  request.abort();
  expect([hub.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("streams are limited per client and in total, and a closed one frees its place", async () => {
  const hub = makeHub();
  hub.open();
  const requests: AbortController[] = [];
  const takeMany = (...clients: string[]): number => {
    const isOpen = Array.from({ length: 400 }, () => {
      const request = new AbortController();
      const stream = streamLive(request.signal, clients, hub.subscribe);
      if (stream !== null) requests.push(request);
      return stream !== null;
    });
    return isOpen.filter(Boolean).length;
  };
  const nOfOne = takeMany("192.0.2.1");
  // Ten tabs, and the two dozen readers that a load test has, are no attack.
  expect(nOfOne).toBeGreaterThan(24);
  requests[0]?.abort();
  expect(takeMany("192.0.2.1")).toBe(1);
  expect(takeMany("192.0.2.2")).toBe(nOfOne);
  // Another address gives an account no more streams, and stays free for others.
  expect(takeMany("192.0.2.3", "account a")).toBe(nOfOne);
  expect(takeMany("192.0.2.4", "account a")).toBe(0);
  requests.at(-1)?.abort();
  expect(takeMany("192.0.2.4", "account a")).toBe(1);
  expect(takeMany("192.0.2.4", "account b")).toBe(nOfOne - 1);
  const nOfOthers = Array.from({ length: 50 }, (_, n) => takeMany(`198.51.100.${n}`));
  expect(nOfOthers.at(-1)).toBe(0);
  await settle();
  for (const request of requests) request.abort();
  expect([hub.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
  expect(takeMany("192.0.2.1")).toBe(nOfOne);
  for (const request of requests) request.abort();
});

test("a reader that reads nothing is let go", async () => {
  const hub = makeHub();
  hub.open();
  open(new AbortController().signal, hub);
  await settle();
  for (let n = 0; n < 1000; n++) for (const listener of hub.listeners) listener(STATE);
  expect([hub.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});
