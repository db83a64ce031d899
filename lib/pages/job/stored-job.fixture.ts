import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { JobBundle } from "@/lib/core/domain/job";
import { verifyJob } from "@/lib/core/verification";
import { prepareContent, prepareFoundSource } from "@/lib/store/indexer/prepare-content";
import {
  addSource,
  type IndexStore,
  type JobHead,
  openIndexStore,
  readHead,
  resolveIndexTarget,
  writeSource,
} from "@/lib/store/tables";

/** An index without folders, for jobs that are built in memory; its folder is the data folder of the process too. */
export interface StoredJobs {
  readonly folder: string;
  readonly store: IndexStore;
  /** Writes a job as if it had been read from a folder. */
  readonly add: (bundle: JobBundle) => Promise<JobHead>;
  /** The same for an existing job, by name. */
  readonly rewrite: (name: string, bundle: JobBundle) => Promise<JobHead>;
  readonly close: () => Promise<void>;
}

/** Opens an empty index in a new folder, which `close` deletes. */
export async function openStoredJobs(): Promise<StoredJobs> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "assay-stored-")));
  process.env["ASSAY_DATA"] = folder;
  const target = resolveIndexTarget({ roots: [folder], summation: "cpython-3.12" }, { ASSAY_DATA: folder });
  const store = await openIndexStore(target);
  const root = { index: 0, label: "root", path: folder };
  let nJobs = 0;
  const write = async (name: string, bundle: JobBundle): Promise<JobHead> => {
    const found = { folder: name, kind: "harbor", trialFolders: [] } as const;
    const sourceId = await addSource(store, prepareFoundSource(root, found));
    const job = { ...bundle.job, name, key: name, folder: name };
    const content = prepareContent(
      { ...bundle, job, path: join(folder, name), report: verifyJob(bundle) },
      "",
    );
    await writeSource(store, { sourceId, fingerprint: "read", jobs: [content] });
    const head = await readHead(store, name);
    if (head === null) throw new Error("the job was not stored");
    return head;
  };
  return {
    folder,
    store,
    add: (bundle) => write(`job-${nJobs++}`, bundle),
    rewrite: write,
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
