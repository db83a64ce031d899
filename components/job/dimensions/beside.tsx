import { ShareRow, ShareScale } from "@/components/charts/share-rows";
import { DifferenceScale as DifferenceNumbers } from "@/components/charts/strips";
import { ButtonLink } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { FacetMenu } from "@/components/ui/facet-menu";
import { Link } from "@/components/ui/link";
import { MarkedName } from "@/components/ui/marked-name";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { type Column, Table } from "@/components/ui/table";
import { jobPageHref, type JobParams, jobTrialsHref } from "@/lib/addresses/job";
import { formatCount, formatPlural, formatReward } from "@/lib/format/number";
import type {
  BesideJob,
  BesidePanel,
  BesideRow,
  DimensionsBeside as Beside,
} from "@/lib/queries/job/dimensions-beside";

import { DerivedDetailsOutdated } from "../derived-details-reading";
import { formatBesideCsv } from "./beside-csv";
import { describeAgents, describeBeside } from "./beside-words";
import { DifferenceCell, Drawn, RowDifference } from "./overview-table";
import { joinNames } from "./overview-words";

import "./overview.css";

interface BesideProps {
  readonly job: BesideJob;
  readonly params: JobParams;
}

/** A job is no agent: its marker is ink, filled for this one and hollow for the other. */
const HERE = { identity: 0, isPlain: true } as const;
const THERE = { identity: 0 } as const;

/** Chooses the job whose dimensions stand beside those of this one. */
export function BesideMenu({ job, params, panel }: BesideProps & { panel: BesidePanel }) {
  const { choices } = panel;
  const hrefOf = (withJob: string | null) => jobPageHref(job.key, params, { withJob });
  return (
    <FacetMenu
      label="Compare with"
      clearHref={hrefOf(null)}
      options={choices.map(({ key, name }) => ({
        value: key,
        label: name,
        count: null,
        selected: key === params.withJob,
        href: hrefOf(key === params.withJob ? null : key),
      }))}
    />
  );
}

/** The dimensions of this job beside those of the job of the address, the worst change first. */
export function DimensionsBeside({ job, params, panel: { beside } }: BesideProps & { panel: BesidePanel }) {
  if (beside === null) return null;
  if (beside === "unknown") {
    return (
      <Notice title="No such job to compare with">
        No open job of the same dataset is called <code>{params.withJob}</code>. Choose one under Compare
        with.
      </Notice>
    );
  }
  const { rows, single, reward } = beside;
  if (rows.length === 0 && single.length === 0) return <NothingShared beside={beside} />;
  const { head, rest } = describeBeside(beside);
  const main = rows.length === 0 ? single : rows;
  return (
    <section
      className="section dimension-overview dimension-beside"
      aria-label="Dimensions of two jobs, worst change first"
      data-chart=""
    >
      <div className="dimension-answer">
        <p>
          <b>{head}</b>
        </p>
        <p>{rest}</p>
      </div>
      {beside.state === "reading" ? <DerivedDetailsOutdated /> : null}
      <div className="row dimension-overview-head">
        <h2>Worst change first</h2>
        <span className="dimension-overview-actions">
          <ButtonLink
            look="bare"
            href={jobPageHref(beside.other.key, { ...params, groups: [], versus: [] }, { withJob: job.key })}
          >
            Swap
          </ButtonLink>
          <ButtonLink look="bare" href={jobPageHref(job.key, params, { withJob: null })}>
            Close
          </ButtonLink>
          <ChartMenu name="dimensions-of-two-jobs" csv={formatBesideCsv(beside, job.name)} />
        </span>
      </div>
      <BesideTable
        caption="Dimensions of two jobs, worst change first"
        rows={reward === null ? main : [reward, ...main]}
        {...{ job, params, beside }}
      />
      <BesideNotes beside={beside} />
      {rows.length === 0 || single.length === 0 ? null : (
        <details className="dimension-single">
          <summary>
            {formatPlural(single.length, "dimension")} of one common task each{" "}
            <span className="muted">no interval</span>
          </summary>
          <BesideTable
            caption="Dimensions of one common task each"
            rows={single}
            {...{ job, params, beside }}
          />
        </details>
      )}
    </section>
  );
}

function NothingShared({ beside: { other, onlyHere, onlyThere, state } }: { beside: Beside }) {
  if (state === "reading") {
    return (
      <Notice title={`${other.name} is still being read`}>
        Its dimensions come with its verifiers&rsquo; files. The page fills in by itself.
      </Notice>
    );
  }
  return (
    <Notice title={`No dimension in common with ${other.name}`}>
      {onlyThere.length === 0
        ? "No finished trial of it states a dimension of this scale."
        : `No task states the same dimension in both. This job has ${formatCount(onlyHere.length)}, the other one ${formatCount(onlyThere.length)}.`}
    </Notice>
  );
}

interface TableProps extends BesideProps {
  readonly beside: Beside;
  readonly rows: readonly BesideRow[];
  readonly caption: string;
}

