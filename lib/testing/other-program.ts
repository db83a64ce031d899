import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import {
  createAnnotation,
  moveItem,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import { Indexer } from "@/lib/store/indexer/indexer";
import { SourceReader } from "@/lib/store/indexer/reader";
import { openIndexStore, resolveIndexTarget } from "@/lib/store/tables";

/** Folders that two programs share. */
interface SharedFolders {
  readonly jobsFolder: string;
  readonly dataFolder: string;
}

/** An index that another program writes, see {@link holdIndex}. */
export interface HeldIndex {
  /** Lets it read the jobs, and ends it when that is done. */
  readonly finish: () => Promise<void>;
}

/** Writes an index like another Assay process, and stops when the jobs are listed but not read. */
export async function holdIndex(folders: SharedFolders): Promise<HeldIndex> {
  const store = await openIndexStore(findIndex(folders));
  const reader = new SourceReader(store);
  const gate = Promise.withResolvers<null>();
  const listed = Promise.withResolvers<null>();
  const path = realpathSync(folders.jobsFolder);
  const indexer = new Indexer({
    store,
    roots: [{ index: 0, path, label: basename(path) }],
    summation: "cpython-3.12",
    withDerivedDetails: false,
    dataFolder: "",
    now: Date.now,
    onStatus: ({ phase }) => (phase === "reading" ? listed.resolve(null) : undefined),
    executor: {
      run: async (request, onTrials) => {
        if (request.kind === "read") await gate.promise;
        return reader.run(request, onTrials);
      },
    },
  });
  const scan = indexer.scan();
  await listed.promise;
  return {
    finish: async () => {
      gate.resolve(null);
      await scan;
      await indexer.release();
      await store.close();
    },
  };
}

/** Puts a database of some other program where the index would be. @returns takes it away */
export function blockIndex(folders: SharedFolders): () => void {
  const target = findIndex(folders);
  if (target.engine !== "sqlite") throw new Error("the index is no file");
  mkdirSync(dirname(target.file), { recursive: true });
  const other = new DatabaseSync(target.file);
  other.exec("create table theirs (a)");
  other.close();
  return () => rmSync(target.file);
}

function findIndex({ jobsFolder, dataFolder }: SharedFolders) {
  const scope = { roots: [realpathSync(jobsFolder)], summation: "cpython-3.12" } as const;
  return resolveIndexTarget(scope, { ASSAY_DATA: dataFolder });
}

/** Saves that a reviewer defers on a trial, as another program over the same data folder would. */
export async function saveElsewhere(
  { dataFolder }: SharedFolders,
  trial: Pick<AnnotationSubject, "trialName" | "jobName" | "taskName" | "agent">,
  reviewerId: string,
): Promise<void> {
  const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: dataFolder }));
  const seen = { trialId: null, jobUuid: null, rootLabel: "jobs", model: null } as const;
  await createAnnotation(store, {
    subject: { ...trial, ...seen, outcomeSeen: "failed", rewardSeen: "0.0" },
    draft: { reviewerId, reviewerDiscipline: null, judgment: "defer", categories: [], notes: "From afar" },
    baseVersionId: null,
  });
  await store.close();
}

/** Skips a trial of a queue for a reviewer, in the same way. */
export async function skipElsewhere(
  { dataFolder }: Pick<SharedFolders, "dataFolder">,
  place: { readonly queueId: string; readonly position: number },
  reviewerId: string,
): Promise<void> {
  const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: dataFolder }));
  await moveItem(store, { ...place, reviewerId, kind: "skipped" });
  await store.close();
}
