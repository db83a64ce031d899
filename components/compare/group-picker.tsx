import { AgentMark } from "@/components/ui/agent-mark";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { FilterBar, FilterChip } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { formatCount, formatPlural, formatRange, formatReward } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { compareParamsHref, type CompareParams, listRunSets, toggleRun } from "@/lib/pages/compare/address";
import type { FoundGroup } from "@/lib/pages/compare/page";
import type { ComparePicker, PickerJob } from "@/lib/pages/compare/picker";

import { PickBox } from "./pick-box";

type Line = ReturnType<typeof listLines>[number];

const JOB: DataColumn<Line> = column(
  "Job",
  ({ job: { job }, isFirst }) =>
    isFirst ? (
      <Link href={jobHref(job.key)} className="picker-name" title={job.folder}>
        {job.name}
      </Link>
    ) : null,
  { className: "name", phone: "above" },
);

const COLUMNS: readonly DataColumn<Line>[] = [
  JOB,
  column(
    "Agent and model",
    ({ row: { identity, group, setups } }) => (
      <>
        <AgentName identity={identity} agent={group.agent} model={group.model} />
        {setups === null ? null : (
          <span className="settings-differ" title={setups.differences.map(formatDifference).join("\n")}>
            settings differ
          </span>
        )}
      </>
    ),
    { phone: "first" },
  ),
  column("Dataset", ({ row }) => row.group.source ?? "adhoc", { className: "muted", room: "minor" }),
  column("Tasks", ({ row }) => formatCount(row.nTasks), { numeric: true, phone: "labelled" }),
  {
    id: "common",
    header: "In common",
    isFilled: ({ row }) => row.nCommon !== null,
    meta: { numeric: true, title: "Tasks shared with every chosen group", phone: "labelled" },
    cell: ({ row }) => (row.nCommon === null ? null : <Count value={row.nCommon} />),
  },
  column("Trials", ({ row }) => formatCount(row.nTrials), { numeric: true, phone: "labelled" }),
  column(
    "Mean reward",
    ({ row: { headline } }) => {
      const mean = headline?.value ?? null;
      return mean === null ? <Unknown /> : formatReward(mean);
    },
    { numeric: true, phone: "score" },
  ),
  intervalColumn(({ row }) => <Interval row={row} />, { words: "95 % interval" }, { room: "minor" }),
];

function listColumns(params: CompareParams, runsOf: ComparePicker["runsOf"]): readonly DataColumn<Line>[] {
  const isFull = listRunSets(params.refs).length >= MAX_GROUPS;
  return [
    {
      id: "pick",
      header: <span className="screen-reader">Choose</span>,
      meta: { width: 26, phone: "side" },
      cell: ({ job: { job }, row: { chosen, group, ref } }) => (
        <PickBox
          checked={chosen}
          disabled={isFull && !chosen}
          label={`${group.agent} ${group.model ?? ""} of ${job.name}`}
          href={compareParamsHref(params, { refs: toggleRun(params.refs, ref, runsOf), picking: true })}
        />
      ),
    },
    ...COLUMNS,
    {
      id: "job-pick",
      header: <span className="screen-reader">Compare a whole job</span>,
      meta: { numeric: true, phone: "end" },
      cell: ({ job: { refs }, isFirst }) =>
        isFirst && refs.length > 1 && refs.length <= MAX_GROUPS ? (
          <Link href={compareParamsHref({ refs })}>compare all {refs.length}</Link>
        ) : null,
    },
  ];
}

