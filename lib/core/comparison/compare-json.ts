import type { ScoringChoice } from "@/lib/core/domain/scoring-choice";

import { type ComparabilityCheck, checkRuns } from "./checks";
import { type CompareFigures, listPairs } from "./figures";
import type { CompareRule, NamedRuns } from "./run";
import { prepareSensitivityJson } from "./sensitivity";

export interface ComparedRule extends CompareRule {
  readonly key: string;
  readonly rule: ScoringChoice;
}

export interface ComparedGroups extends ComparedRule {
  /** In the order of `figures`, the baseline first. */
  readonly groups: readonly NamedRuns[];
  readonly figures: CompareFigures;
  readonly checks: readonly ComparabilityCheck[];
}

/**
 * Returns a comparison as JSON (assay.compare/2), as command, report and API output it. A missing figure is an object with `kind:
 * "unavailable"` and the reason, never null or 0.
 */
export function prepareCompareJson({
  groups,
  figures,
  key,
  threshold,
  missing,
  rule,
  checks,
}: ComparedGroups) {
  return {
    schema: "assay.compare/2" as const,
    key,
    threshold,
    missing,
    rule,
    n_common_tasks: figures.commonTasks.length,
    n_tasks: figures.allTasks.length,
    groups: groups.map((group, at) => {
      const { certainty, curve } = figures.groups[at] ?? {};
      return {
        name: group.label,
        runs: group.runs.map(({ job, group: { key: groupKey } }) => ({ job: job.name, group: groupKey })),
        n_trials: group.trials.length,
        mean: certainty?.mean,
        sensitivity: certainty && prepareSensitivityJson(certainty.sensitivity),
        pass_curve: curve,
        run_to_run: certainty?.runToRun,
        run_checks: checkRuns(group),
      };
    }),
    pairs: listPairs(groups, figures).map(({ first, second, comparison, words, readings }) => ({
      first,
      second,
      verdict: words.verdict,
      sentence: words.sentence,
      comparison,
      with_run_to_run: words.runInterval,
      readings: readings.map(({ name, nMoved, words: { verdict }, ...reading }) => ({
        name,
        n_moved: nMoved,
        verdict,
        comparison: reading.comparison,
      })),
    })),
    checks,
  };
}
