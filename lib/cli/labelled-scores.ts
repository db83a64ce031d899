import { isCorrectable, type NamedRuns } from "@/lib/core/comparison";
import { type LabelledScore } from "@/lib/core/comparison/labelled-score";
import { StoreError } from "@/lib/core/domain/app-error";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { parseFingerprint } from "@/lib/core/domain/fingerprint";
import { readVerdict } from "@/lib/core/domain/review";
import {
  type AnnotationStore,
  listAll,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import { correctByLabels, SEVERAL_AGENTS } from "@/lib/people/labels/correct";
import { type Draws, readDraws } from "@/lib/people/labels/draws";

import { type FolderLists, findInFolders } from "./folder-lists";
import { withData } from "./open-folders";
import { makePrintable, type Terminal } from "./terminal";

/**
 * Returns human-corrected scores of groups, in their order. Null for a group without labelled trials, and for all if labels cannot
 * be read, which is printed on stderr. Equals what pages show for the same folders and annotations.
 *
 * @param data - folder of the annotations; null for the usual one
 */
export async function correctGroups(
  snapshot: CatalogSnapshot,
  groups: readonly NamedRuns[],
  { env, stderr }: Terminal,
  data: string | null,
): Promise<readonly (LabelledScore | null)[]> {
  const store = openAnnotationStore(resolveAnnotationTarget(withData(env, data ?? undefined)));
  try {
    const lists = findInFolders(snapshot, await listFingerprinted(store));
    const draws = await readDraws(store, lists);
    return groups.map((group) => correctGroup(group, snapshot, draws, lists));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    stderr.write(`assay: ${makePrintable(error.message)}\n`);
    return groups.map(() => null);
  } finally {
    await store.close();
  }
}

async function listFingerprinted(store: AnnotationStore): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { subject, chains } of await listAll(store))
    if (chains.some(({ versions }) => versions.some(knowsTrajectory))) names.add(subject.trialName);
  return names;
}

function knowsTrajectory({ fingerprint }: { readonly fingerprint: string | null }): boolean {
  return parseFingerprint(fingerprint).trajectory !== null;
}

function correctGroup(
  group: NamedRuns,
  { jobs }: CatalogSnapshot,
  draws: Draws,
  { isUnknown }: FolderLists,
): LabelledScore | null {
  if (!isCorrectable(group)) return SEVERAL_AGENTS;
  const own = group.runs.map((run) => {
    const jobRowId = jobs.findIndex(({ job }) => job.key === run.job.key);
    const trials = (jobs[jobRowId]?.trials ?? []).filter(({ groupKey }) => groupKey === run.group.key);
    const nWithVerdict = trials.filter(({ outcome }) => readVerdict(outcome) !== null).length;
    return { jobRowId, key: run.group.key, nWithVerdict };
  });
  const isJudgedOfGroup = ({ place, state }: Draws["judged"][number]) =>
    place !== null &&
    state !== "todo" &&
    own.some(({ jobRowId, key }) => place.jobRowId === jobRowId && place.groupKey === key);
  // Pages may know that such a list covers the group, and count its labels.
  const isUnknownHere = draws.draws.some(({ queue: { settings }, trials }) => {
    const { sourceHref } = settings;
    return sourceHref !== null && isUnknown(sourceHref) && trials.some(isJudgedOfGroup);
  });
  if (!isUnknownHere) return correctByLabels(draws, own);
  return { kind: "left-out", nLabels: draws.judged.filter(isJudgedOfGroup).length, reasons: [UNKNOWN_LIST] };
}

const UNKNOWN_LIST = "trials were drawn from a list with filters, which only pages can open";
