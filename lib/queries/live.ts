import "server-only";

import { StoreError } from "@/lib/domain/app-error";
import { getSharedIndex, type IndexStatus, NO_STATUS, type OpenIndex } from "@/lib/indexer";

import { getIndex } from "./catalog";

/** How often the folders are looked at while a page is open somewhere. */
const LOOK_EVERY_MS = 2000;
/** Changes within this time are told as one. */
const GATHER_MS = 250;

/** How the index stands, as open pages are told: without anything that names a folder, which is for pages to show. */
export interface LiveState {
  readonly status: IndexStatus;
  /** Grows whenever something was saved that no folder holds: a judgment, a name of a view. Starts at 0 with the server. */
  readonly nSaves: number;
}

type Listener = (state: LiveState) => void;

interface LiveHub {
  readonly listeners: Set<Listener>;
  nSaves: number;
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
    stop: null,
    tell: () => undefined,
  });
}

/** How the index stands for the page that is being made. */
export async function getLiveState(): Promise<LiveState> {
  const { nSaves } = getHub();
  try {
    const index = await getIndex();
    return { status: toPublic(index.status()), nSaves };
  } catch (error) {
    // The frame around the page says why there is no index.
    if (!(error instanceof StoreError)) throw error;
    return { status: { ...NO_STATUS, phase: "failed" }, nSaves };
  }
}

/** Tells open pages that something was saved which they may show. */
export function noteSave(): void {
  const hub = getHub();
  hub.nSaves += 1;
  hub.tell();
}

/**
 * Calls back with how the index stands, at once and with every change that a page could show, at most four times a
 * second. While anybody listens the folders are looked at every two seconds, once for all; when nobody does, never.
 *
 * @returns ends it
 * @throws StoreError when the index cannot be opened
 */
export async function subscribeLive(listener: Listener): Promise<() => void> {
  const index = await getSharedIndex();
  const hub = getHub();
  hub.listeners.add(listener);
  hub.stop ??= startLooking(index, hub);
  listener({ status: toPublic(index.status()), nSaves: hub.nSaves });
  return () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0) return;
    hub.stop?.();
    hub.stop = null;
  };
}

function startLooking(index: OpenIndex, hub: LiveHub): () => void {
  let isLooking = false;
  let told = describe({ status: toPublic(index.status()), nSaves: hub.nSaves });
  let gathering: NodeJS.Timeout | null = null;
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    void index.look().finally(() => (isLooking = false));
  };
  const tell = (): void => {
    gathering = null;
    const state = { status: toPublic(index.status()), nSaves: hub.nSaves };
    const words = describe(state);
    if (words === told) return;
    told = words;
    for (const listener of hub.listeners) listener(state);
  };
  const gather = (): void => {
    gathering ??= setTimeout(tell, GATHER_MS);
  };
  hub.tell = gather;
  const unsubscribe = index.subscribe(gather);
  const timer = setInterval(look, LOOK_EVERY_MS);
  look();
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
function describe({ status, nSaves }: LiveState): string {
  return JSON.stringify({ ...status, scannedAtMs: 0, nSaves });
}
