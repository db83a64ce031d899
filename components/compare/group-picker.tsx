import { toggleValue } from "@/lib/addresses/address";
import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { IntervalPlot, IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { formatDifference } from "@/lib/format/agent-settings";
import { jobHref } from "@/lib/addresses/href";
import { formatCount, formatPlural, formatRange, formatReward } from "@/lib/format/number";
import { MAX_GROUPS } from "@/lib/domain/compare-filter";
import type { ComparePicker, PickerJob, PickerRow } from "@/lib/queries/compare/picker";

import { PickBox } from "./pick-box";

import "./group-picker.css";

const columnsFor = (hasChosen: boolean) => [
  { id: "pick", label: <span className="screen-reader">Choose</span>, width: 26 },
  { id: "job", label: "Job" },
  { id: "agent", label: "Agent and model" },
  { id: "dataset", label: "Dataset", minor: true },
  { id: "tasks", label: "Tasks", numeric: true },
  ...(hasChosen
    ? [{ id: "common", label: "In common", numeric: true, title: "Tasks shared with every chosen group" }]
    : []),
  { id: "trials", label: "Trials", numeric: true },
  { id: "mean", label: "Mean reward", numeric: true },
  {
    id: "interval",
    label: (
      <>
        <span className="screen-reader">95 % interval</span>
        <IntervalScale />
      </>
    ),
    minor: true,
  },
  { id: "job-pick", label: <span className="screen-reader">Compare a whole job</span> },
];

/** Chooses two to six groups of any jobs; every tick is a step in the address. */
export function GroupPicker({ picker, params }: { picker: ComparePicker; params: CompareParams }) {
  const { refs } = params;
  if (picker.nGroups === 0) {
    return (
      <Notice title="There is nothing to compare yet" actions={<ButtonLink href="/">Jobs</ButtonLink>}>
        {picker.nUnread === 0
          ? "None of the opened jobs has a trial with a result. Once trials finish, their groups appear here."
          : `${formatPlural(picker.nUnread, "job")} ${picker.nUnread === 1 ? "is" : "are"} being read. Groups appear here as soon as they are known.`}
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
          hrefOf={(change) => compareParamsHref(params, change)}
          count={() => Promise.resolve(picker.nGroups)}
        />
      ) : (
        <Table caption="Groups that can be compared" columns={columnsFor(refs.length > 0)} compact>
          {[...picker.chosen, ...picker.jobs].map((job) => (
            <tbody
              key={`${job.rows[0]?.chosen === true ? "chosen" : ""} ${job.job.key}`}
              className="picker-job"
            >
              {job.rows.map((row, index) => (
                <Row key={row.ref} job={job} row={row} index={index} params={params} />
              ))}
            </tbody>
          ))}
        </Table>
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

/** The filter, and what is chosen with the way on. */
function PickerBar({ picker, params }: { picker: ComparePicker; params: CompareParams }) {
  const { refs } = params;
  return (
    <FilterBar
      end={
        <>
          <span aria-live="polite">
            {refs.length === 0
              ? `Choose 2 to ${MAX_GROUPS} groups`
              : refs.length === 1
                ? "1 chosen, choose one more"
                : `${refs.length} chosen${refs.length === MAX_GROUPS ? ", the maximum" : ""}`}
          </span>
          {refs.length === 0 ? null : (
            <ButtonLink look="bare" href={compareParamsHref(params, { refs: [] })}>
              Clear
            </ButtonLink>
          )}
          {refs.length < 2 ? null : (
            <ButtonLink look="main" href={compareParamsHref(params, { picking: false, text: "" })}>
              Compare {refs.length} groups
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

/** How many groups there are, or how many of them match. */
function describeCounts({ page, chosen, nGroups }: ComparePicker): string {
  const nShown = page.nMatching + chosen.reduce((sum, { rows }) => sum + rows.length, 0);
  return nShown === nGroups
    ? formatPlural(nGroups, "group")
    : `${formatCount(nShown)} of ${formatPlural(nGroups, "group")}`;
}

function Row({
  job,
  row,
  index,
  params,
}: {
  job: PickerJob;
  row: PickerRow;
  index: number;
  params: CompareParams;
}) {
  const { group, nTrials, nTasks, nCommon } = row;
  const isFull = params.refs.length >= MAX_GROUPS && !row.chosen;
  return (
    <tr
      className={[row.chosen ? "selected" : "", index < job.rows.length - 1 ? "continued" : ""]
        .join(" ")
        .trim()}
    >
      <td>
        <PickBox
          checked={row.chosen}
          disabled={isFull}
          label={`${group.agent} ${group.model ?? ""} of ${job.job.name}`}
          href={compareParamsHref(params, { refs: toggleValue(params.refs, row.ref), picking: true })}
        />
      </td>
      <td className="name">
        {index === 0 ? (
          <Link href={jobHref(job.job.key)} className="picker-name" title={job.job.folder}>
            {job.job.name}
          </Link>
        ) : null}
      </td>
      <td>
        <AgentName identity={row.identity} agent={group.agent} model={group.model} />
        {row.setups === null ? null : (
          <span className="picker-settings" title={row.setups.differences.map(formatDifference).join("\n")}>
            settings differ
          </span>
        )}
      </td>
      <td className="minor muted">{group.source ?? "adhoc"}</td>
      <td className="numeric">{formatCount(nTasks)}</td>
      {nCommon === null ? null : (
        <td className={nCommon === 0 ? "numeric zero" : "numeric"}>{formatCount(nCommon)}</td>
      )}
      <td className="numeric">{formatCount(nTrials)}</td>
      <MeanCells row={row} />
      <td className="numeric">
        {index === 0 && job.refs.length > 1 && job.refs.length <= MAX_GROUPS ? (
          <Link href={compareParamsHref({ refs: job.refs })}>compare all {job.refs.length}</Link>
        ) : null}
      </td>
    </tr>
  );
}

function MeanCells({ row }: { row: PickerRow }) {
  const { interval, headline, identity, basis } = row;
  const bounds = interval.kind === "computed" && interval.bounds.kind === "computed" ? interval.bounds : null;
  const mean = headline?.value ?? null;
  return (
    <>
      <td className={mean === null ? "numeric unknown" : "numeric"}>{formatReward(mean)}</td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={bounds === null ? basis : `${formatRange(bounds)}: ${basis}`}
          mark={
            bounds === null || mean === null
              ? null
              : { value: mean, low: bounds.low, high: bounds.high, identity }
          }
        />
      </td>
    </>
  );
}
