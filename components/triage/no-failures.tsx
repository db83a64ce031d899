import { ButtonLink } from "@/components/ui/button";
import { type Filter, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/core/format/number";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";

const FILTERS: readonly Filter<TriageParams>[] = [
  ["Text", { text: "" }],
  ["Class", { classes: [] }],
  ["Reviewed", { reviewed: [] }],
  ["Task", { tasks: [] }],
  ["Agent", { agents: [] }],
  ["Dataset", { datasets: [] }],
  ["Job", { jobs: [] }],
];

export function NoFailures({
  page: { scope },
  params,
  count,
}: {
  page: TriagePage;
  params: TriageParams;
  count: (change: Partial<TriageParams>) => Promise<number>;
}) {
  if (scope.all.length === 0 && scope.nUnclassified === 0 && scope.nReference > 0)
    return (
      <Notice
        title="Only oracle and nop did not pass"
        actions={<ButtonLink href="/datasets">Datasets</ButtonLink>}
      >
        {formatPlural(scope.nReference, "trial")} of agents that solve no task. See the task health of their
        dataset.
      </Notice>
    );
  const isFiltered = FILTERS.some(([, change]) =>
    Object.keys(change).some((name) => params[name as keyof TriageParams]?.length),
  );
  if (isFiltered)
    return (
      <NoMatches
        noun="trial that did not pass"
        plural="trials that did not pass"
        params={params}
        filters={FILTERS}
        hrefOf={triageHref}
        count={count}
      />
    );
  if (scope.nUnclassified > 0)
    return (
      <Notice title="Not classified yet">
        {formatPlural(scope.nUnclassified, "trial is", "trials are")} not read yet. This page updates
        automatically.
      </Notice>
    );
  if (scope.nLeftOut > 0)
    return (
      <Notice title="Not classified" actions={<ButtonLink href="/load-report">Load report</ButtonLink>}>
        {formatPlural(scope.nLeftOut, "job")} could not be classified. See the load report.
      </Notice>
    );
  if (scope.nTrials === 0)
    return (
      <Notice title="No finished trials" actions={<ButtonLink href="/">Jobs</ButtonLink>}>
        Findings appear once trials end.
      </Notice>
    );
  return (
    <Notice title="Everything passed">All of {formatPlural(scope.nTrials, "finished trial")} passed.</Notice>
  );
}
