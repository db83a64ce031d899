import { compilePattern } from "@/lib/core/domain/run-in-time";

import type { ComparedRun } from "./run";
import { dropTime, type SingleRun, suggestRunSets } from "./run-set";
import type { GroupContent } from "./trials";

/**
 * The rule that treats jobs as repeats if their names differ only by a trailing number, see {@link suggestRunSets}. Any other rule
 * is a regular expression.
 */
const NUMBERS = "numbers";

/**
 * Groups runs by a rule on the names of their jobs: `numbers`, or a regular expression. Runs whose names have the same first
 * capture group, or else the same match, form one set. Runs of different agents, models or datasets are never grouped.
 * @returns references of each set in the order of the runs, including sets of one where an expression matches one run only
 * @throws SyntaxError for an invalid regular expression
 */
export function findRunSets(runs: readonly SingleRun[], rule: string): readonly (readonly string[])[] {
  if (rule === NUMBERS) return suggestRunSets(runs);
  const expression = compilePattern(rule, "u");
  const matches = runs.flatMap(({ ref, jobName, kind }) => {
    const match = expression.exec(jobName);
    return match === null ? [] : [{ ref, set: JSON.stringify([kind, match[1] ?? match[0]]) }];
  });
  return [...Map.groupBy(matches, ({ set }) => set).values()].map((set) => set.map(({ ref }) => ref));
}

const MOST_RUNS = 50;

export function listNewRuns(
  found: readonly (readonly string[])[],
  own: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): readonly string[] {
  const joined = found.filter((refs) => refs.some((ref) => own.has(ref))).flat();
  const added = joined.filter((ref) => !own.has(ref) && !taken.has(ref));
  return [...new Set(added)].slice(0, Math.max(0, MOST_RUNS - own.size));
}

/**
 * Groups runs of one agent and model with the same agent settings, and in one folder if `isByFolder`. A run that is still active
 * stays separate: it would leave the others without a rank.
 * @returns sets in the order of their first runs, including sets of one
 */
export function poolBySettings<
  Run extends {
    readonly group: { readonly agent: string; readonly model: string | null };
    readonly content: Pick<GroupContent, "trials" | "settings">;
    readonly path: string;
  },
>(runs: readonly Run[], isByFolder = false): readonly (readonly [Run, ...Run[]])[] {
  const sets = new Map<string, [Run, ...Run[]]>();
  for (const run of runs) {
    const { group, content, path } = run;
    const settings = Array.from(content.settings ?? [], ([name, values]) => [name, [...values].toSorted()]);
    const isRunning = content.trials.some(({ state }) => state === "running");
    const kind = [
      group.agent,
      group.model,
      content.settings !== null,
      settings.toSorted(),
      isRunning,
      isByFolder ? findParent(path) : null,
    ];
    const key = JSON.stringify(kind);
    const known = sets.get(key);
    if (known === undefined) sets.set(key, [run]);
    else known.push(run);
  }
  return [...sets.values()];
}

/**
 * Returns the references of runs that look like repeats: by {@link suggestRunSets}, or of one kind in one folder where job names
 * are only times.
 */
export function listLikelyRepeats(runs: readonly ComparedRun[]): readonly (readonly string[])[] {
  const named = runs.map(({ ref, job, group }) => ({ ref, jobName: job.name, kind: nameKind(group) }));
  const timed = runs.filter(({ job }) => dropTime(job.name) === "");
  const sets = Map.groupBy(timed, ({ path, group }) => JSON.stringify([findParent(path), nameKind(group)]));
  const inFolders = [...sets.values()].filter((set) => set.length > 1);
  return [...suggestRunSets(named), ...inFolders.map((set) => set.map(({ ref }) => ref))];
}

function findParent(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

export function nameKind(group: {
  readonly key: string;
  readonly agent: string;
  readonly model: string | null;
  readonly source: string | null;
}): string {
  return JSON.stringify([group.key, group.agent, group.model, group.source]);
}
