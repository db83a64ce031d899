import {
  applyScoring,
  checkComparability,
  type ComparedGroups,
  type ComparedRule,
  computeFigures,
  listRewardKeys,
  listSidesByAgent,
  type NamedRuns,
  orderByStart,
  type Sides,
} from "@/lib/core/comparison";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import type { RuleSet } from "@/lib/core/triage/rules";
import { openViewStoreOf, readRunSets, type SavedRunSet } from "@/lib/people/views";

import { parseChoice, option, UsageError } from "./command";
import { listRuns, poolRuns, poolSaved } from "./compare-runs";
import { findExclusions } from "./known-failures";
import { withData } from "./open-folders";
import { type Terminal, warn } from "./terminal";

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

/** @throws UsageError for fewer than two groups, and for an unknown or ambiguous baseline */
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

/** @throws UsageError for a key that no trial has */
function chooseKey(groups: readonly NamedRuns[], asked: string | null): string {
  const keys = listRewardKeys(groups).map(({ key }) => key);
  if (asked === null) return keys[0] ?? "reward";
  if (keys.includes(asked)) return asked;
  throw new UsageError(`No trial has the reward key "${asked}". Available: ${keys.join(", ") || "none"}.`);
}
