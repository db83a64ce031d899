import {
  type ComparedGroups,
  type ComparedRule,
  type ComparedRun,
  type NamedRuns,
  type Sides,
  applyScoring,
  checkComparability,
  computeFigures,
  describeSensitivity,
  findRunSets,
  joinRuns,
  listNewRuns,
  listRewardKeys,
  listSidesByAgent,
  markMixed,
  nameKind,
  nameSets,
  nameSetsInFull,
  orderByStart,
  pickCompared,
  poolBySettings,
  prepareSensitivityTable,
  renumber,
} from "@/lib/core/comparison";
import {
  type SettingDifference,
  collectSettings,
  divideBySetup,
  listSettingDifferences,
  mixesModels,
} from "@/lib/core/domain/agent-settings";
import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { collectEnvironment } from "@/lib/core/domain/environment";
import type { JobRecord } from "@/lib/core/domain/job";
import { joinProviders, qualifyModels } from "@/lib/core/domain/model-name";
import { PATTERN_MS, runInTime } from "@/lib/core/domain/run-in-time";
import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import { formatSetupValue } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";
import type { MissingRule, Sensitivity, Unavailable } from "@/lib/core/stats";
import type { RuleSet } from "@/lib/core/triage/rules";
import { type SavedRunSet, findMemberJob, openViewStoreOf, readRunSets } from "@/lib/people/views";
import { computeShortHash } from "@/lib/read/loader";

import { UsageError, option, parseChoice } from "./command";
import { type Exclusions, findExclusions } from "./known-failures";
import { withData } from "./open-folders";
import { type Terminal, warn } from "./terminal";
import { formatTextTable } from "./text-table";

export const COUNTING = {
  missing: option("RULE", "zero (default): a missing reward counts as 0. exclude: it is excluded."),
  rule: option("RULE", "Which trials count: recorded (default), harbor-0.25, harbor-0.26, all or graded."),
};

export const COMPARE_OPTIONS = {
  pool: option(
    "RULE",
    `Pool runs: numbers (job names that differ by a number at the end), settings (one agent, model and
settings), folder (the same, of jobs in one folder), saved (saved run sets), or a regular expression (same first group or match). A rollout counts once.`,
  ),
  data: option(
    "DIR",
    "Folder with Assay's own data: saved run sets and your own rules.toml (default: as in assay view).",
  ),
  baseline: option("NAME", "Baseline job, run set or group (default: the oldest by start time)."),
  key: option("NAME", "Reward key (default: reward, or else the most frequent)."),
  threshold: option("N", "Minimum reward of a passed attempt (default 1)."),
  ...COUNTING,
};

type CompareChoice = ReturnType<typeof parseCompareChoice>;

export function parseCompareChoice(
  values: Readonly<Partial<Record<keyof typeof COMPARE_OPTIONS, string | undefined>>>,
) {
  return {
    pool: values.pool ?? null,
    data: values.data ?? null,
    baseline: values.baseline ?? null,
    key: values.key ?? null,
    threshold: parseThreshold(values.threshold),
    ...parseCounting(values),
  };
}

export function parseCounting(values: Readonly<Partial<Record<keyof typeof COUNTING, string | undefined>>>) {
  return {
    missing: parseChoice(values.missing ?? "zero", ["zero", "exclude"], "missing rule"),
    rule: parseChoice(values.rule ?? "recorded", SCORING_CHOICES, "scoring rule"),
  };
}

/** @param rules - classify trials @throws UsageError */
export async function poolFolders(
  snapshot: CatalogSnapshot,
  { pool, data }: Pick<CompareChoice, "pool" | "data">,
  terminal: Terminal,
  rules: RuleSet,
): Promise<readonly NamedRuns[]> {
  const runs = listRuns(snapshot, await findExclusions(snapshot, terminal, rules));
  return pool === "saved" ? poolSaved(runs, await readSaved(terminal, data)) : poolRuns(runs, pool);
}

