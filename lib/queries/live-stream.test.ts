import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { NO_STATUS } from "@/lib/indexer";

import type { LiveState } from "./live";
import { streamLive } from "./live-stream";

const STATE: LiveState = { status: NO_STATUS, nSaves: 0, annotations: 0 };

/** Listeners that are told of changes; opening takes until `open` is called, as it does where the index is large. */
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

const settle = () => new Promise((done) => setImmediate(done));

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("tells a reader every state, until it goes", async () => {
  const hub = makeHub();
  hub.open();
  const reader = streamLive(new AbortController().signal, hub.subscribe).getReader();
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
    const reader = streamLive(request.signal, hub.subscribe).getReader();
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
  streamLive(request.signal, hub.subscribe);
  await settle();
  expect(hub.listeners.size).toBe(1);
  request.abort();
  expect([hub.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});
