import "server-only";
import { after } from "next/server";

import { StoreError } from "@/lib/core/domain/app-error";
import { readAnnotationsVersion } from "@/lib/people/annotations";
import {
  getSharedIndex,
  type IndexStatus,
  limitStatus,
  NO_STATUS,
  type OpenIndex,
} from "@/lib/store/indexer";
import { getVisibility, runWithFullVisibility } from "@/lib/store/visibility";

import { getIndex } from "./catalog";

const SCAN_EVERY_MS = 2000;
/** Changes within this time are sent as one. */
const GATHER_MS = 250;

/** Sent to open pages. It contains no folder names; pages show those. */
export interface LiveState {
  readonly status: IndexStatus;
  /** Grows with each save outside folders. Starts at 0 with the server. */
  readonly nSaves: number;
  /** Grows with every judgment saved by any process; null if they cannot be read. */
  readonly annotations: number | null;
}

type Listener = (state: LiveState) => void;

interface LiveHub {
  readonly listeners: Set<Listener>;
  nSaves: number;
  annotations: number | null;
  stop: (() => void) | null;
  tell: () => void;
}

declare global {
  /** One per process: pages, actions and route handlers are bundled separately and must share it. */
  var assayLiveHub: LiveHub | undefined;
}

function getHub(): LiveHub {
  return (globalThis.assayLiveHub ??= {
    listeners: new Set(),
    nSaves: 0,
    annotations: 0,
    stop: null,
    tell: () => undefined,
  });
}

export async function getLiveState(): Promise<LiveState> {
  const { nSaves } = getHub();
  // Counts all annotations, as `subscribeLive` does. It reveals only that something was saved.
  const annotations = await runWithFullVisibility(readAnnotationsVersion);
  try {
    const index = await getIndex();
    return { status: toPublic(index.status()), nSaves, annotations };
  } catch (error) {
    // The frame of each page shows why there is no index.
    if (!(error instanceof StoreError)) throw error;
    return { status: { ...NO_STATUS, phase: "failed" }, nSaves, annotations };
  }
}

/** Tells open pages about a save, after the saving request has its response. */
export function noteSave(): void {
  const hub = getHub();
  hub.nSaves += 1;
  after(() => runWithFullVisibility(hub.tell));
}

/** Calls back at once and on each visible change, at most 4 times a second. Scans only while anyone listens. @throws StoreError */
export async function subscribeLive(listener: Listener): Promise<() => void> {
  const isLimited = getVisibility().hidden.length > 0;
  const index = await getSharedIndex();
  const hub = getHub();
  hub.annotations = await runWithFullVisibility(readAnnotationsVersion);
  // Trial and file counts cover all folders, including hidden ones.
  const tell: Listener = isLimited
    ? (state) => listener({ ...state, status: limitStatus(state.status) })
    : listener;
  hub.listeners.add(tell);
  // The scan serves all listeners, so it must not depend on the role of the first.
  hub.stop ??= runWithFullVisibility(() => startScanning(index, hub));
  tell(readState(index, hub));
  return () => {
    hub.listeners.delete(tell);
    if (hub.listeners.size > 0) return;
    hub.stop?.();
    hub.stop = null;
  };
}

function readState(index: OpenIndex, { nSaves, annotations }: LiveHub): LiveState {
  return { status: toPublic(index.status()), nSaves, annotations };
}

function startScanning(index: OpenIndex, hub: LiveHub): () => void {
  let isScanning = false;
  let sent = describe(readState(index, hub));
  let gathering: NodeJS.Timeout | null = null;
  const tell = (): void => {
    gathering = null;
    const state = readState(index, hub);
    const words = describe(state);
    if (words === sent) return;
    sent = words;
    for (const listener of hub.listeners) listener(state);
  };
  const gather = (): void => {
    gathering ??= setTimeout(tell, GATHER_MS);
  };
  let counting: Promise<void> | null = null;
  const count = (): void => {
    counting ??= readAnnotationsVersion()
      .then((version) => {
        hub.annotations = version;
        gather();
      })
      .finally(() => (counting = null));
  };
  const scan = (): void => {
    count();
    if (isScanning) return;
    isScanning = true;
    void index.scanIfDue().finally(() => (isScanning = false));
  };
  // Sends a save together with its annotation number, so that pages refresh once.
  hub.tell = () => void Promise.resolve(counting).then(count);
  const unsubscribe = index.subscribe(gather);
  const timer = setInterval(scan, SCAN_EVERY_MS);
  scan();
  return () => {
    hub.tell = () => undefined;
    clearInterval(timer);
    if (gathering !== null) clearTimeout(gathering);
    unsubscribe();
  };
}

/** Rechecking changes nothing for readers, so a finished index stays `current` meanwhile. */
function toPublic(status: IndexStatus): IndexStatus {
  const isQuiet = status.isComplete && (status.phase === "finding" || status.phase === "checking");
  return { ...status, phase: isQuiet ? "current" : status.phase, failure: null, notice: null };
}

/** Returns equal texts for states that pages show alike, so the scan time is left out. */
function describe({ status, ...saved }: LiveState): string {
  return JSON.stringify({ ...status, scannedAtMs: 0, ...saved });
}

/** Proxies and browsers drop a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A visible page has one stream, a hidden page none. One person, or one office behind one address, needs far fewer. */
const MAX_STREAMS_OF_ONE = 32;
const MAX_STREAMS = 256;
/** Unread messages before a reader is disconnected. */
const MAX_WAITING = 100;

let nOpenOfAll = 0;
const nOpenByClient = new Map<string, number>();

/**
 * Streams `status` events until the reader cancels, `request` aborts, or too much stays unread. Streams are limited for each of
 * `clients`, so that one client cannot take all; null at a limit.
 */
export function streamLive(
  request: AbortSignal,
  clients: readonly string[],
  subscribe: typeof subscribeLive = subscribeLive,
): ReadableStream<Uint8Array> | null {
  const leave = takePlace(clients);
  if (leave === null) return null;
  const encoder = new TextEncoder();
  const closing = new AbortController();
  const close = () => closing.abort();
  const { signal } = closing;
  signal.addEventListener("abort", leave);
  return new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (text: string): void => {
        if (signal.aborted) return;
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) > -MAX_WAITING) return;
        controller.close();
        close();
      };
      const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
      signal.addEventListener("abort", () => clearInterval(heartbeat));
      request.addEventListener("abort", close, { signal });
      if (request.aborted) close();
      send("retry: 2000\n\n");
      try {
        const stop = await subscribe((state) => send(`event: status\ndata: ${JSON.stringify(state)}\n\n`));
        // The reader may have left while the index was being opened.
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  });
}

/** Counts one more stream until the returned function is called; null at the limit. */
function takePlace(clients: readonly string[]): (() => void) | null {
  const count = (client: string) => nOpenByClient.get(client) ?? 0;
  if (nOpenOfAll >= MAX_STREAMS || clients.some((client) => count(client) >= MAX_STREAMS_OF_ONE)) return null;
  nOpenOfAll++;
  for (const client of clients) nOpenByClient.set(client, count(client) + 1);
  return () => {
    nOpenOfAll--;
    for (const client of clients) {
      if (count(client) > 1) nOpenByClient.set(client, count(client) - 1);
      else nOpenByClient.delete(client);
    }
  };
}
