"use client";

import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import type { Route } from "next";
import { Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { type Packed, unpack } from "@/components/ui/packed";
import { Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import { buildHref } from "@/lib/addresses/href";
import { JOB_PAGE_ROWS } from "@/lib/domain/job-filter";

import { useFollowLinks } from "@/components/jobs/follow-links";
import { type LoadedTrials, useLoadedTrials } from "./trial-chunks";
import type { TrialChunk } from "./trial-lines";
import { JobTrialRow } from "./trial-row";

/** Height of a row and its line, in pixels; rows never wrap. */
const ROW_HEIGHT = 32;
/** Up to here every row is in the document, so that the browser's own search finds it. */
const WHOLE_AT_MOST = 150;
/** More rows are loaded when fewer than these are left below the window. */
const ROWS_AHEAD = 60;
const OVERSCAN = 20;

/**
 * The trials table. The server draws its first rows and links to the pages around them; here further rows are loaded as
 * one scrolls, and of many only those near the window are in the document.
 */
export function JobTrialTable({
  columns,
  hidden,
  jobKey,
  packed,
  rowsHref,
  tableHref,
}: {
  columns: readonly Column[];
  hidden: readonly string[];
  jobKey: string;
  /** The first rows. */
  packed: Packed<TrialChunk>;
  rowsHref: string;
  /** To which a page is added; with the tab in it, so never without a query. */
  tableHref: Route;
}) {
  const first = useMemo(() => unpack(packed), [packed]);
  const loaded = useLoadedTrials(first, rowsHref);
  const { lines, nMatching } = loaded;
  return (
    <>
      <Table caption="Trials of this job" columns={columns} rowCount={nMatching + 1}>
        <Rows
          loaded={loaded}
          nBefore={first.nBefore}
          jobKey={jobKey}
          hidden={hidden}
          nColumns={columns.length}
        />
      </Table>
      <LoadNote loaded={loaded} />
      <Pager
        page={{ nBefore: first.nBefore, nMatching, size: JOB_PAGE_ROWS }}
        nRows={lines.length}
        noun="trial"
        label="Pages of the trials"
        hrefOf={(page) => (page === 1 ? tableHref : buildHref(`${tableHref}&page=${page}`))}
      />
    </>
  );
}

function LoadNote({ loaded: { state, loadMore } }: { loaded: LoadedTrials }) {
  return (
    <p className="caption table-note job-load-note" role="status">
      {state === "loading" ? "Loading more trials" : null}
      {state === "failed" ? (
        <>
          More trials could not be loaded.{" "}
          <button type="button" className="button button-bare" onClick={loadMore}>
            Try again
          </button>
        </>
      ) : null}
    </p>
  );
}

interface RowsProps {
  readonly loaded: LoadedTrials;
  readonly nBefore: number;
  readonly jobKey: string;
  readonly hidden: readonly string[];
  readonly nColumns: number;
}

function Rows({ loaded, nBefore, jobKey, hidden, nColumns }: RowsProps) {
  "use no memo";
  const { lines, loadMore } = loaded;
  const follow = useFollowLinks();
  const body = useRef<HTMLTableSectionElement>(null);
  const offsetTop = useOffsetTop(body);
  const isPrinting = useIsPrinting();
  const focus = useFocusedRow(body, lines);
  const isWhole = isPrinting || lines.length <= WHOLE_AT_MOST;
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: offsetTop,
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), focus.index, lines.length),
    enabled: !isWhole,
  });
  const items = isWhole ? null : virtual.getVirtualItems();
  const lastShown = items?.at(-1)?.index ?? 0;
  useNearEnd(body, lines.length, lastShown, loadMore);

  const rowOf = (index: number) => {
    const line = lines[index];
    return line === undefined ? null : (
      <JobTrialRow key={line.key} {...{ line, index, jobKey, hidden }} rowIndex={nBefore + index + 2} />
    );
  };
  let at = 0;
  return (
    <tbody
      ref={body}
      onClick={follow}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
      onKeyDown={focus.onKeyDown}
    >
      {items === null
        ? lines.map((_, index) => rowOf(index))
        : items.map((item) => {
            const gap = item.index - at;
            at = item.index + 1;
            return (
              <Fragment key={item.key}>
                <Gap nRows={gap} nColumns={nColumns} />
                {rowOf(item.index)}
              </Fragment>
            );
          })}
      {items === null ? null : <Gap nRows={lines.length - at} nColumns={nColumns} />}
    </tbody>
  );
}

