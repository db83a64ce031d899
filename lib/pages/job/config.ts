import "server-only";
import type { ConfigParams } from "@/lib/pages/job/address";
import { readApart } from "@/lib/read/trial-reading";
import { type IndexStore, type JobHead, readRootLabel } from "@/lib/store/tables";

import { readShownIssues } from "../load-report/page";

const TEXT = { form: "text", line: null, from: null, end: "start" } as const;

export type ConfigPanel = Awaited<ReturnType<typeof getConfigPanel>>;

/** Reads config.json from disk again; null for a job without a folder of its own. */
export async function getConfigPanel(
  store: IndexStore,
  job: JobHead,
  { partFrom }: Pick<ConfigParams, "partFrom">,
) {
  const { path } = job;
  const [rootLabel, config, issues] = await Promise.all([
    readRootLabel(store, job.root),
    job.kind === "harbor" ? readApart("file", path, path, "config.json", TEXT) : null,
    readShownIssues(store, { jobRowId: job.rowId }, { from: partFrom }),
  ]);
  return { rootLabel, config, issues };
}
