"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { TrialChunk, TrialLine } from "./trial-lines";

/** Rows that are asked for when the end of those that are loaded comes near. */
const MORE_ROWS = 200;
/** The same for rows that are read again, of which there may be many; no more than the route gives at once. */
const ROWS_AGAIN = 1_000;

/** Where loading more rows stands. */
export type LoadState = "idle" | "loading" | "failed";

/** The rows that are loaded, and how to load more. */
export interface LoadedTrials {
  readonly lines: readonly TrialLine[];
  readonly nMatching: number;
  readonly state: LoadState;
  readonly loadMore: () => void;
}

/**
 * The first page of the table, which the server drew, and the rows behind it that were loaded since.
 *
 * When the server draws the page anew, because something changed on disk, the rows behind it are read again and put in
 * place at once, so that nothing under the reader's eyes comes and goes.
 */
export function useLoadedTrials(first: TrialChunk, rowsHref: string): LoadedTrials {
  const [loadedMore, setMore] = useState<readonly TrialLine[] | null>(null);
  const end = first.nBefore + first.lines.length;
  const more = end < first.nMatching ? loadedMore : null;
  const [state, setState] = useState<LoadState>("idle");
  const running = useRef<AbortController | null>(null);
  const seen = useRef(first);

  useEffect(() => () => running.current?.abort(), []);

  async function load(kept: readonly TrialLine[], nWanted: number): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState("loading");
    try {
      const lines = await readLines(rowsHref, end + kept.length, nWanted, stop.signal);
      setMore([...kept, ...lines]);
      setState("idle");
    } catch (error) {
      if (!stop.signal.aborted) setState("failed");
      if (!(error instanceof Error)) throw error;
    } finally {
      if (running.current === stop) running.current = null;
    }
  }

  const readAgain = useEffectEvent(() => {
    if (more !== null) void load([], more.length);
  });
  useEffect(() => {
    if (seen.current === first) return;
    seen.current = first;
    readAgain();
  }, [first]);

  const lines = more === null ? first.lines : [...first.lines, ...more];
  return {
    // Until the rows behind are read again, the same trial may stand in two places.
    lines: more === null ? lines : [...new Map(lines.map((line) => [line.key, line])).values()],
    nMatching: first.nMatching,
    state,
    loadMore: () => {
      const isMore = first.nBefore + lines.length < first.nMatching;
      if (isMore && running.current === null) void load(more ?? [], MORE_ROWS);
    },
  };
}

async function readLines(
  rowsHref: string,
  from: number,
  nWanted: number,
  signal: AbortSignal,
): Promise<readonly TrialLine[]> {
  const lines: TrialLine[] = [];
  let nMatching = Infinity;
  while (lines.length < nWanted && from + lines.length < nMatching) {
    const limit = Math.min(nWanted - lines.length, ROWS_AGAIN);
    const url = new URL(rowsHref, location.href);
    url.searchParams.set("limit", String(limit));
    url.searchParams.set("from", String(from + lines.length));
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`The rows came with status ${response.status}.`);

    const chunk = (await response.json()) as TrialChunk;
    if (chunk.nBefore !== from + lines.length || chunk.lines.length === 0) break;
    lines.push(...chunk.lines);
    nMatching = chunk.nMatching;
  }
  return lines;
}
