"use client";

import { useRouter } from "next/navigation";
import { useOffline } from "next/offline";
import { useEffect, useRef, useState, useTransition } from "react";

import type { LiveState } from "@/lib/pages/shell/live";

import { listenLive } from "./live-connection";
import { setLiveState, useIsHeld, useLiveState, hasNews, nameVersion } from "./live-state";
import { receiveRenewalsWhole } from "./whole-renewals";

import "./live-updates.css";

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
