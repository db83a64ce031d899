import "server-only";

import { after } from "next/server";

import { readAnnotationsVersion } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { getSharedIndex, type IndexStatus, limitStatus, NO_STATUS, type OpenIndex } from "@/lib/indexer";
import { getSight, runWithFullSight } from "@/lib/sight";

import { getIndex } from "./catalog";

/** How often the folders are scanned while a page is open somewhere. */
const SCAN_EVERY_MS = 2000;
/** Changes within this time are sent as one. */
const GATHER_MS = 250;

/** How the index stands, as open pages are sent: without anything that names a folder, which is for pages to show. */
export interface LiveState {
  readonly status: IndexStatus;
  /** Grows whenever this server saved something that no folder holds, a judgment or a name of a view, or made anew what pages show. Starts at 0 with it. */
  readonly nSaves: number;
  /** Grows with every judgment, whichever program saved it; null while they cannot be read. */
  readonly annotations: number | null;
}

type Listener = (state: LiveState) => void;

interface LiveHub {
  readonly listeners: Set<Listener>;
  nSaves: number;
  annotations: number | null;
  /** Ends looking and listening; null while nobody does. */
  stop: (() => void) | null;
  tell: () => void;
}

declare global {
  /** One a process: pages, actions and route handlers are bundled apart and must share it. */
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

/** How the index stands for the page that is being made. */
export async function getLiveState(): Promise<LiveState> {
  const { nSaves } = getHub();
  // The number of all of them, as `subscribeLive` gives it: that something was saved is all that it tells.
  const annotations = await runWithFullSight(readAnnotationsVersion);
  try {
    const index = await getIndex();
    return { status: toPublic(index.status()), nSaves, annotations };
  } catch (error) {
    // The frame around the page says why there is no index.
    if (!(error instanceof StoreError)) throw error;
    return { status: { ...NO_STATUS, phase: "failed" }, nSaves, annotations };
  }
}

/** Tells open pages at once that something which they show was made anew, though no folder changed. */
export function tellPages(): void {
  const hub = getHub();
  hub.nSaves += 1;
  runWithFullSight(hub.tell);
}

/** Tells open pages that something was saved which they may show, once the page that saved it has its answer. */
export function noteSave(): void {
  const hub = getHub();
  hub.nSaves += 1;
  after(() => runWithFullSight(hub.tell));
}

/**
 * Calls back with how the index stands, at once and with every change that a page could show, at most four times a
 * second. While anybody listens the folders are looked at every two seconds, once for all; when nobody does, never.
 *
 * @returns ends it
 * @throws StoreError when the index cannot be opened
 */
export async function subscribeLive(listener: Listener): Promise<() => void> {
  const isLimited = getSight().hidden.length > 0;
  const index = await getSharedIndex();
  const hub = getHub();
  hub.annotations = await runWithFullSight(readAnnotationsVersion);
  // Numbers of trials and files are of all folders.
  const tell: Listener = isLimited
    ? (state) => listener({ ...state, status: limitStatus(state.status) })
    : listener;
  hub.listeners.add(tell);
  // It goes on for all who listen, whoever was the first.
  hub.stop ??= runWithFullSight(() => startScanning(index, hub));
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
  // What was saved here is sent together with its number, so that pages are made anew once.
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

/** Looking at what is known already is nobody's news, so a finished index stays `current` while it is looked at. */
function toPublic(status: IndexStatus): IndexStatus {
  const isQuiet = status.isComplete && (status.phase === "finding" || status.phase === "checking");
  return { ...status, phase: isQuiet ? "current" : status.phase, failure: null, notice: null };
}

/** Equal texts for states that pages show alike; when the folders were last looked at is for the next page to say. */
function describe({ status, ...saved }: LiveState): string {
  return JSON.stringify({ ...status, scannedAtMs: 0, ...saved });
}
