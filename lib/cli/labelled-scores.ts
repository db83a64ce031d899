import { isCorrectable, type NamedRuns } from "@/lib/core/comparison";
import type { LabelledScore } from "@/lib/core/comparison/labelled-score";
import { StoreError } from "@/lib/core/domain/app-error";
import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { parseFingerprint } from "@/lib/core/domain/fingerprint";
import { readVerdict } from "@/lib/core/domain/review";
import { decodeSegment } from "@/lib/core/domain/segment";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { readReward } from "@/lib/core/verification";
import {
  type AnnotationStore,
  listAll,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import {
  type Draws,
  readDraws,
  type TrialLookup,
  type Population,
  toPopulation,
} from "@/lib/people/labels/draws";
import { correctByLabels, SEVERAL_AGENTS } from "@/lib/people/labels/sample";
import { combineDigests } from "@/lib/read/loader";
import { readTrajectory, resolveFolder } from "@/lib/read/loader/detail";
import type { TrialPlace } from "@/lib/store/tables";

import { withData } from "./open-folders";
import { type Terminal, warn } from "./terminal";

/**
 * Returns human-corrected scores of groups, in their order. Null for a group without labelled trials, and for all if labels cannot
 * be read, which is printed on stderr. Equals what pages show for the same folders and annotations.
 *
 * @param data - folder of the annotations; null for the usual one
 */
export async function correctGroups(
  snapshot: CatalogSnapshot,
  groups: readonly NamedRuns[],
  terminal: Terminal,
  data: string | null,
): Promise<readonly (LabelledScore | null)[]> {
  const store = openAnnotationStore(resolveAnnotationTarget(withData(terminal.env, data ?? undefined)));
  try {
    const lists = findInFolders(snapshot, await listFingerprinted(store));
    const draws = await readDraws(store, lists);
    return groups.map((group) => correctGroup(group, snapshot, draws, lists));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    warn(terminal, error.message);
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

const UNKNOWN_LIST = "trials were sampled from a filtered list, which only pages can open";

interface FolderLists extends TrialLookup {
  /** True if the pages may know the list at an address, and this lookup does not. */
  readonly isUnknown: (href: string) => boolean;
}

/** URL parameters that filter no trial. */
const DRAWING: ReadonlySet<string> = new Set(["tab", "sort", "dir", "columns", "settings", "jobs", "key"]);

const FILTERS: ReadonlyMap<string, (trial: Trial) => string> = new Map([
  ["agent", ({ agent }) => agent],
  ["group", ({ groupKey }) => groupKey],
  ["task", ({ taskName }) => taskName],
  ["outcome", ({ outcome }) => outcome],
]);

/**
 * Looks up trials in folders that were read. Supports lists of one job or all jobs, filtered by job, agent, group, task and
 * outcome; other filters need the index. Row ids are positions in `snapshot.jobs`.
 *
 * @param fingerprinted - names of trials whose trajectory files are read for a fingerprint
 */
function findInFolders(snapshot: CatalogSnapshot, fingerprinted: ReadonlySet<string>): FolderLists {
  const lists = new Map<string, Population | "unknown" | null>();
  const open = (href: string) => {
    const known = lists.get(href);
    if (known !== undefined) return known;
    const list = openList(snapshot, href);
    lists.set(href, list);
    return list;
  };
  const readList = (href: string) => {
    const list = open(href);
    return Promise.resolve(list === "unknown" ? null : list);
  };
  return {
    readList,
    readWholeList: (href) => readList(leaveOut(href, "outcome")),
    isUnknown: (href) => open(href) === "unknown",
    readPlaces: async (names) => {
      const places: TrialPlace[] = [];
      for (const [jobRowId, { job, trials }] of snapshot.jobs.entries())
        for (const [position, trial] of trials.entries()) {
          const { key, trialName, taskName, groupKey, attempt, state, outcome, id } = trial;
          if (!names.has(trialName)) continue;
          const root = snapshot.roots[job.root]?.path ?? null;
          const trajectory = fingerprinted.has(trialName) ? await readDigest(root, trial) : null;
          places.push({
            ...{ jobRowId, position, key, trialName, taskName, groupKey, attempt, state, outcome, id },
            jobKey: job.key,
            jobName: job.name,
            jobUuid: trial.jobUuid ?? job.uuid,
            reward: readReward(trial.rewards)?.text ?? null,
            fingerprint: { result: trial.resultDigest, trajectory },
          });
        }
      return places;
    },
  };
}

async function readDigest(root: string | null, trial: Trial): Promise<string | null> {
  if (trial.state !== "finished" || root === null) return null;
  if (trial.ledger !== null) return combineDigests(new Map());
  const path = trial.folder === "" ? null : resolveFolder(root, trial.folder);
  if (path === null) return null;
  return (await readTrajectory(path, listStepNames(trial))).digest;
}

function leaveOut(href: string, filter: string): string {
  const [path = "", query = ""] = href.split("?", 2);
  const search = new URLSearchParams(query);
  if (!search.has(filter)) return href;
  search.delete(filter);
  return `${path}?${search.toString()}`;
}

function openList({ jobs }: CatalogSnapshot, href: string): Population | "unknown" | null {
  const url = URL.parse(href, "http://localhost");
  const path = /^\/(?:trials|jobs\/(?<job>[^/]+))$/u.exec(url?.pathname ?? "");
  if (url === null || path === null) return null;
  const segment = path.groups?.["job"];
  const jobKey = segment === undefined ? null : decodeSegment(segment);
  const named = url.searchParams;
  const names = new Set([...named.keys()].filter((name) => !DRAWING.has(name)));
  if (jobKey === null) names.delete("job");
  const filters = [...names].map((name) => ({ read: FILTERS.get(name), values: named.getAll(name) }));
  if (filters.some(({ read }) => read === undefined)) return "unknown";
  const wanted = jobKey === null ? named.getAll("job") : [jobKey];
  const isWanted = ({ job }: JobEntry) => wanted.length === 0 || wanted.includes(job.key);
  if (jobKey !== null && !jobs.some(isWanted)) return null;
  // Pages may also name a part of a group, by its settings.
  const groups = new Set(jobs.flatMap(({ trials }) => trials.map(({ groupKey }) => groupKey)));
  if (named.getAll("group").some((group) => !groups.has(group))) return "unknown";
  const fits = (trial: Trial) =>
    trial.state === "finished" &&
    filters.every(({ read, values }) => read !== undefined && values.includes(read(trial)));
  return toPopulation(
    jobs.flatMap((entry, jobRowId) =>
      isWanted(entry)
        ? entry.trials.filter(fits).map((trial) => {
            const { key, taskName, groupKey, agent, model, outcome } = trial;
            const family = findTaskFamily(taskName);
            return { jobRowId, key, family, groupKey, setupKey: null, agent, model, outcome };
          })
        : [],
    ),
  );
}