export function GroupPicker({ picker, params }: { picker: ComparePicker; params: CompareParams }) {
  if (picker.nGroups === 0) {
    return (
      <Notice title="Nothing to compare yet" actions={<ButtonLink href="/">Jobs</ButtonLink>}>
        {picker.nUnread === 0
          ? "No open job has a trial with a result. Groups appear here once trials finish."
          : `${formatPlural(picker.nUnread, "job")} ${picker.nUnread === 1 ? "is" : "are"} being read. Groups appear here once read.`}
      </Notice>
    );
  }
  return (
    <div className="picker">
      <PickerBar picker={picker} params={params} />
      {picker.jobs.length === 0 && picker.chosen.length === 0 ? (
        <NoMatches
          noun="group"
          params={params}
          filters={[["Job, agent, model, dataset or task", { text: "" }]]}
          hrefOf={compareParamsHref}
          count={() => Promise.resolve(picker.nGroups)}
        />
      ) : (
        <DataTable
          caption="Groups that can be compared"
          className="table-compact"
          columns={listColumns(params, picker.runsOf)}
          rows={[...picker.chosen, ...picker.jobs].flatMap(listLines)}
          rowKey={({ row }) => row.ref}
          rowClass={({ row, isLast }) =>
            [row.chosen ? "selected" : "", isLast ? "" : "continued"].filter(Boolean).join(" ")
          }
        />
      )}
      <Pager
        page={picker.page}
        noun={picker.chosen.length === 0 ? "group" : "other group"}
        label="Pages of the groups"
        hrefOf={(to) => compareParamsHref(params, { pickerPage: to })}
      />
      {picker.nUnread === 0 ? null : (
        <p className="caption table-note">
          {picker.nUnread === 1 ? "1 job is" : `${formatCount(picker.nUnread)} jobs are`} not read yet, so
          {picker.nUnread === 1 ? " its" : " their"} groups are missing here.
        </p>
      )}
    </div>
  );
}

function PickerBar({ picker, params }: { picker: ComparePicker; params: CompareParams }) {
  const { refs } = params;
  const nChosen = listRunSets(refs).length;
  return (
    <FilterBar
      end={
        <>
          <span aria-live="polite">
            {nChosen === 0
              ? `Choose 2 to ${MAX_GROUPS} groups`
              : nChosen === 1
                ? "1 chosen, choose one more"
                : `${nChosen} chosen${nChosen === MAX_GROUPS ? ", the maximum" : ""}`}
          </span>
          {refs.length === 0 ? null : (
            <ButtonLink look="bare" href={compareParamsHref(params, { refs: [] })}>
              Clear
            </ButtonLink>
          )}
          {nChosen < 2 ? null : (
            <ButtonLink look="main" href={compareParamsHref(params, { picking: false, text: "" })}>
              Compare {nChosen} groups
            </ButtonLink>
          )}
        </>
      }
    >
      <FilterText label="Filter groups" resets={["pick_page"]} />
      <span className="muted">{describeCounts(picker)}</span>
    </FilterBar>
  );
}

function describeCounts({ page, chosen, nGroups }: ComparePicker): string {
  const nShown = page.nMatching + chosen.reduce((sum, { rows }) => sum + rows.length, 0);
  return nShown === nGroups
    ? formatPlural(nGroups, "group")
    : `${formatCount(nShown)} of ${formatPlural(nGroups, "group")}`;
}

function listLines(job: PickerJob) {
  return job.rows.map((row, at) => ({ job, row, isFirst: at === 0, isLast: at === job.rows.length - 1 }));
}

function Interval({ row: { interval, headline, identity, basis } }: Pick<Line, "row">) {
  const bounds = interval.kind === "computed" && interval.bounds.kind === "computed" ? interval.bounds : null;
  const mean = headline?.value ?? null;
  return (
    <IntervalPlot
      title={bounds === null ? basis : `${formatRange(bounds)}: ${basis}`}
      mark={
        bounds === null || mean === null
          ? null
          : { value: mean, low: bounds.low, high: bounds.high, identity }
      }
    />
  );
}

export function GroupChips({ chosen, params }: { chosen: readonly FoundGroup[]; params: CompareParams }) {
  if (chosen.length === 0) return null;
  return (
    <div className="flow picker-chosen" role="group" aria-label="Chosen groups">
      {chosen.map((group, at) => (
        <FilterChip
          key={group.id}
          removeHref={compareParamsHref(params, {
            refs: chosen.flatMap(({ id, refs }) => (id === group.id ? [] : refs)),
            picking: true,
          })}
        >
          <AgentMark {...group} size={12} />
          {group.label}
          {at === 0 ? null : (
            <Link
              href={compareParamsHref(params, { refs: joinBefore(chosen, group), picking: true })}
              title={`Count ${group.label} together with ${chosen[at - 1]?.label ?? ""}`}
            >
              join
            </Link>
          )}
          <span className="muted">{group.runs.map(({ job }) => job.name).join(", ")}</span>
        </FilterChip>
      ))}
    </div>
  );
}

function joinBefore(chosen: readonly FoundGroup[], joined: FoundGroup): readonly string[] {
  return chosen.flatMap(({ id, refs, runs }) => (id === joined.id ? runs.map(({ ref }) => `+${ref}`) : refs));
}
