import { JobFacet } from "@/components/job/filters";
import type { CountRows } from "@/components/job/filters";
import { TrialsList } from "@/components/job/trials/trials-list";
import { AgentName } from "@/components/ui/agent-name";
import { Tabs } from "@/components/ui/tabs";
import { formatPlural } from "@/lib/core/format/number";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { AllTrialsPage, NamedGroup } from "@/lib/pages/trials/page";

const ORDERS = [
  { id: "all", label: "All", by: "task", descending: false },
  { id: "longest", label: "Longest", by: "duration", descending: true },
  { id: "dearest", label: "Most expensive", by: "cost", descending: true },
  { id: "errors", label: "Most errors", by: "errors", descending: true },
  { id: "newest", label: "Newest", by: "started", descending: true },
] as const;

export function AllTrials({
  page,
  params,
  count,
}: {
  page: AllTrialsPage;
  params: JobParams;
  count: CountRows;
}) {
  const { panel, jobs, jobNames, identityOf, groups } = page;
  const current = ORDERS.find(
    ({ by, descending }) => params.trialSort === by && params.descending === descending,
  );
  return (
    <>
      <Tabs
        label="Orders"
        tabs={ORDERS.map(({ id, label, by, descending }) => ({
          id,
          label,
          href: jobPageHref(null, params, { trialSort: by, descending }),
        }))}
        current={current?.id ?? ""}
      />
      <TrialsList
        caption="Trials of all jobs"
        panel={panel}
        params={params}
        jobKey={null}
        count={count}
        doubts={page.doubts}
        describe={({ jobRowId, trial }) => ({
          jobKey: jobs.get(jobRowId)?.key ?? "",
          jobName: jobs.get(jobRowId)?.name ?? "",
          group: { identity: identityOf(trial.agent, trial.model) },
          part: null,
        })}
        wordForGroup={(key) => <GroupWord group={groups.get(key)} groupKey={key} />}
        menus={
          <>
            {page.jobFacet.length > 1 ? (
              <JobFacet
                label="Job"
                filter="jobs"
                jobKey={null}
                params={params}
                values={page.jobFacet}
                wordFor={(key) => jobNames.get(key) ?? key}
              />
            ) : null}
            {page.setFacet.length + params.runSets.length > 0 ? (
              <JobFacet
                label="Run set"
                filter="runSets"
                jobKey={null}
                params={params}
                values={page.setFacet}
                wordFor={(id) => page.setNames.get(id) ?? `${id} (not saved here)`}
              />
            ) : null}
          </>
        }
        note={<UnreadNote nUnread={page.nUnread} />}
      />
    </>
  );
}

function UnreadNote({ nUnread }: { nUnread: number }) {
  if (nUnread === 0) return null;
  return (
    <p className="caption table-note" role="status">
      {formatPlural(nUnread, "job is", "jobs are")} not read yet. {nUnread === 1 ? "Its" : "Their"} trials
      will appear here.
    </p>
  );
}

function GroupWord({ group, groupKey }: { group: NamedGroup | undefined; groupKey: string }) {
  if (group === undefined) return groupKey;
  return (
    <>
      <AgentName identity={group.identity} agent={group.agent} model={group.model} />
      {group.source === null || !group.isOneOfSeveral ? null : <span className="muted"> {group.source}</span>}
    </>
  );
}
