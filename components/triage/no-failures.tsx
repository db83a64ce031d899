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
  ["Job", { jobs: [] }],
];

export function NoFailures({
  page: { scope, facets },
  params,
  count,
}: {
  page: TriagePage;
  params: TriageParams;
  count: (change: Partial<TriageParams>) => Promise<number>;
}) {
  const { all, nUnclassified, nReference, nLeftOut, nTrials } = scope;
  if (all.length === 0 && nUnclassified === 0 && nReference > 0)
    return (
      <Notice
        title="Only oracle and nop did not pass"
        actions={<ButtonLink href="/datasets">Datasets</ButtonLink>}
      >
        {formatPlural(nReference, "trial")} of agents that solve no task. See the task health of their
        dataset.
      </Notice>
    );
  if (
    FILTERS.some(([, change]) =>
      Object.keys(change).some((name) => params[name as keyof TriageParams]?.length),
    )
  )
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
  if (nUnclassified > 0)
    return (
      <Notice title="Not classified yet">
        {formatPlural(nUnclassified, "trial is", "trials are")} not read yet. This page updates automatically.
      </Notice>
    );
  if (nLeftOut > 0)
    return (
      <Notice title="Not classified" actions={<ButtonLink href="/load-report">Load report</ButtonLink>}>
        {formatPlural(nLeftOut, "job")} could not be classified. See the load report.
      </Notice>
    );
  if (nTrials === 0)
    return (
      <Notice title="No finished trials" actions={<ButtonLink href="/">Jobs</ButtonLink>}>
        Causes appear once trials end.
      </Notice>
    );
  const name = facets.datasets.find(({ id }) => params.datasets.includes(id))?.label;
  return (
    <Notice title={name === undefined ? "Everything passed" : `No failed trials in ${name}`}>
      All of {formatPlural(nTrials, "finished trial")} passed.
    </Notice>
  );
}
