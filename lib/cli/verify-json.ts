import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import type { Figure, RecomputedGroup, VerdictCounts } from "@/lib/core/domain/verification";
import type { Summation } from "@/lib/core/scoring";
import { prepareRewards, prepareValue } from "@/lib/output/export";

/** The document of `assay verify --json`; see the README in this folder for its fields. */
export function prepareVerifyJson(snapshot: CatalogSnapshot, counts: VerdictCounts, summation: Summation) {
  return {
    schema: "assay.verify/3",
    summation,
    counts: prepareCounts(counts),
    jobs: snapshot.jobs.map((entry) => prepareJob(entry, snapshot)),
    copies: snapshot.copies.map((entry) => prepareJob(entry, snapshot)),
  };
}

function prepareJob({ job, trials, path, report }: JobEntry, { roots }: CatalogSnapshot) {
  return {
    key: job.key,
    name: job.name,
    id: job.uuid,
    root: roots[job.root]?.label ?? null,
    folder: job.folder,
    path,
    kind: job.kind,
    state: job.state,
    n_trials: trials.length,
    verdict: report.verdict.replaceAll("-", "_"),
    counts: prepareCounts(report.counts),
    order: report.order,
    outcome: report.outcome,
    groups: report.groups.map(prepareGroup),
    figures: report.figures.map(prepareFigure),
  };
}

function prepareGroup(group: RecomputedGroup) {
  return {
    key: group.key,
    agent: group.agent,
    model: group.model,
    source: group.source,
    n_trials: group.trialKeys.length,
    verdict: group.verdict.replaceAll("-", "_"),
    metrics: group.metrics.map(({ type, value, error }) => ({ type, values: prepareRewards(value), error })),
    pass_at_k: [...group.passAtK].map(([k, value]) => ({ k, ...prepareValue(value) })),
    pass_at_k_ineligible: group.passAtKIneligible,
  };
}

/** Names trials only for figures that are not exact, where they are needed. */
function prepareFigure(figure: Figure) {
  const { kind, path, group, recorded, recomputed, verdict, ulps, reason, rule } = figure;
  const shown = {
    kind,
    path,
    group,
    recorded,
    recomputed,
    verdict: verdict.replaceAll("-", "_"),
    ulps,
    reason,
    rule: rule?.replaceAll("-", "_") ?? null,
  };
  return verdict === "exact" ? shown : { ...shown, trials: figure.trialKeys };
}

function prepareCounts(counts: VerdictCounts) {
  const { exact, ulp, explained, mismatch, incomplete } = counts;
  return {
    ...{ exact, ulp, explained, mismatch, incomplete },
    unknown_rule: counts["unknown-rule"],
    not_recorded: counts["not-recorded"],
  };
}