/** Run sets that were saved and not deleted; prints on stderr what cannot be read. */
export async function readSaved(terminal: Terminal, folder: string | null): Promise<readonly SavedRunSet[]> {
  const store = openViewStoreOf(withData(terminal.env, folder ?? undefined));
  const { sets, problem } = await readRunSets(store);
  await store.close();
  if (problem !== null) warn(terminal, problem);
  return sets.filter(({ isDeleted }) => !isDeleted);
}

/**
 * Compares groups with the baseline, by default the oldest one.
 *
 * @param isByAgent - compares each agent with its own oldest run
 * @throws UsageError when a requested group is missing
 */
export function compareFolders(
  named: readonly NamedRuns[],
  folders: readonly string[],
  { baseline, key, threshold, missing, rule }: Omit<CompareChoice, "pool" | "data">,
  isByAgent = false,
): ComparedGroups {
  const groups = orderGroups(named, baseline, folders);
  const sides = isByAgent && baseline === null ? listSidesByAgent(groups) : undefined;
  return compareNamed(
    groups,
    { key: chooseKey(groups, key), threshold, missing, rule, tasks: "common" },
    sides,
  );
}

export function compareNamed(
  named: readonly NamedRuns[],
  rule: ComparedRule,
  sides?: readonly Sides[],
): ComparedGroups {
  const groups = named.map((group) => applyScoring(group, rule.rule));
  const figures = computeFigures(groups, rule.key, rule, sides);
  const { commonTasks, allTasks } = figures;
  const checks = checkComparability(groups, commonTasks, allTasks.length, rule.key);
  return { ...rule, groups, figures, checks };
}

function parseThreshold(text: string | undefined): number {
  const threshold = text === undefined ? 1 : text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(threshold)) throw new UsageError(`--threshold takes a number, not "${text ?? ""}".`);
  return threshold;
}

function orderGroups(
  groups: readonly NamedRuns[],
  baseline: string | null,
  folders: readonly string[],
): readonly NamedRuns[] {
  if (groups.length < 2) {
    const found = groups.length === 0 ? "no group of trials" : `only ${groups[0]?.label ?? ""}`;
    throw new UsageError(`Found ${found} in ${folders.join(", ")}; a comparison needs at least two.`);
  }
  return baseline === null ? orderByStart(groups) : findBaseline(groups, baseline);
}

function findBaseline(groups: readonly NamedRuns[], name: string): readonly NamedRuns[] {
  const exact = groups.filter(({ label, fullName }) => label === name || fullName === name);
  const ofJob = groups.filter(({ runs }) => runs.some(({ job }) => job.name === name));
  const found = exact.length > 0 ? exact : ofJob;
  const [baseline, second] = found;
  if (baseline === undefined || second !== undefined) {
    const state = baseline === undefined ? "matches no group" : "matches several groups";
    throw new UsageError(`--baseline ${name} ${state}: ${groups.map(({ label }) => label).join(", ")}.`);
  }
  return [baseline, ...groups.filter((group) => group !== baseline)];
}

function chooseKey(groups: readonly NamedRuns[], asked: string | null): string {
  const keys = listRewardKeys(groups).map(({ key }) => key);
  if (asked === null) return keys[0] ?? "reward";
  if (keys.includes(asked)) return asked;
  throw new UsageError(`No trial has the reward key "${asked}". Available: ${keys.join(", ") || "none"}.`);
}

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
    const partly = `${name} (${nFound} of ${formatPlural(members.length, "run")})`;
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

export function prepareSensitivityText(
  groups: readonly { readonly label: string; readonly sensitivity: Sensitivity | Unavailable }[],
  missing: MissingRule,
): string {
  const moved = groups.flatMap(({ label, sensitivity }) => {
    const line = describeSensitivity(sensitivity);
    return line === null ? [] : [{ label, line }];
  });
  if (moved.length === 0) return "";
  const { headings, rows } = prepareSensitivityTable(moved, missing);
  const columns = headings
    .map((heading) => heading.toLowerCase())
    .map((heading, at) => (at === 0 ? heading : { right: heading }));
  return `sensitivity of the score (in brackets: trials that a reading moves)\n\n${formatTextTable(columns, rows)}`;
}
