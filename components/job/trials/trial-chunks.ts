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
  /** The cursor behind the last row; null when there is nothing behind. */
  readonly after: string | null;
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
  const [loadedMore, setMore] = useState<TrialChunk | null>(null);
  const more = first.after === null ? null : loadedMore;
  const [state, setState] = useState<LoadState>("idle");
  const running = useRef<AbortController | null>(null);
  const seen = useRef(first);

  useEffect(() => () => running.current?.abort(), []);

  async function load(from: string, kept: readonly TrialLine[], nWanted: number): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setState("loading");
    try {
      const chunk = await readChunks(rowsHref, from, nWanted, stop.signal);
      setMore({ ...chunk, lines: [...kept, ...chunk.lines] });
      setState("idle");
    } catch (error) {
      if (!stop.signal.aborted) setState("failed");
      if (!(error instanceof Error)) throw error;
    } finally {
      if (running.current === stop) running.current = null;
    }
  }

  const readAgain = useEffectEvent(() => {
    if (more !== null && first.after !== null) void load(first.after, [], more.lines.length);
  });
  useEffect(() => {
    if (seen.current === first) return;
    seen.current = first;
    readAgain();
  }, [first]);

  const after = more === null ? first.after : more.after;
  const own = new Set(more === null ? [] : first.lines.map(({ key }) => key));
  return {
    // Until the rows behind are read again, the same trial may be in both.
    lines: more === null ? first.lines : [...first.lines, ...more.lines.filter(({ key }) => !own.has(key))],
    after,
    nMatching: first.nMatching,
    state,
    loadMore: () => {
      if (after !== null && running.current === null) void load(after, more?.lines ?? [], MORE_ROWS);
    },
  };
}

async function readChunks(
  rowsHref: string,
  from: string,
  nWanted: number,
  signal: AbortSignal,
): Promise<TrialChunk> {
  const lines: TrialLine[] = [];
  let after: string | null = from;
  let nMatching = 0;
  while (after !== null && lines.length < nWanted) {
    const limit = Math.min(nWanted - lines.length, ROWS_AGAIN);
    const url = new URL(rowsHref, location.href);
    url.searchParams.set("limit", String(limit));
    url.searchParams.set("after", decodeURIComponent(after));
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`The rows came with status ${response.status}.`);

    const chunk = (await response.json()) as TrialChunk;
    lines.push(...chunk.lines);
    after = chunk.after;
    nMatching = chunk.nMatching;
    if (chunk.lines.length === 0) break;
  }
  return { lines, after, nBefore: 0, nMatching };
}
