import type { ComparedRun, NamedRuns } from "@/lib/core/comparison";
import {
  findRunSets,
  joinRuns,
  listNewRuns,
  markMixed,
  nameKind,
  nameSets,
  nameSetsInFull,
  pickCompared,
  poolBySettings,
  renumber,
} from "@/lib/core/comparison";
import {
  collectSettings,
  divideBySetup,
  listSettingDifferences,
  mixesModels,
  type SettingDifference,
} from "@/lib/core/domain/agent-settings";
import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { collectEnvironment } from "@/lib/core/domain/environment";
import type { JobRecord } from "@/lib/core/domain/job";
import { joinProviders, qualifyModels } from "@/lib/core/domain/model-name";
import { PATTERN_MS, runInTime } from "@/lib/core/domain/run-in-time";
import { formatSetupValue } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";
import { findMemberJob, type SavedRunSet } from "@/lib/people/views";
import { computeShortHash } from "@/lib/read/loader";

import { UsageError } from "./command";
import type { Exclusions } from "./known-failures";

interface ReadRun extends ComparedRun {
  readonly job: JobRecord;
  /** Settings of a part of a group as text; empty for a whole group. */
  readonly setup: string;
  readonly content: Parameters<typeof joinRuns>[0][number];
}

/** Every evals group of the jobs, in the order of the given folders. */
export function listRuns({ jobs, roots }: CatalogSnapshot, exclusions: Exclusions): readonly ReadRun[] {
  const places = new Map(roots.map(({ path }, at) => [path, at]));
  const placeOf = ({ path }: JobEntry) =>
    [...places].find(([root]) => path === root || path.startsWith(`${root}/`))?.[1] ?? places.size;
  const runs = jobs
    .toSorted((a, b) => placeOf(a) - placeOf(b) || compareJobs(a, b))
    .flatMap((entry) => listRunsOf(entry, exclusions));
  return qualifyModels(runs);
}

function compareJobs({ job: a }: JobEntry, { job: b }: JobEntry): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function listRunsOf({ job, path, trials, report }: JobEntry, exclusions: Exclusions): readonly ReadRun[] {
  return report.groups.flatMap((group): readonly ReadRun[] => {
    // In directory order and with unreadable trials, as in the index, so that sums have the same last digit.
    const own = trials.filter(({ groupKey }) => groupKey === group.key);
    const differences = listSettingDifferences(own);
    // As in the index, which leaves out figures that cannot be compared.
    const figures = report.figures.filter(
      (figure) => figure.group === group.key && figure.verdict !== "not-recorded",
    );
    const whole: ReadRun = {
      ref: `${job.key}:${group.key}`,
      job,
      path,
      group,
      setups: differences.length === 0 ? null : { differences },
      setup: "",
      recordedPassAtK: job.recorded?.groups.find(({ key }) => key === group.key)?.passAtK ?? null,
      content: {
        trials: own
          .map((trial) => ({
            ...pickCompared(trial, job.scoringRule),
            jobKey: job.key,
            isSuspect: false,
            exclusion: exclusions.get(trial) ?? null,
          }))
          .toSorted((a, b) => a.attempt - b.attempt),
        settings: collectSettings(own),
        environment: collectEnvironment(own, job),
        figures: {
          nFigures: figures.length,
          nExact: figures.filter(({ verdict }) => verdict === "exact").length,
        },
      },
    };
    return mixesModels(differences) ? divideByModel(whole, own, differences) : [whole];
  });
}

/** Models never share a row: a group with several is one run for each, as in the pages. */
function divideByModel(
  whole: ReadRun,
  trials: JobEntry["trials"],
  differences: readonly SettingDifference[],
): readonly ReadRun[] {
  return divideBySetup(trials, differences).map(({ text, setup, trials: own }) => {
    const key = `${whole.group.key}#${computeShortHash(text)}`;
    const keys = new Set(own.map((trial) => trial.key));
    return {
      ...whole,
      ref: `${whole.job.key}:${key}`,
      group: { ...whole.group, key, model: own[0]?.model ?? null, provider: joinProviders(own) },
      setups: null,
      setup: setup.map(formatSetupValue).join(", "),
      recordedPassAtK: null,
      content: {
        ...whole.content,
        trials: renumber(whole.content.trials.filter((trial) => keys.has(trial.key))),
        settings: collectSettings(own),
        environment: collectEnvironment(own, whole.job),
      },
    };
  });
}

