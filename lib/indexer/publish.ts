import type { LoadIssue } from "@/lib/domain/load-issue";
import { assignKeys, computeShortHash, type LoadRoot, prepareIssue } from "@/lib/loader";
import {
  findTrialLinks,
  type IndexStore,
  type JobOrigin,
  type JobRow,
  readIndexState,
  readJobOrigins,
  readRepeatedTrialIds,
  writeCatalogFacts,
} from "@/lib/store";

import { prepareIssueRow } from "./issue-rows";

/** What a new generation is made from besides the jobs in the store. */
export interface PublishOptions {
  readonly roots: readonly LoadRoot[];
  readonly rootIssues: readonly LoadIssue[];
  readonly scannedAtMs: number;
  /** Whether everything was read, so that trial ids that several jobs have can be looked for: at every trial. */
  readonly isFinished: boolean;
}

/**
 * Writes what only the catalog as a whole can tell, and makes it the next generation.
 *
 * @returns the generation
 */
export async function publish(store: IndexStore, options: PublishOptions): Promise<number> {
  const { roots, rootIssues, scannedAtMs, isFinished } = options;
  const [origins, { generation }] = await Promise.all([readJobOrigins(store), readIndexState(store)]);
  const repeated = isFinished ? await readRepeatedTrialIds(store) : new Map<string, number[]>();
  const next = generation + 1;
  await writeCatalogFacts(store, {
    generation: next,
    scannedAtMs,
    isFinished,
    roots,
    keys: findNewKeys(roots, origins),
    rootIssues: rootIssues.map((issue, position) =>
      prepareIssueRow(issue, findRoot(roots, issue), position, "own"),
    ),
    sharedIssues: prepareSharedIssues(roots, origins, repeated),
    trialLinks: isFinished ? await findTrialLinks(store) : null,
  });
  return next;
}

function findRoot(roots: readonly LoadRoot[], issue: LoadIssue): number {
  return roots.find(({ label }) => issue.path === label || issue.path.startsWith(`${label}/`))?.index ?? 0;
}

function findNewKeys(
  roots: readonly LoadRoot[],
  origins: readonly JobOrigin[],
): Map<number, { key: string; aliases: string[] }> {
  const labelOf = ({ root }: JobOrigin) => roots[root]?.label ?? "";
  const keys = assignKeys(
    origins.map((origin) => {
      const own = [labelOf(origin), origin.folder];
      return { name: origin.name, origin: origin.part === 0 ? own : [...own, origin.uuid ?? ""] };
    }),
  );
  const changed = new Map<number, { key: string; aliases: string[] }>();
  for (const [index, origin] of origins.entries()) {
    const key = keys[index] ?? origin.name;
    const name = origin.name.replaceAll("/", "_");
    const own = [labelOf(origin), origin.folder];
    const hashes = [computeShortHash(...own), computeShortHash(...own, origin.uuid ?? "")];
    const aliases = hashes.map((hash) => `${name}~${hash}`);
    // A job's id, which one of them is made from, is known once the job was read.
    const isSame = key === origin.key && aliases.join("\n") === origin.aliases.join("\n");
    if (!isSame) changed.set(origin.id, { key, aliases });
  }
  return changed;
}

/**
 * Ids that stand in more than one job, as copies and renamed folders have them. A repeated job id is reported on every job
 * but the first that has it; repeated trial ids once per pair of jobs, and not where the jobs' ids already tell it.
 */
function prepareSharedIssues(
  roots: readonly LoadRoot[],
  origins: readonly JobOrigin[],
  repeated: ReadonlyMap<string, readonly number[]>,
): Map<number, JobRow<"issues">[]> {
  const issues = new Map<number, JobRow<"issues">[]>();
  const report = (origin: JobOrigin, code: LoadIssue["code"], detail: string) => {
    const root = roots[origin.root];
    if (root === undefined) return;
    const own = issues.get(origin.id) ?? [];
    issues.set(origin.id, own);
    own.push(
      prepareIssueRow(prepareIssue(root, code, origin.folder, detail), root.index, own.length, "shared"),
    );
  };
  const describe = ({ root, folder }: JobOrigin) =>
    [roots[root]?.label ?? "", folder].filter((part) => part !== "").join("/");
  const firsts = new Map<string, JobOrigin>();
  for (const origin of origins) {
    if (origin.uuid === null) continue;
    const twin = firsts.get(origin.uuid);
    if (twin === undefined) firsts.set(origin.uuid, origin);
    else {
      const detail = `The job id ${origin.uuid} is also that of ${describe(twin)}, perhaps a copy of the same job.`;
      report(origin, "job_id_repeated", detail);
    }
  }
  for (const { later, first, count } of countRepeated(origins, repeated)) {
    if (later.uuid !== null && later.uuid === first.uuid) continue;
    report(later, "trial_id_repeated", `${count} trials have the ids of trials in ${describe(first)}.`);
  }
  return issues;
}

/** Pairs of jobs that share trial ids, the later one with the first that has them, in the order of the jobs. */
function countRepeated(origins: readonly JobOrigin[], repeated: ReadonlyMap<string, readonly number[]>) {
  const order = new Map(origins.map(({ id }, index) => [id, index]));
  const counts = new Map<string, number>();
  for (const ids of repeated.values()) {
    const places = ids.flatMap((id) => order.get(id) ?? []).sort((a, b) => a - b);
    for (const place of places.slice(1)) {
      const pair = `${place} ${places[0] ?? 0}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  const pairs = [...counts].map(([pair, count]) => {
    const [later = 0, first = 0] = pair.split(" ").map(Number);
    return { later, first, count };
  });
  pairs.sort((a, b) => a.later - b.later || a.first - b.first);
  return pairs.flatMap(({ later, first, count }) => {
    const [one, other] = [origins[later], origins[first]];
    return one === undefined || other === undefined ? [] : [{ later: one, first: other, count }];
  });
}
