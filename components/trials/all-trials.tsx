import type { TrialsListState } from "@/components/job/trials/trial-filters";
import { TrialsList } from "@/components/job/trials/trials-list";
import { AgentName } from "@/components/ui/agent-name";
import { FacetMenu } from "@/components/ui/facet-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { ViewsMenu } from "@/components/views/views-menu";
import { formatPlural } from "@/lib/core/format/number";
import { trialsPageHref, type TrialsParams } from "@/lib/pages/trials/address";
import type { AllTrialsPage, NamedGroup } from "@/lib/pages/trials/page";
import type { ListView } from "@/lib/pages/views/page";

const ORDERS = [
  { id: "longest", label: "Longest", by: "duration", descending: true },
  { id: "dearest", label: "Most expensive", by: "cost", descending: true },
  { id: "errors", label: "Most errors", by: "errors", descending: true },
  { id: "newest", label: "Newest", by: "started", descending: true },
] as const;

export function AllTrials({
  page,
  params,
  views,
  count,
}: {
  page: AllTrialsPage;
  params: TrialsParams;
  views: readonly ListView[];
  count: TrialsListState["count"];
}) {
  const { panel, jobs, jobNames, identityOf, groups } = page;
  const hrefOf: TrialsListState["hrefOf"] = (change) => trialsPageHref(null, params, change);
  const list = { jobKey: null, params, hrefOf, count };
  const facet = facetsOf(params, hrefOf);
  return (
    <>
      <TrialsList
        caption="Trials of all jobs"
        panel={panel}
        list={list}
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
            <ViewsMenu label="All trials" all={trialsPageHref(null, {})} current={hrefOf({})} views={views} />
            <FacetMenu
              // Closes after a choice.
              key={params.sort}
              label="Order"
              clearHref={hrefOf({ sort: "task", descending: false })}
              options={ORDERS.map(({ id, label, by, descending }) => ({
                value: id,
                label,
                count: null,
                selected: params.sort === by && params.descending === descending,
                href: hrefOf({ sort: by, descending }),
              }))}
            />
            {page.jobFacet.length > 1
              ? facet("Job", "jobs", page.jobFacet, (key) => jobNames.get(key) ?? key)
              : null}
            {page.setFacet.length + params.runSets.length > 0
              ? facet(
                  "Run set",
                  "runSets",
                  page.setFacet,
                  (id) => page.setNames.get(id) ?? `${id} (not saved here)`,
                )
              : null}
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