function BesideTable({ job, params, beside, rows, caption }: TableProps) {
  const isByTask = rows.some(({ task }) => task !== null);
  const isPlotted = !params.asNumbers;
  const scale = isPlotted ? beside.scale : null;
  const columns: readonly Column[] = [
    { id: "name", label: "Dimension" },
    {
      id: "difference",
      numeric: true,
      label: "Difference",
      title: `${job.name} minus ${beside.other.name}, in points, paired by task`,
    },
    ...(scale === null
      ? []
      : [
          {
            id: "difference-plot",
            minor: true,
            width: 124,
            label: (
              <Drawn what="Difference, drawn">
                <DifferenceNumbers ticks={scale.ticks} />
              </Drawn>
            ),
          },
        ]),
    { id: "here", numeric: true, label: <MarkedName mark={HERE} label={job.name} /> },
    { id: "there", numeric: true, label: <MarkedName mark={THERE} label={beside.other.name} /> },
    {
      id: "tasks",
      label: isByTask ? "Common task" : "Common tasks",
      numeric: !isByTask,
      minor: true,
    },
    ...(isPlotted
      ? [
          {
            id: "plot",
            minor: true,
            label: (
              <Drawn what="Means">
                <ShareScale />
              </Drawn>
            ),
          },
        ]
      : []),
  ];
  return (
    <Table caption={caption} columns={columns} className="dimension-overview-table">
      <tbody>
        {rows.map((row) => (
          <BesideLine
            key={`${row.kind} ${row.name}`}
            {...{ row, job, params, isByTask, isPlotted, scale, other: beside.other }}
          />
        ))}
      </tbody>
    </Table>
  );
}

const KIND_WORDS = { reward: "headline", "reward-key": "reward key", dimension: null } as const;

function BesideLine({
  row,
  job,
  other,
  params,
  isByTask,
  isPlotted,
  scale,
}: BesideProps & {
  row: BesideRow;
  other: BesideJob;
  isByTask: boolean;
  isPlotted: boolean;
  scale: Beside["scale"];
}) {
  const { kind, name, task, comparison } = row;
  const { meanFirst, meanSecond, nTasks } = comparison;
  const decimals = isPlotted ? 2 : 3;
  const filter = { dimension: name, ...(task === null ? {} : { tasks: [task] }) };
  const valueOf = (key: string, mean: number, groups: readonly string[]) =>
    kind === "dimension" ? (
      <Link href={jobTrialsHref(key, { ...filter, groups })}>{formatReward(mean, decimals)}</Link>
    ) : (
      formatReward(mean, decimals)
    );
  const level = (value: number) => ({ value, low: null, high: null });
  return (
    <tr className={kind === "reward" ? "dimension-total" : undefined}>
      <th scope="row" className="name">
        <span className="dimension-name" title={name}>
          {name}
        </span>
        {KIND_WORDS[kind] === null ? null : <span className="caption">{KIND_WORDS[kind]}</span>}
      </th>
      <DifferenceCell difference={comparison} />
      {scale === null ? null : (
        <td className="minor">
          <RowDifference name={name} difference={comparison} scale={scale} />
        </td>
      )}
      <td className="numeric">{valueOf(job.key, meanFirst, params.groups)}</td>
      <td className="numeric">{valueOf(other.key, meanSecond, [])}</td>
      {task === null ? (
        <td className={isByTask ? "minor" : "numeric minor"}>
          {isByTask ? formatPlural(nTasks, "task") : formatCount(nTasks)}
        </td>
      ) : (
        <td className="cut dimension-task minor" title={task}>
          {task}
        </td>
      )}
      {isPlotted ? (
        <td className="minor">
          <ShareRow
            marks={[
              { group: HERE, ...level(meanFirst) },
              { group: THERE, ...level(meanSecond) },
            ]}
            nLines={2}
            title={`${name}: ${job.name} ${formatReward(meanFirst, 2)}; ${other.name} ${formatReward(meanSecond, 2)}`}
          />
        </td>
      ) : null}
    </tr>
  );
}

function BesideNotes({ beside }: { beside: Beside }) {
  const { rows, agents, onlyHere, onlyThere, nLeftOut, other } = beside;
  return (
    <>
      <p className="caption table-note">
        This job minus {other.name}, over the tasks that state the dimension in both. {describeAgents(agents)}{" "}
        {rows.length === 0 ? "One task says nothing of others: no intervals." : "Bold: a clear difference."}
        {nLeftOut === 0 ? "" : ` ${formatPlural(nLeftOut, "dimension")} more not listed.`}
        {onlyHere.length === 0 ? "" : ` Only in this job: ${joinNames(onlyHere)}.`}
        {onlyThere.length === 0 ? "" : ` Only in ${other.name}: ${joinNames(onlyThere)}.`}
      </p>
      <Methods>
        <p>
          Differences are in points, paired by task, each task weighing the same, with 95 % intervals that
          hold for all dimensions of several tasks together (Bonferroni); the reward&rsquo;s interval holds
          for it alone. Trials that do not state a dimension are left out; a missing reward counts as the
          groups above count it. Where both jobs have an agent with the same model, only trials of such agents
          are compared; else those of all.
        </p>
      </Methods>
    </>
  );
}