/**
 * Pools runs by a rule: `settings` and `folder` for {@link poolBySettings}, else see {@link findRunSets}.
 *
 * @throws UsageError for an invalid regular expression
 */
export function poolRuns(runs: readonly ReadRun[], rule: string | null): readonly NamedRuns[] {
  if (rule === "settings" || rule === "folder")
    return joinPooled(poolBySettings(runs, rule === "folder").map((set) => ({ runs: set, givenName: null })));
  const sets = (rule === null ? [] : findSets(runs, rule)).map((refs) => new Set(refs));
  const pooled = runs.flatMap((run): readonly Pooled[] => {
    const set = sets.find((one) => one.has(run.ref));
    if (set === undefined) return [{ runs: [run], givenName: null }];
    const [first, ...others] = runs.filter(({ ref }) => set.has(ref));
    return first === run ? [{ runs: [first, ...others], givenName: null }] : [];
  });
  return joinPooled(pooled);
}

interface Pooled extends Pick<NamedRuns, "givenName"> {
  readonly runs: readonly [ReadRun, ...ReadRun[]];
}

export function joinPooled(pooled: readonly Pooled[]): readonly NamedRuns[] {
  const named = pooled.map(({ runs, givenName: name }) => ({ runs, name, setup: runs[0].setup }));
  const [names, fullNames] = [nameSets(named), nameSetsInFull(named)];
  return pooled.map(({ runs, givenName }, at) =>
    markMixed({
      label: names[at] ?? "",
      fullName: fullNames[at] ?? "",
      runs,
      givenName,
      ...joinRuns(runs.map(({ content }) => content)),
    }),
  );
}

/**
 * Pools runs by saved run sets, newest first, followed by the runs in no set. The name of an incomplete set says so. A set with
 * runs in `all` but not in `runs` is left out. Runs that match the rule of a set join it.
 */
export function poolSaved(
  runs: readonly ReadRun[],
  sets: readonly SavedRunSet[],
  all: readonly ReadRun[] = runs,
): readonly NamedRuns[] {
  const jobs = all.map(({ job }) => job);
  const placed = sets.map((set) => ({
    ...set,
    found: set.members.flatMap((member) => {
      const job = findMemberJob(member, jobs);
      return all.find((run) => run.job === job && run.group.key === member.group) ?? [];
    }),
  }));
  const saved = placed.flatMap((set): readonly Pooled[] => {
    const { name, members, found } = set;
    const others = placed.filter((other) => other !== set).flatMap((other) => other.found);
    const [first, ...rest] = [...found, ...listTakenUp(all, set, others)];
    if (first === undefined || [first, ...rest].some((run) => !runs.includes(run))) return [];
    const nFound = found.length;
    const isWhole = nFound === members.length;
    const partly = `${name} (${String(nFound)} of ${formatPlural(members.length, "run")})`;
    return [{ runs: [first, ...rest], givenName: isWhole ? name : partly }];
  });
  const taken = new Set<ComparedRun>(saved.flatMap((set) => set.runs));
  const alone = runs
    .filter((run) => !taken.has(run))
    .map((run): Pooled => ({ runs: [run], givenName: null }));
  return joinPooled([...saved, ...alone]);
}

/** Runs that match the rule of a saved set and were added since. */
function listTakenUp(
  all: readonly ReadRun[],
  { rule, found }: Pick<SavedRunSet, "rule"> & { readonly found: readonly ReadRun[] },
  others: readonly ReadRun[],
): readonly ReadRun[] {
  if (rule === null) return [];
  const refsOf = (runs: readonly ReadRun[]) => new Set(runs.map(({ ref }) => ref));
  const added = new Set(listNewRuns(findSets(all, rule), refsOf(found), refsOf(others)));
  return all.filter(({ ref }) => added.has(ref));
}

/** @throws UsageError for an invalid or slow regular expression */
function findSets(runs: readonly ReadRun[], rule: string): readonly (readonly string[])[] {
  const named = runs.map(({ ref, job, group }) => ({ ref, jobName: job.name, kind: nameKind(group) }));
  try {
    const sets = runInTime(() => findRunSets(named, rule), PATTERN_MS);
    if (sets !== null) return sets;
    throw new UsageError(`--pool "${rule}" takes too long to match the job names. Simplify it.`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(
      `--pool takes "settings", "folder", "numbers" or a regular expression, not "${rule}".`,
      {
        cause: error,
      },
    );
  }
}