/** Holds the place of rows that are not in the document. */
function Gap({ nRows, nColumns }: { nRows: number; nColumns: number }) {
  return nRows === 0 ? null : (
    <tr aria-hidden="true">
      <td style={{ height: nRows * ROW_HEIGHT, padding: 0, border: 0 }} colSpan={nColumns} />
    </tr>
  );
}

/** The rows near the window, and the one with the focus with its neighbours, so that keys go on from there. */
function withFocused(near: readonly number[], focused: number | null, count: number): number[] {
  if (focused === null) return [...near];
  const kept = [focused - 1, focused, focused + 1].filter((index) => index >= 0 && index < count);
  return [...new Set([...near, ...kept])].sort((a, b) => a - b);
}

/** Where the rows begin in the document, measured again when something above them may have changed its height. */
function useOffsetTop(body: { readonly current: HTMLElement | null }): number {
  const [offsetTop, setOffsetTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current !== null) setOffsetTop(body.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return offsetTop;
}

/** Loads more once the end of the loaded rows is near the window. */
function useNearEnd(
  body: { readonly current: HTMLElement | null },
  count: number,
  lastShown: number,
  loadMore: () => void,
): void {
  useEffect(() => {
    const look = () => {
      const bottom = body.current?.getBoundingClientRect().bottom ?? Infinity;
      if (bottom < window.innerHeight + ROWS_AHEAD * ROW_HEIGHT && window.scrollY > 0) loadMore();
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [body, count, lastShown, loadMore]);
}

/** Printing takes every loaded row. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener("beforeprint", () => flushSync(() => setIsPrinting(true)), { signal });
    window.addEventListener("afterprint", () => setIsPrinting(false), { signal });
    return () => stop.abort();
  }, []);
  return isPrinting;
}

/** The row that holds the focus, and the keys that move it: arrows by one, Home and End to either end of what is loaded. */
function useFocusedRow(body: { readonly current: HTMLElement | null }, lines: TrialChunk["lines"]) {
  const [key, setKey] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const isFocused = useRef(false);
  const found = key === null ? -1 : lines.findIndex((line) => line.key === key);
  const index = found === -1 ? null : found;
  useLayoutEffect(() => {
    if (index === null) return;
    const isWanted = wanted.current !== null && wanted.current === key;
    // A row that is drawn anew, as when a longer table draws its rows near the window alone, loses the focus silently.
    const isLost = isFocused.current && document.activeElement === document.body;
    if (!isWanted && !isLost) return;
    const link = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-row-link]`);
    if (link === undefined || link === null) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
    if (isWanted) link.scrollIntoView({ block: "nearest" });
  });
  const readIndex = (target: EventTarget) => {
    const row = target instanceof Element ? target.closest<HTMLElement>("tr[data-index]") : null;
    return row === null ? null : Number(row.dataset["index"]);
  };
  const select = (from: number, by: 1 | -1) => {
    for (let at = from; at >= 0 && at < lines.length; at += by) {
      const line = lines[at];
      if (line === undefined || line.isGone) continue;
      wanted.current = line.key;
      setKey(line.key);
      return;
    }
  };
  return {
    index,
    onFocus: (event: { readonly target: EventTarget }) => {
      const at = readIndex(event.target);
      isFocused.current = at !== null;
      setKey(at === null ? null : (lines[at]?.key ?? null));
    },
    onBlur: (event: { readonly relatedTarget: EventTarget | null }) => {
      // Leaving the window leaves the focus where it is.
      isFocused.current = !document.hasFocus();
      if (event.relatedTarget !== null && readIndex(event.relatedTarget) === null) setKey(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const at = readIndex(event.target);
      if (at === null || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const moves: Readonly<Record<string, (() => void) | undefined>> = {
        ArrowDown: () => select(at + 1, 1),
        ArrowUp: () => select(at - 1, -1),
        Home: () => select(0, 1),
        End: () => select(lines.length - 1, -1),
      };
      const move = moves[event.key];
      if (move === undefined) return;
      event.preventDefault();
      move();
    },
  };
}
