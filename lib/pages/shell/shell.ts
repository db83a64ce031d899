import "server-only";
import type { Route } from "next";
import { cache } from "react";

import { StoreError } from "@/lib/core/domain/app-error";
import { buildHref } from "@/lib/pages/address/href";
import { readAnnotationsState } from "@/lib/people/annotations";
import { listViews } from "@/lib/people/views";
import { describePath } from "@/lib/read/buckets";
import { countUnreadJobs, readIndexState, readRoots, readTotals, type RootCounts } from "@/lib/store/tables";

import { getCached, getIndex } from "./catalog";

export interface ShellModel {
  /** Null without an index and before the first read, which is not 0. */
  readonly nJobs: number | null;
  readonly nTrials: number | null;
  readonly isPartial: boolean;
  readonly nProblems: number;
  readonly nNotes: number;
  readonly nAnnotations: number | null;
  readonly nViews: number | null;
  readonly roots: readonly RootCounts[];
  /** Without a readable index, only this frame can be shown. */
  readonly hasIndex: boolean;
  readonly failure: string | null;
  readonly problems: readonly ShellProblem[];
  readonly notice: string | null;
}

export interface ShellProblem {
  readonly text: string;
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

/** Works without an index, because the shell reports that. */
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
    // Cached values would hide that the store stopped responding.
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
    // On one server, all stores fail together.
    return { ...UNKNOWN, ...kept, problems: [], hasIndex: false, failure: error.message, notice: null };
  }
});
