import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { decodeSegment } from "@/lib/core/domain/segment";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import type { TrialRecord } from "@/lib/core/domain/trial";
import { readReward } from "@/lib/core/verification";
import type { TrialLookup } from "@/lib/people/labels/draws";
import { type Population, toPopulation } from "@/lib/people/labels/members";
import { combineDigests } from "@/lib/read/loader";
import { readTrajectory, resolveFolder } from "@/lib/read/loader/detail";
import type { TrialPlace } from "@/lib/store/tables";

export interface FolderLists extends TrialLookup {
  /** True if the pages may know the list at an address, and this lookup does not. */
  readonly isUnknown: (href: string) => boolean;
}

/** URL parameters that filter no trial. */
const DRAWING: ReadonlySet<string> = new Set(["tab", "sort", "dir", "columns", "settings", "jobs", "key"]);

const FILTERS: ReadonlyMap<string, (trial: TrialRecord) => string> = new Map([
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
export function findInFolders(snapshot: CatalogSnapshot, fingerprinted: ReadonlySet<string>): FolderLists {
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

async function readDigest(root: string | null, trial: TrialRecord): Promise<string | null> {
  if (trial.state !== "finished" || root === null) return null;
  if (trial.ledger !== null) return combineDigests(new Map());
  const path = trial.folder === "" ? null : resolveFolder(root, trial.folder);
  if (path === null) return null;
  const stepNames = trial.steps?.map(({ stepName }) => stepName) ?? null;
  return (await readTrajectory(path, stepNames)).digest;
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
  const fits = (trial: TrialRecord) =>
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
