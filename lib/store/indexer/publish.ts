import { type CopyTrial, findCopies, listUncountedJobs } from "@/lib/core/domain/copies";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { labelTasks } from "@/lib/core/domain/task-labels";
import { assignJobKeys, findRepeatedIds, listOriginParts } from "@/lib/read/catalog";
import { computeShortHash, type LoadRoot } from "@/lib/read/loader";
import {
  findTrialLinks,
  type IndexStore,
  type JobOrigin,
  type JobRow,
  readIndexState,
  readJobOrigins,
  readCopyJobs,
  readRepeatedTrials,
  readTaskRuns,
  readUncountedJobs,
  writeCatalogFacts,
} from "@/lib/store/tables";

import { prepareIssueRow } from "./issue-rows";

interface PublishOptions {
  readonly roots: readonly LoadRoot[];
  readonly rootIssues: readonly LoadIssue[];
  readonly scannedAtMs: number;
  readonly isFinished: boolean;
}

/** Writes facts that need the whole catalog as the next generation. @returns the generation */
export async function publish(store: IndexStore, options: PublishOptions): Promise<number> {
  const { roots, rootIssues, scannedAtMs, isFinished } = options;
  const [origins, { generation }] = await Promise.all([readJobOrigins(store), readIndexState(store)]);
  const repeated = isFinished ? await readRepeatedTrials(store) : [];
  const copies = isFinished ? findCopies(await readCopyJobs(store, origins), repeated) : null;
  const uncounted = copies === null ? await readUncountedJobs(store) : listUncountedJobs(copies);
  const next = generation + 1;
  await writeCatalogFacts(store, {
    generation: next,
    scannedAtMs,
    isFinished,
    roots,
    keys: findNewKeys(roots, origins, uncounted),
    rootIssues: rootIssues.map((issue, position) =>
      prepareIssueRow(issue, findRoot(roots, issue), position, "own"),
    ),
    sharedIssues: prepareSharedIssues(
      roots,
      origins.filter(({ id }) => !uncounted.has(id)),
      repeated,
    ),
    trialLinks: isFinished ? await findTrialLinks(store, uncounted) : null,
    copies,
    taskLabels: isFinished ? await findTaskLabels(store, uncounted) : null,
  });
  return next;
}

async function findTaskLabels(store: IndexStore, uncounted: ReadonlySet<number>) {
  const runs = (await readTaskRuns(store)).filter(({ jobRowId }) => !uncounted.has(jobRowId));
  return Array.from(labelTasks(runs), ([{ jobRowId, position, taskName }, label]) => ({
    ...{ jobRowId, position, taskName, label },
  }));
}

/** One label may be a prefix of another, so the longest match wins. */
function findRoot(roots: readonly LoadRoot[], issue: LoadIssue): number {
  const fitting = roots.filter(({ label }) => issue.path === label || issue.path.startsWith(`${label}/`));
  return fitting.toSorted((a, b) => b.label.length - a.label.length)[0]?.index ?? 0;
}

function findNewKeys(
  roots: readonly LoadRoot[],
  origins: readonly JobOrigin[],
  uncounted: ReadonlySet<number>,
): Map<number, { key: string; aliases: string[] }> {
  const keys = assignJobKeys(roots, origins, ({ id }) => uncounted.has(id));
  const changed = new Map<number, { key: string; aliases: string[] }>();
  for (const [index, origin] of origins.entries()) {
    const key = keys[index] ?? origin.name;
    const name = origin.name.replaceAll("/", "_");
    const aliases = [0, 1].map(
      (part) => `${name}~${computeShortHash(...listOriginParts(roots, { ...origin, part }))}`,
    );
    // A job's id, which one alias contains, is known once the job is read.
    const isSame = key === origin.key && aliases.join("\n") === origin.aliases.join("\n");
    if (!isSame) changed.set(origin.id, { key, aliases });
  }
  return changed;
}

function prepareSharedIssues(
  roots: readonly LoadRoot[],
  origins: readonly JobOrigin[],
  repeated: readonly CopyTrial[],
): Map<number, JobRow<"issues">[]> {
  return new Map(
    findRepeatedIds(roots, origins, repeated).flatMap((issues, place) => {
      const { id, root } = origins[place] ?? { id: -1, root: 0 };
      const rows = issues.map((issue, position) => prepareIssueRow(issue, root, position, "shared"));
      return rows.length === 0 ? [] : [[id, rows]];
    }),
  );
}
