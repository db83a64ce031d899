import "server-only";
import { cache } from "react";

import { StoreError } from "@/lib/core/domain/app-error";
import { buildHref } from "@/lib/pages/address/href";
import { readAnnotationsState } from "@/lib/people/annotations";
import { listViews } from "@/lib/people/views";
import { describePath } from "@/lib/read/buckets";
import { countUnreadJobs, readIndexState, readRoots, readTotals } from "@/lib/store/tables";

import { getCached, getIndex } from "./catalog";

export type ShellModel = Awaited<ReturnType<typeof getShell>>;

const UNKNOWN = {
  nJobs: null,
  nTrials: null,
  isPartial: false,
  nProblems: 0,
  nNotes: 0,
  roots: [],
} as const;

/** Works without an index, because the shell reports that. */
export const getShell = cache(async () => {
  const [annotations, stored] = await Promise.all([readAnnotationsState(), listViews()]);
  const kept = {
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
    // Before the first read a count is unknown, and not 0.
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
