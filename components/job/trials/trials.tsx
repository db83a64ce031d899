import { evaluationsFileHref, jobPageHref, type JobParams, trialsFileHref } from "@/lib/addresses/job";
import { writeTrialsList } from "@/lib/addresses/trials-list";
import { recordedHref } from "@/lib/addresses/recorded";
import { AgentName } from "@/components/ui/agent-name";
import { ColumnsMenu } from "@/components/ui/columns-menu";
import { DataTable } from "@/components/ui/data-table";
import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { StatusWord } from "@/components/ui/mark";
import { Link } from "@/components/ui/link";
import { JUDGMENT_FILTERS, TRIAL_SORTS, VERIFIER_FILTERS } from "@/lib/domain/job-filter";
import { formatSetup } from "@/lib/format/agent-settings";
import { formatPlural } from "@/lib/format/number";
import { findSharedPrefix } from "@/lib/format/shared-prefix";
import type { JobGroup, JobPage } from "@/lib/queries/job/page";
import type { TrialsPanel } from "@/lib/queries/job/trials";

import { DownloadMenu } from "@/components/jobs/download-menu";
import { DerivedDetailsReading } from "../derived-details-reading";
import { type CountRows, describeMatching, JobFacet, JobRows } from "../filters";
import { JobRangeMenu } from "../range-menu";
import { listTrialColumns } from "./columns";
import { JUDGMENT_WORDS, VERIFIER_WORDS } from "./list-words";
import { NoTrials } from "./no-trials";
import { ReturnToRow } from "./return-to-row";

import "../job-page.css";

/** The trials tab: filtered, sorted and paged on the server. */
export function JobTrials({
  page,
  panel,
  params,
  count,
}: {
  page: JobPage;
  panel: TrialsPanel;
  params: JobParams;
  count: CountRows;
}) {
  const { key } = page.job;
  if (panel.nTrials === 0) return <NoTrials job={page.job} />;
  const groups = new Map(page.groups.map((group) => [group.group.key, group]));
  const list = writeTrialsList(params);
  const prefix = findSharedPrefix(panel.rows.map(({ trial }) => trial.taskName));
  return (
    <>
      <TrialFilters panel={panel} params={params} jobKey={key} groups={groups} doubts={page.doubts} />
      <RecordedNote job={page.job} />
      {page.doubts === null && params.verifier.length > 0 ? (
        <DerivedDetailsReading what="Doubts about verifiers" />
      ) : null}
      <JobRows noun="trial" jobKey={key} params={params} page={panel} count={count}>
        <DataTable
          caption="Trials of this job"
          columns={listTrialColumns(params.rewardKey)}
          rows={panel.rows.map((row) => ({
            ...row,
            jobKey: key,
            list,
            prefix,
            group: groups.get(row.groupKey) ?? null,
            part: groups.get(row.setup?.key ?? "") ?? null,
          }))}
          rowKey={({ trial }) => trial.key}
          wanted={params.columns}
          order={{
            sorts: TRIAL_SORTS,
            sort: params.trialSort,
            descending: params.descending,
            hrefOf: ({ sort, descending }) => jobPageHref(key, params, { trialSort: sort, descending }),
          }}
        />
      </JobRows>
      <ReturnToRow />
    </>
  );
}

interface FilterProps {
  readonly panel: TrialsPanel;
  readonly params: JobParams;
  readonly jobKey: string;
  readonly groups: ReadonlyMap<string, JobGroup>;
  readonly doubts: JobPage["doubts"];
}

/** Says that files hold judgments too, which the column of judgments and its filter leave out. */
function RecordedNote({ job: { key, recordedJudgments } }: Pick<JobPage, "job">) {
  const { nJudgments, nTrials } = recordedJudgments;
  if (nJudgments === 0) return null;
  return (
    <p className="caption">
      <Link href={recordedHref(key)}>{formatPlural(nJudgments, "judgment")}</Link> of{" "}
      {formatPlural(nTrials, "trial")} {nJudgments === 1 ? "is" : "are"} recorded in files beside the records.
      They are not among the judgments saved here.
    </p>
  );
}

function TrialFilters({ panel, params, jobKey, groups, doubts }: FilterProps) {
  const facet = { jobKey, params };
  return (
    <FilterBar
      end={
        <>
          <span>{describeMatching(panel.nMatching, panel.nTrials, "trial")}</span>
          <ColumnsMenu
            columns={listTrialColumns()}
            wanted={params.columns}
            hrefOf={(columns) => jobPageHref(jobKey, params, { columns, page: params.page })}
          />
          <DownloadMenu
            what={panel.nMatching === panel.nTrials ? "all trials" : "these trials"}
            hrefOf={(format) => trialsFileHref(jobKey, params, format)}
            evaluationsHref={evaluationsFileHref(jobKey, params)}
          />
        </>
      }
    >
      <FilterText label="Filter trials" />
      <JobFacet
        {...facet}
        label="Outcome"
        filter="outcomes"
        values={panel.outcomes}
        wordFor={(outcome) => <StatusWord status={outcome} />}
      />
      {panel.groups.length > 1 ? (
        <JobFacet
          {...facet}
          label="Agent"
          filter="groups"
          values={panel.groups}
          wordFor={(groupKey) => <GroupWord group={groups.get(groupKey)} groupKey={groupKey} />}
        />
      ) : null}
      <JobFacet {...facet} label="Exception" filter="exceptions" values={panel.exceptions} />
      <JobFacet
        {...facet}
        label="Judgment"
        filter="judgments"
        values={JUDGMENT_FILTERS.map((value) => ({ value, count: null }))}
        wordFor={(value) => JUDGMENT_WORDS[value]}
      />
      <VerifierFacet doubts={doubts} {...facet} />
      {panel.rewardKeys.length > 1 ? <RewardKeyMenu panel={panel} {...facet} /> : null}
      <JobRangeMenu jobKey={jobKey} params={params} />
    </FilterBar>
  );
}

function GroupWord({ group, groupKey }: { group: JobGroup | undefined; groupKey: string }) {
  if (group === undefined) return groupKey;
  return (
    <>
      <AgentName identity={group.identity} agent={group.group.agent} model={group.group.model} />
      {group.setup === null ? null : <span className="muted"> {formatSetup(group.setup)}</span>}
    </>
  );
}

/** There only where something speaks against a verifier, or was asked for. */
function VerifierFacet({ doubts, params, jobKey }: Pick<FilterProps, "doubts" | "params" | "jobKey">) {
  const counts = { suspect: doubts?.nSuspects ?? null, nondeterministic: doubts?.nNondeterministic ?? null };
  const values = VERIFIER_FILTERS.map((value) => ({ value, count: counts[value] }));
  const isAny = values.some(({ value, count }) => (count ?? 0) > 0 || params.verifier.includes(value));
  if (!isAny) return null;
  return (
    <JobFacet
      label="Verifier"
      filter="verifier"
      jobKey={jobKey}
      params={params}
      values={values}
      wordFor={(value) => VERIFIER_WORDS[value]}
    />
  );
}

function RewardKeyMenu({ panel, params, jobKey }: Omit<FilterProps, "groups" | "doubts">) {
  return (
    <ListFacet
      label="Reward key"
      values={panel.rewardKeys}
      chosen={params.rewardKey === null ? [] : [params.rewardKey]}
      hrefOf={(chosen) => jobPageHref(jobKey, params, { rewardKey: chosen.at(-1) ?? null })}
    />
  );
}
