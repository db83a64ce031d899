"use client";

import { useRouter } from "next/navigation";
import { useOffline } from "next/offline";
import { useEffect, useRef, useState, useTransition } from "react";

import { withBasePath } from "@/lib/core/domain/base-path";
import type { LiveState } from "@/lib/pages/shell/live";

import { setLiveState, useIsHeld, useLiveState, hasNews, nameVersion } from "./live-state";

/** Shortest time between two renewals of a page; slow ones are further apart. */
const PAUSE_MS = 2000;
const PAUSE_SHARE = 4;

/** Fewer are not announced: a running job writes a trial now and then. */
const MANY_TRIALS = 500;

function isReading({ status }: LiveState): boolean {
  if (status.phase === "reading") return !status.isComplete || status.nTrialsToRead >= MANY_TRIALS;
  return !status.isComplete && status.phase !== "failed" && status.phase !== "following";
}

/** Refreshes the page after news, first at once, then with pauses. `nReturns` counts outages: the server may be another one. */
function useRefresh(current: LiveState, made: LiveState, nReturns: number): void {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const isHeld = useIsHeld();
  const shown = useRef(made);
  const version = nameVersion(current);
  const latest = useRef(current);
  const handled = useRef({ version, nReturns });
  const startedAt = useRef<number | null>(null);
  const notBefore = useRef(0);
  useEffect(() => {
    shown.current = made;
    latest.current = current;
  }, [made, current]);
  useEffect(() => {
    if (isRefreshing || isHeld) return;
    const now = performance.now();
    if (startedAt.current !== null) {
      notBefore.current = now + Math.max(PAUSE_MS, PAUSE_SHARE * (now - startedAt.current));
      startedAt.current = null;
    }
    const before = handled.current;
    if (version === before.version && nReturns === before.nReturns) return;
    const timer = setTimeout(
      () => {
        handled.current = { version, nReturns };
        if (!hasNews(latest.current, shown.current) && nReturns === before.nReturns) return;
        startedAt.current = performance.now();
        startRefresh(() => router.refresh());
      },
      Math.max(0, notBefore.current - now),
    );
    return () => clearTimeout(timer);
  }, [version, nReturns, isRefreshing, isHeld, router]);
}

export function LiveUpdates({ initial }: { initial: LiveState }) {
  const state = useLiveState() ?? initial;
  const [isLost, setIsLost] = useState(false);
  // The server may report changes and still refuse access.
  const isOffline = useOffline();
  const [nReturns, setNReturns] = useState(0);
  useEffect(
    () =>
      listenLive({
        onState: setLiveState,
        onLost: () => setIsLost(true),
        onBack: () => {
          setIsLost(false);
          setNReturns((n) => n + 1);
        },
      }),
    [],
  );
  useEffect(receiveRenewalsWhole, []);
  useRefresh(state, initial, nReturns);
  const reading = isReading(state);
  const [wasReading, setWasReading] = useState(reading);
  const [news, setNews] = useState("");
  if (reading !== wasReading) {
    setWasReading(reading);
    setNews(reading ? "Reading job folders." : "All job folders have been read.");
  }
  return (
    <>
      <p className="live-news screen-reader" role="status">
        {news}
      </p>
      <p className="live-lost caption" role="status">
        {isLost || isOffline ? "Not connected, retrying" : ""}
      </p>
    </>
  );
}

const EVENTS_HREF = "/api/events";
/** A page that is being left loses its connection too, which is not an outage. */
const SILENCE_MS = 1500;
const RETRY_MS = 2000;
/** Backs off from a server that has too many listeners. */
const LONGEST_RETRY_MS = 32_000;

interface LiveListener {
  readonly onState: (state: LiveState) => void;
  readonly onLost: () => void;
  readonly onBack: () => void;
}

/** Listens while the page is visible: hidden tabs must not use up the browser's few connections. Returns a cleanup. */
function listenLive(listener: LiveListener): () => void {
  let source: EventSource | null = null;
  let isLost = false;
  let retryMs = RETRY_MS;
  let telling: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const close = (): void => {
    source?.close();
    source = null;
    clearTimeout(telling);
    clearTimeout(retrying);
    telling = undefined;
  };
  const open = (): void => {
    close();
    source = new EventSource(withBasePath(EVENTS_HREF));
    source.addEventListener("status", (event: MessageEvent<string>) => {
      clearTimeout(telling);
      telling = undefined;
      retryMs = RETRY_MS;
      if (isLost) {
        isLost = false;
        listener.onBack();
      }
      // Written by the server of the same build.
      listener.onState(JSON.parse(event.data) as LiveState);
    });
    source.addEventListener("error", () => {
      if (!isLost) {
        telling ??= setTimeout(() => {
          isLost = true;
          listener.onLost();
        }, SILENCE_MS);
      }
      // The browser reconnects automatically unless the server answered with something else than events.
      if (source?.readyState !== EventSource.CLOSED) return;
      retrying = setTimeout(reopen, retryMs);
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    });
  };
  const reopen = (): void => {
    const wasTelling = telling !== undefined;
    open();
    if (wasTelling && !isLost) {
      isLost = true;
      listener.onLost();
    }
  };
  const follow = (): void => {
    if (document.hidden) close();
    else if (source === null) open();
  };
  const stop = new AbortController();
  document.addEventListener("visibilitychange", follow, { signal: stop.signal });
  // A page in the browser's back and forward cache must hold no connection.
  window.addEventListener("pagehide", close, { signal: stop.signal });
  window.addEventListener("pageshow", follow, { signal: stop.signal });
  follow();
  return () => {
    stop.abort();
    close();
  };
}

/** Status codes of a proxy, or of Assay without its account store. */
const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);

/** Makes renewals arrive whole or fail, after which Next retries: a broken one would replace the page and typed text. */
function receiveRenewalsWhole(): () => void {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const response = await ask(...request);
    const isHead = request[1]?.method === "HEAD";
    if (!isHead && !isRenewal(new URL(response.url, location.href))) return response;
    // Next sends HEAD to check if it can retry.
    if (UNREACHED.has(response.status)) throw new TypeError(`Assay answered ${String(response.status)}`);
    if (!isHead) await response.clone().arrayBuffer();
    return response;
  };
  return () => {
    window.fetch = ask;
  };
}

function isRenewal({ origin, pathname, searchParams }: URL): boolean {
  if (!searchParams.has("_rsc") || origin !== location.origin || pathname !== location.pathname) return false;
  const asked = new URLSearchParams(searchParams);
  asked.delete("_rsc");
  return asked.toString() === new URLSearchParams(location.search).toString();
}
