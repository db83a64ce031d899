import "server-only";

import type { Route } from "next";
import { cache } from "react";

import { readAnnotationsState } from "@/lib/annotations";
import { describePath } from "@/lib/buckets";
import { StoreError } from "@/lib/domain/app-error";
import { buildHref } from "@/lib/addresses/href";
import { countUnreadJobs, readIndexState, readRoots, readTotals, type RootCounts } from "@/lib/store";
import { listViews } from "@/lib/views";

import { getCached, getIndex } from "./catalog";

/** What the shell shows on every page: counts beside the links, the open folders, the state of the index. */
export interface ShellModel {
  /** Counts over everything that is open; null without an index, and before anything was read, which is not 0. */
  readonly nJobs: number | null;
  readonly nTrials: number | null;
  /** Whether the trials of some jobs are not read yet. */
  readonly isPartial: boolean;
  readonly nProblems: number;
  readonly nNotes: number;
  /** Judgments that count; null when the annotations cannot be read. */
  readonly nAnnotations: number | null;
  /** Saved views; null when some cannot be read. */
  readonly nViews: number | null;
  readonly roots: readonly RootCounts[];
  /** Whether the index can be read; no page but this frame can be shown without it. */
  readonly hasIndex: boolean;
  /** Why the index is not kept up to date, or cannot be read, and what to do; null when it is and can. */
  readonly failure: string | null;
  /** What of the judgments and saved views cannot be read, and what to do; empty when everything can. */
  readonly problems: readonly ShellProblem[];
  /** Something worth knowing about where the index is kept; null when there is nothing. */
  readonly notice: string | null;
}

/** What of a store cannot be read. */
export interface ShellProblem {
  /** What it is, and what to do. */
  readonly text: string;
  /** Where what can still be read is downloaded; null where nothing offers that. */
  readonly exportHref: Route | null;
}

const UNKNOWN = {
  nJobs: null,
  nTrials: null,
  isPartial: false,
  nProblems: 0,
  nNotes: 0,
  roots: [],
} as const;

/** What the shell shows. It stands when there is no index, since it is what says so. */
export const getShell = cache(async (): Promise<ShellModel> => {
  const [annotations, stored] = await Promise.all([readAnnotationsState(), listViews()]);
  const kept = {
    nAnnotations: annotations.nCurrent,
    nViews: stored.problem === null ? stored.views.length : null,
    problems: [
      {
        text: annotations.problem,
        exportHref: annotations.isDamaged ? buildHref("/annotations/export", { history: "1" }) : null,
      },
      { text: stored.problem, exportHref: null },
    ].flatMap(({ text, exportHref }) => (text === null ? [] : [{ text, exportHref }])),
  };
  try {
    const { status, store } = await getIndex();
    // What is kept of a generation would hide that the store does not answer any more.
    await readIndexState(store);
    const [totals, nUnread, roots] = await Promise.all([
      getCached("totals", readTotals),
      getCached("unread", countUnreadJobs),
      getCached("roots", readRoots),
    ]);
    const { failure, notice } = status();
    const isPartial = nUnread > 0;
    const isUnread = isPartial || !status().isComplete;
    const nTrials = isUnread && totals.nTrials === 0 ? null : totals.nTrials;
    const nJobs = isUnread && totals.nJobs === 0 ? null : totals.nJobs;
    const shown = roots.map((root) => ({ ...root, path: describePath(root.path) }));
    return { ...totals, nJobs, nTrials, isPartial, roots: shown, ...kept, hasIndex: true, failure, notice };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // On one server they all fail alike.
    return { ...UNKNOWN, ...kept, problems: [], hasIndex: false, failure: error.message, notice: null };
  }
});
